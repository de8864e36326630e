"""Is "no distribution declares this" said only where `importlib.metadata` would find none?"""

from __future__ import annotations

import importlib.metadata
import sys
import zipfile
from pathlib import Path

import pytest

from git_assay.syntax.entry_points import may_declare

GROUP = "assay_test.group"
DECLARED = f"[{GROUP}]\nname = module:attribute\n"


def found(group: str = GROUP) -> tuple[bool, bool]:
    """Returns (what the probe says, whether there really is an entry point)."""
    return may_declare(group), bool(importlib.metadata.entry_points(group=group))


@pytest.mark.parametrize("folder", ["toy-1.0.dist-info", "toy.egg-info", "Toy-1.0.DIST-INFO", "toy-1.egg/EGG-INFO"])
def test_every_form_of_metadata_is_seen(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / folder.rpartition("/")[0]
    monkeypatch.syspath_prepend(place)
    assert found() == (False, False)
    metadata = tmp_path / folder
    metadata.mkdir(parents=True)
    name = "METADATA" if folder.lower().endswith("dist-info") else "PKG-INFO"
    (metadata / name).write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(DECLARED)
    importlib.invalidate_caches()
    assert found() == (True, True)


def test_a_relative_place_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, ""])
    (tmp_path / "toy-1.0.dist-info").mkdir()
    (tmp_path / "toy-1.0.dist-info" / "entry_points.txt").write_text(DECLARED)
    assert may_declare(GROUP)


def test_metadata_that_is_a_file_or_lacks_entry_points_declares_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(tmp_path / "not there")
    (tmp_path / "old.egg-info").write_text("Name: old\n")
    (tmp_path / "bare-1.dist-info").mkdir()
    (tmp_path / "other-1.dist-info").mkdir()
    (tmp_path / "other-1.dist-info" / "entry_points.txt").write_text("[console_scripts]\nx = y:z\n")
    assert found() == (False, False)


def test_an_archive_on_the_path_may_declare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "toy.zip", "w") as archive:
        archive.writestr("toy-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
        archive.writestr("toy-1.0.dist-info/entry_points.txt", DECLARED)
    monkeypatch.syspath_prepend(tmp_path / "toy.zip")
    assert found() == (True, True)


def test_a_finder_with_distributions_of_its_own_may_declare(monkeypatch: pytest.MonkeyPatch) -> None:
    class Finder:
        def find_spec(self, *_: object) -> None:
            return None

        def find_distributions(self, *_: object) -> list[object]:
            return []

    assert not may_declare(GROUP)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder()])
    assert may_declare(GROUP)


def test_what_is_installed_here_is_judged_as_importlib_does() -> None:
    groups = {entry.group for found in importlib.metadata.distributions() for entry in found.entry_points}
    assert {group for group in groups if may_declare(group)} == groups != set()
