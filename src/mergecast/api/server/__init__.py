"""How connections are read and written, and which of them are refused."""
