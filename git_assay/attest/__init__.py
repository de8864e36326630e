"""Making evidence: attest, review, waive, withdraw. Drives checks, evidence and status."""
