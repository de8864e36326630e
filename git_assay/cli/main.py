"""Which verb was asked for?

Lazy: `git assay --version` and `git assay -h` import neither click nor a door; a verb's module is imported when the
verb runs. Global options are read by hand for the same reason.
"""

import sys

from git_assay.cli.table import VERBS, Row

OVERVIEW_USAGE = "usage: git assay [-C DIR] [--debug] [--version] [-h] VERB [ARGS]"


def run() -> None:
    """Console entry point; exits with the codes of design 40-gate §4."""
    args = sys.argv[1:]
    if args in (["--version"], ["-V"]):
        from git_assay import __version__

        _answer(f"git assay {__version__}\n", ["--version"])
    elif not args or args[0] in ("-h", "--help"):
        _answer(overview(VERBS) + "\n", ["-h"])
        sys.exit(0 if args else 129)
    else:
        import gc

        from git_assay.cli.boundary import guarded

        # A graph is a million small objects that live as long as the process: looking through them for cycles again
        # and again took a third of a warm run on 20,000 files.
        gc.set_threshold(500_000, 50, 100)
        sys.exit(guarded(args))


def _answer(text: str, args: list[str]) -> None:
    """Prints what needs no verb. Where it cannot be written, the boundary meets the same error and ends for it."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError:
        from git_assay.cli.boundary import guarded

        sys.exit(guarded(args))


def overview(verbs: dict[str, Row]) -> str:
    """Returns the list of verbs by group, as `git assay -h` prints it."""
    lines = [OVERVIEW_USAGE]
    group = ""
    for name, row in verbs.items():
        if row.group != group:
            group = row.group
            lines += ["", group]
        lines.append(f"   {name:<10} {row.summary}")
    return "\n".join([*lines, "", "See 'git assay help VERB' or 'git assay VERB -h'."])
