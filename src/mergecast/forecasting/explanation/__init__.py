"""Why figures differ between two periods: replays in which each cause is that of the one or the other."""
