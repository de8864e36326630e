"""What is said about a module that nothing declares? One message everywhere, naming the module that was meant."""

from __future__ import annotations

from collections.abc import Iterable

from git_assay.errors import AssayError, ErrorKind
from git_assay.values.text import clean

_NEAR = 0.75  # likeness of two ids; less reads as a guess (`money` for `gone`)


class UnknownModule(AssayError):
    """No card declares the module. where: a phrase, for example ` in either tree`."""

    def __init__(self, name: str, known: Iterable[str], *, where: str = "") -> None:
        from difflib import get_close_matches

        ids = sorted(known)
        # The last word alone is what people remember of `billing.invoice`.
        near = (
            get_close_matches(name, ids, n=1, cutoff=_NEAR)
            or [one for one in ids if one.rpartition(".")[2] == name][:1]
        )
        meant = f" (did you mean '{near[0]}'?)" if near else ""
        super().__init__(f"no module '{clean(name)}'{where}{meant}", hint="git assay module list", kind=ErrorKind.USAGE)
