"""Import graph of one tree: facts of its blobs, resolved against its paths and build files only."""
