"""git assay init: what would this repository need to adopt git assay, and shall it be written?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from git_assay.cli.output import print_json, print_text
from git_assay.cli.session import Session
from git_assay.errors import AssayError, ErrorKind

if TYPE_CHECKING:
    from git_assay.cli.adopting import Key


_NO_KEY = "none: nobody can sign, so the rules are advice until a line stands in .assay/allowed_signers"


@click.command()
@click.option("--yes", "-y", is_flag=True, help="Write without asking.")
@click.option("--dry-run", "-n", is_flag=True, help="Show the plan and write nothing.")
@click.option("--principal", metavar="NAME", help="Who you are in allowed_signers (default: git's user.email).")
@click.option("--no-key", is_flag=True, help="Neither look for a signing key nor make one.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as one JSON document (assay-init/1).")
@click.pass_obj
def command(session: Session, *, yes: bool, dry_run: bool, principal: str | None, no_key: bool, as_json: bool) -> None:
    """Propose a card for each package, config, policy, and exemptions for all that exists; ask; write new files.

    Nothing is overwritten, staged or committed. Without a signing key one is made at ~/.ssh/git-assay. The fetch of
    each remote is told to bring evidence along.

    \b
    Example:
      git assay init
      git assay init --yes
    """
    from git_assay.adopt.propose import with_key
    from git_assay.cli import adopting
    from git_assay.cli.keys import principal_of
    from git_assay.cli.tracking import track_evidence
    from git_assay.report.init import plan_document, plan_text

    key = adopting.Key(None, None) if no_key else adopting.find_key(session)
    proposal = adopting.work_out(session, principal=principal, public_key=key.public)
    words = _key_words(key)
    if as_json:
        print_json(plan_document(proposal, key=words))
    else:
        print_text(plan_text(proposal, key=words))
    if dry_run:
        return
    adopting.require_room(session, proposal)  # before a key is made
    if not yes:
        _ask()
    if key.file is not None:
        who = principal_of(session, principal)
        proposal = with_key(proposal, who, _with_key(session, key, key.file, who))
    adopting.write_files(session, proposal)
    remotes = track_evidence(session)
    if not as_json:
        tracked = f"; fetch brings evidence of {', '.join(remotes)}" if remotes else ""
        print_text(f"\nwrote {len(proposal.files)} files{tracked}")
        print_text("next: git add -A && git commit -m 'Adopt git assay'\n      git assay check\n      git assay status")


def _ask() -> None:
    if not sys.stdin.isatty():
        raise AssayError("there is no terminal to ask at", hint="git assay init --yes", kind=ErrorKind.USAGE)
    click.confirm("Write these files?", abort=True, err=True)


def _key_words(key: Key) -> str:
    if key.file is not None:
        return f"{'use' if key.public else 'make'} {key.file}"
    return "the one that git config names" if key.public else _NO_KEY


def _with_key(session: Session, key: Key, file: Path, who: str) -> str:
    """Makes the key where there is none and lets the repository use it; returns its public half."""
    from git_assay.git import config
    from git_assay.signing.keys import new_key

    public = key.public or new_key(file, comment=who).public_key.text
    config.set_local(session.repository(), "assay.signingKey", str(file))
    return public
