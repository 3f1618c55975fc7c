"""Sources that are added to a running server: tested, stored with a sealed credential, and followed."""
