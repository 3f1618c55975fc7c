"""Glob patterns: brace expansion, and translation to regular expressions."""
