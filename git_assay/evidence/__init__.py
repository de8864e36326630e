"""Signed statements: their form, their verification, where they are kept, how people read them."""
