"""Child processes with limits read untrusted documents; this process only sees their answers."""
