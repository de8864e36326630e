"""Small immutable values that every layer shares: ids, digests, time, text. No I/O."""
