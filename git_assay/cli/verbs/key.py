"""git assay key: which key signs, and whose is it?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from git_assay.cli.output import print_json, print_text
from git_assay.cli.session import Session
from git_assay.errors import AssayError

if TYPE_CHECKING:
    from git_assay.signing.public_key import PublicKey


@click.group()
def command() -> None:
    """Make signing keys, list whose keys count, and add one to `.assay/allowed_signers`.

    Any SSH key signs: git assay uses `assay.signingKey`, else `user.signingKey` when `gpg.format` is ssh.

    \b
    Example:
      git assay key new && git assay key add
    """


@command.command("new")
@click.option("--file", "path", type=click.Path(path_type=Path), help="Where to write it.  [default: ~/.ssh/git-assay]")
@click.option("--principal", metavar="NAME", help="Whose it is.  [default: user.email]")
@click.option("--passphrase", is_flag=True, help="Let ssh-keygen ask for a passphrase.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-key/1).")
@click.pass_obj
def new_command(session: Session, path: Path | None, principal: str | None, passphrase: bool, as_json: bool) -> None:
    """Make an ed25519 key, and let this repository sign with it when it has no key yet.

    \b
    Example:
      git assay key new --principal alice@example.com
    """
    from git_assay.cli.keys import default_path, principal_of, refuse_inside_a_repository, signer_line
    from git_assay.signing.keys import new_key, new_key_with_passphrase
    from git_assay.values.text import clean

    place = (session.cwd / (path or default_path(session))).absolute()
    refuse_inside_a_repository(place)
    who = principal_of(session, principal)
    if passphrase:
        key = new_key_with_passphrase(place, comment=who, env=session.env).public_key
    else:
        key = new_key(place, comment=who).public_key
    used = _use(session, place)
    if as_json:
        print_json({"format": "assay-key/1", "file": str(place), **_object(who, key), "configured": used})
        return
    print_text(f"made      {clean(str(place))}  {key.fingerprint}")
    print_text(
        "used      by this repository (assay.signingKey)" if used else f"to use    git config assay.signingKey {place}"
    )
    print_text(f"signer    {signer_line(who, key)}")
    print_text("next      git assay key add, and commit .assay/allowed_signers")


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-keys/1).")
@click.pass_obj
def list_command(session: Session, as_json: bool) -> None:
    """List the keys whose records count: those of the target branch's tip.

    \b
    Example:
      git assay key list
    """
    from git_assay.cli.context import keyring_of
    from git_assay.cli.judging import trusted_snapshot
    from git_assay.cli.naming import named
    from git_assay.values.text import clean

    repository = session.repository()
    with named(session, "HEAD"):
        keyring = keyring_of(session, trusted_snapshot(session, repository.snapshot_of(repository.head_commit())))
    own = _own_key(session)
    rows = [
        {**_object(", ".join(line.principals), line.key), "revoked": keyring.revoked.why_revoked(line.key),
         "own": line.key == own}
        for line in keyring.signers.lines
    ]  # fmt: skip
    problems = [str(problem) for problem in (*keyring.signers.problems, *keyring.revoked.problems)]
    if as_json:
        print_json({"format": "assay-keys/1", "keys": rows, "problems": problems})
        return
    for row in rows:
        mark = "*" if row["own"] else " "
        state = f"  does not count: {clean(str(row['revoked']))}" if row["revoked"] else ""
        print_text(f"{mark} {clean(str(row['principal']))}  {row['fingerprint']}  log {row['log']}{state}")
    for problem in problems:
        print_text(f"! {clean(problem)}")


@command.command("add")
@click.argument("principal", required=False)
@click.option("--key", "path", type=click.Path(path_type=Path), help="A public key file.  [default: your own key]")
@click.pass_obj
def add_command(session: Session, principal: str | None, path: Path | None) -> None:
    """Add a key to `.assay/allowed_signers` of the working directory; commits nothing.

    The line counts once it is on the target branch, where changing it needs what the policy asks of `.assay`.

    \b
    Example:
      git assay key add bob@example.com --key bob.pub
    """
    from git_assay.cli.context import signer_of
    from git_assay.cli.keys import principal_of, signer_line
    from git_assay.signing.allowed_signers import PATH, parse_allowed_signers
    from git_assay.values.text import clean

    top = session.repository().top
    target = top / PATH
    if not target.parent.is_dir():
        raise AssayError("this repository has no .assay/", hint="git assay init")
    key = _read_public(session.cwd / path) if path is not None else signer_of(session).public_key
    who = principal_of(session, principal)
    data = target.read_bytes() if target.exists() else b""
    if who in parse_allowed_signers(data).principals_of(key):
        print_text(f"{clean(who)} is listed with {key.fingerprint} already")
        return
    ending = b"\n" if data and not data.endswith(b"\n") else b""
    target.write_bytes(data + ending + signer_line(who, key).encode() + b"\n")
    print_text(f"added     {clean(who)}  {key.fingerprint}\nnext      git add {PATH} && git commit")


def _object(principal: str, key: PublicKey) -> dict[str, object]:
    return {"principal": principal, "type": key.type, "fingerprint": key.fingerprint, "log": key.log, "key": key.text}


def _use(session: Session, place: Path) -> bool:
    """Sets assay.signingKey where there is a repository that has none. Returns whether it did."""
    from git_assay.git import config

    try:
        repository = session.repository()
    except AssayError:  # a key may be made anywhere
        return False
    if config.get(repository, "assay.signingKey") is not None:
        return False
    config.set_local(repository, "assay.signingKey", str(place))
    return True


def _own_key(session: Session) -> PublicKey | None:
    from git_assay.cli.context import signer_of

    try:
        return signer_of(session).public_key
    except AssayError:  # whoever only reads needs no key
        return None


def _read_public(path: Path) -> PublicKey:
    from git_assay.signing.public_key import parse_public_key
    from git_assay.signing.wire import MalformedBlobError

    try:
        return parse_public_key(path.read_text(encoding="utf-8", errors="replace").strip())
    except OSError as error:
        raise AssayError(f"cannot read {path}: {error.strerror}") from error
    except MalformedBlobError as error:
        raise AssayError(f"{path}: {error.message}", hint="ssh-keygen -y -f PRIVATE > KEY.pub") from error
