"""YAML text to plain values that remember their positions."""
