"""Is the project in order? The one command that people and CI run: `python -m tests.check`.

Runs every step even when an earlier one fails, prints each step's own last line again at the end, and exits with 1
when any failed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

STEPS: dict[str, tuple[str, ...]] = {
    "format": ("ruff", "format", "--check", "."),
    "lint": ("ruff", "check", "."),
    "types": ("mypy",),
    "tests": ("pytest", "-n", "2"),
}


def main() -> int:
    root = Path(__file__).parents[1]
    results = {name: run(step, root) for name, step in STEPS.items()}
    print()
    for name, (code, last) in results.items():
        print(f"{name:<7} {'ok' if code == 0 else 'FAILED':<7} {last}")
    return 1 if any(code for code, _ in results.values()) else 0


def run(step: tuple[str, ...], root: Path) -> tuple[int, str]:
    """Runs `python -m STEP`, passes its output on, and returns its exit code and last line."""
    print(f"$ python -m {' '.join(step)}", flush=True)
    process = subprocess.Popen(
        [sys.executable, "-m", *step], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    last = ""
    for line in process.stdout or ():
        print(line, end="", flush=True)
        last = line.strip() or last
    return process.wait(), last


if __name__ == "__main__":
    sys.exit(main())
