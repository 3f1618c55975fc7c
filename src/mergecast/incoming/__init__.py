"""What comes from platforms: their history and webhooks, and everything known about a pull request."""
