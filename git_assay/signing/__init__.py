"""SSH signatures, keys, allowed signers and revocation. The only door to `cryptography` and `ssh-keygen`."""
