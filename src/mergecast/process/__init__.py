"""What a process of Mergecast needs from the machine: clocks, memory, logs, and its data folder."""
