"""What conditions can ask about a pull request, read from its snapshot."""
