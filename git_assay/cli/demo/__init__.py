"""The story that `git assay demo` tells: its sample project, its steps, and how they are shown."""
