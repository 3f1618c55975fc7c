"""Runs child processes with limits that read untrusted documents, and passes questions and answers."""
