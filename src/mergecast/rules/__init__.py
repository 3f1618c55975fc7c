"""What a configuration would do to one pull request at one instant, as a tree that explains itself."""
