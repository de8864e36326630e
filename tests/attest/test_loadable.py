"""Which stray files could change what a check runs?"""

from __future__ import annotations

from pathlib import Path

import pytest

from git_assay.attest.loadable import loadable_test
from git_assay.values.ids import TreePath


@pytest.mark.parametrize(
    "path",
    [
        b"a.py",
        b"pkg/sub/b.pyi",
        b"x.so",
        b"pkg/c.cpython-311-x86_64-linux-gnu.so",
        b"old.pyc",
        b"evil.pth",
        b"conftest.py",
    ],
)
def test_what_an_interpreter_loads_is_loadable(tmp_path: Path, path: bytes) -> None:
    assert loadable_test((b".py", b".pyi"), (b"",), tmp_path)(TreePath(path))


@pytest.mark.parametrize("path", [b"notes.txt", b"data.json", b"__pycache__/a.cpython-311.pyc", b"p/__pycache__/a.pyc"])
def test_what_is_never_loaded_is_not(tmp_path: Path, path: bytes) -> None:
    assert not loadable_test((b".py",), (b"",), tmp_path)(TreePath(path))


@pytest.mark.parametrize("path", [b"pytest.ini", b"pkg/setup.cfg", b"tox.ini", b"pyproject.toml"])
def test_a_stray_file_that_steers_the_runner_is_loadable(tmp_path: Path, path: bytes) -> None:
    assert loadable_test((b".py",), (b"",), tmp_path)(TreePath(path))


def test_only_files_under_a_root_count(tmp_path: Path) -> None:
    loadable = loadable_test((b".py",), (b"src",), tmp_path)
    assert loadable(TreePath(b"src/a.py"))
    assert not loadable(TreePath(b"srcs/a.py"))
    assert not loadable(TreePath(b"scratch/a.py"))


def test_a_virtual_environment_is_left_out_and_a_pretended_one_is_not(tmp_path: Path) -> None:
    real, pretended = tmp_path / ".venv", tmp_path / "fake"
    (real / "bin").mkdir(parents=True)
    (real / "bin" / "python").touch()
    pretended.mkdir()
    for place in (real, pretended):
        (place / "pyvenv.cfg").touch()
    loadable = loadable_test((b".py",), (b"",), tmp_path)
    assert not loadable(TreePath(b".venv/lib/python3.11/site-packages/six.py"))
    assert loadable(TreePath(b"fake/six.py"))
