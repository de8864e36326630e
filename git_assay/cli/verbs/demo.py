"""git assay demo: what does the main job look like, from cards to an open gate?"""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path

import click

from git_assay.cli.demo.stage import set_stage
from git_assay.cli.demo.story import tell
from git_assay.cli.session import Session
from git_assay.errors import AssayError, ErrorKind


@click.command()
@click.option("--directory", type=click.Path(path_type=Path), help="Where to build it; must be empty or new.")
@click.pass_obj
def command(session: Session, directory: Path | None) -> None:
    """Build a small repository and walk through the main job in it.

    Every command is printed before it runs: cards, attest, a change, its radius, what went stale, the gate closed,
    checks and a review, the gate open, a squash merge. The repository is left for you to play with. Your own
    configuration, keys and repositories are neither read nor written.

    \b
    Example:
      git assay demo
    """
    folder = _folder(session.cwd, directory)
    stage = set_stage(folder, session.env, click.echo)
    tell(stage)
    place = shlex.quote(str(stage.repository))
    click.echo(f"\nThe repository is yours to play with:\n  export HOME={shlex.quote(stage.env['HOME'])}\n  cd {place}")


def _folder(cwd: Path, directory: Path | None) -> Path:
    if directory is None:
        return Path(tempfile.mkdtemp(prefix="git-assay-demo-"))
    folder = cwd / directory
    if folder.exists() and any(folder.iterdir()):
        raise AssayError(f"{directory} is not empty", hint="git assay demo", kind=ErrorKind.USAGE)
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()
