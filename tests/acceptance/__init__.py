"""Does the whole tool do what it was made for, on repositories as people have them?"""
