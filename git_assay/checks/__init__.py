"""Commands on cards: how they are run, bounded, and turned into a verdict. Signs nothing and reads no git."""
