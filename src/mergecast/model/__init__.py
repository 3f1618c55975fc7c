"""The values that all packages share: events, facts, instants, windows, snapshots; standard library only."""
