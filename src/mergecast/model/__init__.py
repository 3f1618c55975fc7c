"""The vocabulary: frozen values, standard library only."""
