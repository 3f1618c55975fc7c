"""Everything known of a pull request at one instant, from the code-hosting platform."""
