"""What do the files under `.assay/` say when a repository adopts git assay?"""

from __future__ import annotations

from collections.abc import Iterable

from git_assay.documents.writer import flow_list, scalar
from git_assay.gate.exemptions import Exemption
from git_assay.values.ids import TreePath

RETIRED = "format: assay-retired/1\nretired: []\n"
REVOKED = "# One public key a line, each with a comment: retired YYYYMMDDZ | compromised-since YYYYMMDDZ\n"
ATTRIBUTES = ".assay/** text eol=lf\nassay.yml text eol=lf\n"

_UNSIGNED = """\
    # Advice until somebody can sign: add a line to allowed_signers (git assay key new), then take this out.
    enforce: "no"
"""

# CI, build and lock files of the common hosts and package managers; they change what every check means.
_SHARED = (
    "/.github/**", "/.gitlab-ci.yml", "/.gitlab/**", "/.circleci/**", "/Jenkinsfile", "/azure-pipelines.yml", "/.ci/**",
    "pyproject.toml", "setup.py", "setup.cfg", "MANIFEST.in", "tox.ini", "noxfile.py", "requirements*.txt",
    "package.json", "go.mod", "go.sum", "Cargo.toml", "Makefile", "CMakeLists.txt", "Dockerfile", "*.lock",
    "package-lock.json", "pnpm-lock.yaml", ".pre-commit-config.yaml", ".gitignore", ".gitmodules",
)  # fmt: skip


def config_text(repository: str, extractor: int, *, open_accepted: Iterable[TreePath]) -> str:
    """Returns `config.yml`. open_accepted: files that import by computed names today."""
    lines = ["format: assay-config/1", f"repository: {repository}", f"extractor: {extractor}"]
    accepted = [scalar("/" + _literal(path)) for path in open_accepted]
    if accepted:
        lines += [
            "# Files that import by a computed name: nobody can know what they reach, so nothing is counted for them.",
            "# A file that comes to import like this later widens the cones that contain it; adding it here is a",
            "# change of policy.",
            "open_accepted:",
            *(f"  - {text}" for text in accepted),
        ]
    return "\n".join(lines) + "\n"


def policy_text(maintainer: str, *, signed: bool) -> str:
    """Returns `policy.yml` with rules that one maintainer can satisfy today. signed: whether anybody can sign."""
    unsigned = "" if signed else _UNSIGNED
    return f"""\
format: assay-policy/1
version: 1
roles:
  maintainers: {{class: human, principals: {flow_list([maintainer])}}}
rules:
  - name: what changes is reviewed
    match: all
    when: changed
{unsigned}    require:
      # With a second maintainer, add `not: authors`: then nobody approves their own change.
      - {{kind: review, by: maintainers}}
  - name: what a change reaches is tested
    match: {{labels: [tested]}}
    when: affected
    may_match_nothing: true
    # Advice until a key of CI is in a role of class ci: then say `by: ci` and `enforce: yes`.
    enforce: "no"
    require:
      - {{kind: tests, by: maintainers}}
  - name: CI, build and lock files are reviewed
    match:
      paths:
{chr(10).join(f"        - {scalar(pattern)}" for pattern in _SHARED)}
    when: changed
    may_match_nothing: true
{unsigned}    require:
      - {{kind: review, by: maintainers}}
policy_changes: {{by: maintainers}}
"""


def exemptions_text(exemptions: Iterable[Exemption]) -> str:
    """Returns `exemptions.yml`."""
    lines = ["format: assay-exemptions/1"]
    rows = [
        f"  - {{module: {scalar(each.module)}, requirement: {scalar(each.requirement)}, scope: {each.scope}, "
        f'digest: "{each.digest}", reason: {scalar(each.reason)}, until: {scalar(each.until)}}}'
        for each in exemptions
    ]
    return "\n".join([*lines, "exemptions:", *rows] if rows else [*lines, "exemptions: []"]) + "\n"


def signers_text(principal: str, public_key: str) -> str:
    """Returns a line of `allowed_signers`. public_key: `ssh-ed25519 AAAA...`."""
    return f'{principal} namespaces="git-assay" {public_key}\n'


def _literal(path: TreePath) -> str:
    """Returns a pattern that matches this path alone; bytes that are not UTF-8 become `?`."""
    text = path.decode("utf-8", "replace").replace("\ufffd", "?")
    return "".join("\\" + char if char in "*[\\" else char for char in text)
