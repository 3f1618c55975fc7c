"""What a configuration would do to one pull request at one instant, and why."""
