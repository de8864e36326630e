"""Which parts of a text look like secrets, and how are they hidden before the text is signed?

Only common token forms are known; it is a safety net, not a promise. The number of masks is recorded with the text.
"""

from __future__ import annotations

import re

_MASK = "[masked]"
# Published token prefixes, and name=value forms whose name says that the value is secret.
_TOKENS = re.compile(
    r"""
      gh[pousr]_[A-Za-z0-9]{20,} | github_pat_[A-Za-z0-9_]{20,} | glpat-[A-Za-z0-9_-]{16,}
    | (?:AKIA|ASIA)[0-9A-Z]{16} | xox[abeoprs]-[A-Za-z0-9-]{10,} | AIza[0-9A-Za-z_-]{35}
    | sk-(?:[a-z]+-)*[A-Za-z0-9_-]{20,} | npm_[A-Za-z0-9]{30,} | pypi-[A-Za-z0-9_-]{30,}
    | eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}
    | -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----[\s\S]*?(?:-----END\ [A-Z ]*PRIVATE\ KEY-----|\Z)
    """,
    re.VERBOSE,
)
_URL_PASSWORD = re.compile(r"(?<=://)([^/\s:@]*:)(?!\[masked\])[^/\s@]+(?=@)")
_NAMED = re.compile(
    r"""(?ix) (\b[a-z0-9_-]* (?:password|passwd|secret|token|api[_-]?key|access[_-]?key) \s*[=:]\s*)
    ("[^"]+" | '[^']+' | [^\s"']+)"""
)
_BEARER = re.compile(r"(?i)(\bauthorization:\s*(?:bearer|basic)\s+)(?!\[masked\])[^\s\"']+")


def mask(text: str) -> tuple[str, int]:
    """Returns the text without what looks like a secret, and how many were masked."""
    text, tokens = _TOKENS.subn(_MASK, text)
    text, bearers = _BEARER.subn(rf"\1{_MASK}", text)
    text, passwords = _URL_PASSWORD.subn(rf"\1{_MASK}", text)
    named = 0

    def hide(match: re.Match[str]) -> str:
        nonlocal named
        if match[2].strip("\"'").startswith((_MASK, "$")):  # already hidden, or only the name of a variable
            return match[0]
        named += 1
        return match[1] + _MASK

    return _NAMED.sub(hide, text), tokens + bearers + passwords + named
