"""Does the main job hold on real code? Three releases of a package become three commits; the tool lives through them.

    python benchmarks/real_history.py Django 5.2.6 5.2.7 5.2.8 --modules django.utils django.http \\
        --file datastructures=django/utils/datastructures.py
    python benchmarks/real_history.py sympy 1.13.1 1.13.2 1.13.3 --modules sympy.core sympy.parsing \\
        --file enumerative=sympy/utilities/enumerative.py

Source releases are downloaded by name (`--sources DIR` takes unpacked ones instead). The repository is adopted with
`init`, the named modules (and the single files that `--file` makes modules of) get a check and are attested; for each
later release: the radius, what went stale and why, what stayed fresh, the gate closed, then open after attesting and
reviewing again. Prints the transcript; `--lines N` cuts each answer.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

CHECK = """\
checks:
  - name: parses
    kind: tests
    run: python3 -c "import ast, pathlib; [ast.parse(p.read_bytes()) for p in pathlib.Path().glob('{where}')]"
    timeout: 300
    inputs: []
"""


class Scene:
    """A scratch repository, its own HOME, and the transcript."""

    def __init__(self, folder: Path, lines: int) -> None:
        self.repository = folder / "repository"
        self.home = folder / "home"
        self.lines = lines
        self.home.mkdir(parents=True)
        self.repository.mkdir()
        (self.home / ".gitconfig").write_text(
            "[user]\n\tname = Alice\n\temail = alice@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n"
        )
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SSH_"))}
        self.env = kept | {
            "HOME": str(self.home),
            "GIT_CONFIG_GLOBAL": str(self.home / ".gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "NO_COLOR": "1",
        }

    def run(self, *command: str, expect: int = 0, show: bool = True) -> str:
        """Runs a command, prints it and the head of its answer with the time it took; a wrong exit code ends it all."""
        argv = [sys.executable, "-m", "git_assay", *command[2:]] if command[:2] == ("git", "assay") else list(command)
        began = time.perf_counter()
        done = subprocess.run(argv, cwd=self.repository, env=self.env, capture_output=True, text=True, check=False)
        took = time.perf_counter() - began
        if show:
            self._show(command, done.stdout + done.stderr, took)
        if done.returncode != expect:
            print(done.stdout, done.stderr, f"exit code {done.returncode}, expected {expect}", sep="\n")
            raise SystemExit(1)
        return done.stdout

    def _show(self, command: tuple[str, ...], answer: str, took: float) -> None:
        print(f"\n$ {shlex.join(command)}")
        lines = answer.splitlines()
        for line in lines[: self.lines]:
            print(f"  {line}")
        if len(lines) > self.lines:
            print(f"  … {len(lines) - self.lines} more lines")
        print(f"  [{took:.2f} s]")

    def replace_code(self, source: Path) -> None:
        """Makes the work tree hold exactly `source`, but keeps `.assay/`, `.gitattributes` and the cards."""
        cards = {path.relative_to(self.repository): path.read_bytes() for path in self._kept()}
        for path in self.repository.iterdir():
            if path.name != ".git":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(source, self.repository, dirs_exist_ok=True, symlinks=True)
        for place, data in cards.items():
            (self.repository / place).parent.mkdir(parents=True, exist_ok=True)
            (self.repository / place).write_bytes(data)

    def _kept(self) -> list[Path]:
        found = [*self.repository.rglob("assay.yml"), *(self.repository / ".assay").rglob("*")]
        found += [self.repository / ".gitattributes"]
        return [path for path in found if path.is_file() and ".git" not in path.parts]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package")
    parser.add_argument("versions", nargs=3)
    parser.add_argument("--modules", nargs="+", required=True)
    parser.add_argument("--file", nargs="*", default=[], metavar="ID=PATH", help="make a module of one file")
    parser.add_argument("--sources", type=Path, help="directory with unpacked NAME-VERSION folders")
    parser.add_argument("--lines", type=int, default=24)
    options = parser.parse_args()
    options.single = dict(word.split("=", 1) for word in options.file)
    options.chosen = [*options.modules, *options.single]
    with tempfile.TemporaryDirectory() as scratch:
        sources = [_source(options, version, Path(scratch)) for version in options.versions]
        play(Scene(Path(scratch) / "scene", options.lines), options, sources)


def play(scene: Scene, options: argparse.Namespace, sources: list[Path]) -> None:
    """Adopts the first release, then lives through the other two."""
    _adopt(scene, options, sources[0])
    for version, source in zip(options.versions[1:], sources[1:], strict=True):
        print(f"\n## {options.package} {version}")
        scene.run("git", "switch", "-q", "-c", f"release-{version}", show=False)
        scene.replace_code(source)
        scene.run("git", "add", "-A", "-f", show=False)
        scene.run("git", "commit", "-q", "-m", f"{options.package} {version}", show=False)
        scene.run("git", "assay", "radius", "main..HEAD")
        scene.run("git", "assay", "status", *options.chosen)
        scene.run("git", "assay", "gate", expect=1)
        scene.run("git", "assay", "attest", *options.chosen)
        scene.run("git", "assay", "review", "main..HEAD", "--approve", "--yes", "-m", "release notes read")
        scene.run("git", "assay", "gate")
        scene.run("git", "switch", "-q", "main", show=False)
        scene.run("git", "merge", "-q", "--squash", f"release-{version}")
        scene.run("git", "commit", "-q", "-m", f"{options.package} {version} (squashed)")
        scene.run("git", "assay", "status", *options.chosen)


def _adopt(scene: Scene, options: argparse.Namespace, source: Path) -> None:
    print(f"## {options.package} {options.versions[0]}")
    scene.run("git", "init", "-q", show=False)
    scene.replace_code(source)
    scene.run("git", "add", "-A", "-f", show=False)
    scene.run("git", "commit", "-q", "-m", f"{options.package} {options.versions[0]}", show=False)
    scene.run("git", "assay", "init", "--yes")
    _enforce_tests(scene)
    for module in options.modules:
        _add_check(scene, module)
    for module, path in options.single.items():
        _add_single(scene, module, path)
    scene.run("git", "add", "-A", "-f", show=False)
    scene.run("git", "commit", "-q", "-m", "Adopt git assay", show=False)
    scene.run("git", "assay", "check")
    scene.run("git", "assay", "attest", *options.chosen)
    scene.run("git", "assay", "status", *options.chosen)


def _add_check(scene: Scene, module: str) -> None:
    card = scene.repository / module.replace(".", "/") / "assay.yml"
    text = card.read_text(encoding="utf-8")
    head, _, _ = text.partition("labels:" if "labels:" in text else "checks:")
    card.write_text(
        head + "labels: [chosen]\n" + CHECK.format(where=module.replace(".", "/") + "/**/*.py"), encoding="utf-8"
    )


def _add_single(scene: Scene, module: str, path: str) -> None:
    directory, _, name = path.rpartition("/")
    goal = f"Hold {path}, which imports nothing of the package."
    scene.run("git", "assay", "module", "new", module, "--goal", goal, "--path", directory, "--owns", name)
    card = scene.repository / directory / "assay.yml"
    with card.open("a", encoding="utf-8") as file:
        file.write("labels: [chosen]\n" + CHECK.format(where=path))


def _enforce_tests(scene: Scene) -> None:
    """Makes the proposed rule about tests more than advice, and about the named modules only."""
    policy = scene.repository / ".assay" / "policy.yml"
    policy.write_text(policy.read_text().replace('enforce: "no"', "enforce: yes").replace("[tested]", "[chosen]"))


def _source(options: argparse.Namespace, version: str, scratch: Path) -> Path:
    name = f"{options.package.lower()}-{version}"
    if options.sources:
        return options.sources / name
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:"]
    subprocess.run([*command, f"{options.package}=={version}", "-d", str(scratch)], check=True)
    with tarfile.open(scratch / f"{name}.tar.gz") as archive:
        archive.extractall(scratch, filter="data")
    return scratch / name


if __name__ == "__main__":
    main()
