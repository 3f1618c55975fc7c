"""Bytes that somebody sent into events of ours."""
