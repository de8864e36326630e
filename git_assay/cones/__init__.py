"""Cones and digests of one tree, from its graph and its cards."""
