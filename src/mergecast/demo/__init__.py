"""A made-up but believable history of one repository's merge queues."""
