"""What does the demo tell? The main job, end to end: each step says why, shows the command, and runs it."""

from __future__ import annotations

import secrets
from pathlib import Path

from git_assay.cli.demo import project
from git_assay.cli.demo.stage import Stage


def tell(stage: Stage) -> None:
    """Plays the whole story on an empty stage. Raises AssayError when a step does not go as told."""
    _keys(stage)
    _adopt(stage)
    _attest(stage)
    _change(stage)
    _gate(stage)
    _land(stage)


def _keys(stage: Stage) -> None:
    stage.show("# Two people, each with an SSH key that signs what they witness.")
    for person in ("alice", "bob"):
        whose = ["--principal", f"{person}@example.com"]
        stage.run(["git", "assay", "key", "new", *whose, "--file", str(stage.key(person))], person=person)


def _adopt(stage: Stage) -> None:
    stage.show("\n# A small project. Each module has a card beside its code: who answers for it, how it is checked.")
    for name, text in project.FILES.items():
        _write(stage.repository / name, text)
    folder = stage.repository / ".assay"
    _write(folder / "config.yml", project.CONFIG.format(repository=secrets.token_hex(16)))
    _write(folder / "policy.yml", project.POLICY)
    _write(folder / "exemptions.yml", "format: assay-exemptions/1\nexemptions: []\n")
    _write(folder / "retired.yml", "format: assay-retired/1\nretired: []\n")
    _write(folder / "revoked_keys", "# one public key a line, with: retired YYYYMMDDZ | compromised-since YYYYMMDDZ\n")
    _write(folder / "allowed_signers", "".join(_signer_line(stage, person) for person in ("alice", "bob")))
    stage.run(["git", "init", "-q"])
    stage.run(["cat", "shop/invoice/assay.yml"])
    stage.run(["git", "add", "-A"])
    stage.run(["git", "commit", "-q", "-m", "A shop with four modules"])
    stage.run(["git", "assay", "check"])
    stage.run(["git", "assay", "cone", "invoice"])


def _attest(stage: Stage) -> None:
    stage.show("\n# Run the checks of all modules, and sign what happened. The claims are git notes.")
    stage.run(["git", "assay", "attest", "--all"])
    stage.run(["git", "assay", "status"])


def _change(stage: Stage) -> None:
    stage.show("\n# On a branch, Alice changes how money is rounded, three imports away from the invoice.")
    stage.run(["git", "switch", "-q", "-c", "rounding"])
    _write(stage.repository / "shop/money/__init__.py", project.MONEY_AFTER)
    stage.run(["git", "diff", "--stat"])
    stage.run(["git", "commit", "-q", "-a", "-m", "Round half up below zero too"])
    stage.show("\n# What does that reach, through which imports, and what goes stale?")
    stage.run(["git", "assay", "radius", "main..HEAD"])
    stage.run(["git", "assay", "status"])


def _gate(stage: Stage) -> None:
    stage.show("\n# May it land? The policy of main decides, not the branch.")
    stage.run(["git", "assay", "gate"], expect=1)
    stage.show("\n# Checks run again for what the change reaches, and nothing else.")
    stage.run(["git", "assay", "attest", "--affected", "main..HEAD"])
    stage.show("\n# Somebody else looks at it.")
    words = ["--approve", "--yes", "-m", "floor is right below zero"]
    stage.run(["git", "assay", "review", "main..HEAD", *words], person="bob")
    stage.run(["git", "assay", "gate"])


def _land(stage: Stage) -> None:
    stage.show("\n# Squashed onto main: another commit, the same content. The evidence still holds.")
    stage.run(["git", "switch", "-q", "main"])
    stage.run(["git", "merge", "-q", "--squash", "rounding"])
    stage.run(["git", "commit", "-q", "-m", "Round half up below zero too (#1)"])
    stage.run(["git", "assay", "status"])
    stage.show("\n# And anybody can read it.")
    stage.run(["git", "assay", "log", "--refresh", "-n", "3"])
    stage.run(["git", "log", "--notes=assay", "--format=%h %an: %s%n%n%N", "-1", "rounding"])
    stage.run(["git", "log", "--notes=assay", "--format=%h %an: %s%n%n%N", "-1", "main"])


def _signer_line(stage: Stage, person: str) -> str:
    public = stage.key(person).with_suffix(".pub").read_text(encoding="utf-8").split()
    return f'{person}@example.com namespaces="git-assay" {public[0]} {public[1]}\n'


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
