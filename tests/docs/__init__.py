"""Does the documentation tell the truth? Links, commands and the generated reference."""
