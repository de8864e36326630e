"""Does any installed distribution declare an entry point of a group? Answered without `importlib.metadata`.

Importing that module and asking it reads every distribution and costs more than all else that a warm command does to
find its languages; most installations have none. So the question errs towards yes: "no" is certain, "yes" means that
`importlib.metadata` must be asked.
**Source:** Python packaging user guide, "Entry points specification" and "Recording installed projects".
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder

# Directories with the metadata of a distribution: wheels, setuptools' develop installs, and unpacked eggs.
_METADATA = (".dist-info", ".egg-info")
_OF_AN_EGG = "egg-info"


def may_declare(group: str) -> bool:
    """Returns False when no distribution on `sys.path` declares an entry point of `group`."""
    if any(_finds_distributions(finder) for finder in sys.meta_path):
        return True
    word = group.encode()
    return any(_place_may(os.path.abspath(place or os.curdir), word) for place in sys.path)


def _finds_distributions(finder: object) -> bool:
    """Whether a finder knows distributions that need not lie on the path."""
    return finder is not PathFinder and hasattr(finder, "find_distributions")


def _place_may(place: str, word: bytes) -> bool:
    """Whether one entry of the path may: a directory is looked through, of an archive nothing is known."""
    try:
        names = os.listdir(place)
    except NotADirectoryError:
        return True
    except OSError:
        return False  # what cannot be listed holds no distribution for `importlib.metadata` either
    return any(_mentions(os.path.join(place, name, "entry_points.txt"), word) for name in names if _is_metadata(name))


def _is_metadata(name: str) -> bool:
    lowered = name.lower()
    return lowered.endswith(_METADATA) or lowered == _OF_AN_EGG


def _mentions(path: str, word: bytes) -> bool:
    try:
        with open(path, "rb") as file:
            return word in file.read()
    except (FileNotFoundError, NotADirectoryError):
        return False  # no entry points, or an old egg-info that is one file
    except OSError:
        return True
