"""Adopting: areas, goals, what init writes and leaves alone."""
