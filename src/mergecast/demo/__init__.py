"""An invented but realistic history of one repository's merge queues."""
