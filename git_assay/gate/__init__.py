"""policy x survey -> decision (pure)."""
