"""How are SSH wire strings and numbers read and written, strictly?

**Source:** RFC 4251 §5 (string, mpint), RFC 4253 §6.6.
"""

from __future__ import annotations

from git_assay.errors import AssayError


class MalformedBlobError(AssayError):
    """Bytes are not the SSH structure they should be."""


class WireReader:
    """Reads SSH wire fields from the front of a blob; every length is checked against what is left."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, size: int, what: str) -> bytes:
        """Returns the next `size` bytes. Raises MalformedBlobError when fewer are left."""
        end = self._at + size
        if end > len(self._data):
            raise MalformedBlobError(f"{what} is cut short")
        piece = self._data[self._at : end]
        self._at = end
        return piece

    def uint32(self, what: str) -> int:
        """Returns the next big-endian 32-bit number."""
        return int.from_bytes(self.take(4, what), "big")

    def string(self, what: str) -> bytes:
        """Returns the next length-prefixed string."""
        return self.take(self.uint32(what), what)

    def name(self, what: str) -> str:
        """Returns the next string as ASCII text."""
        raw = self.string(what)
        if not raw.isascii():
            raise MalformedBlobError(f"{what} is not ASCII")
        return raw.decode("ascii")

    def positive(self, what: str) -> int:
        """Returns the next mpint. Raises MalformedBlobError unless it is positive and minimally written."""
        raw = self.string(what)
        if not raw or raw[0] & 0x80 or not any(raw):
            raise MalformedBlobError(f"{what} is not a positive number")
        if raw[0] == 0 and not raw[1] & 0x80:
            raise MalformedBlobError(f"{what} has needless leading zeros")
        return int.from_bytes(raw, "big")

    def remaining(self) -> bytes:
        """Returns everything that is left."""
        return self.take(len(self._data) - self._at, "rest")

    def end(self, what: str) -> None:
        """Raises MalformedBlobError when bytes are left."""
        if self._at != len(self._data):
            raise MalformedBlobError(f"{what} has {len(self._data) - self._at} trailing bytes")


def wire_string(data: bytes) -> bytes:
    """Returns `data` with its 32-bit length in front."""
    return len(data).to_bytes(4, "big") + data


def wire_mpint(number: int) -> bytes:
    """Returns a non-negative number as an mpint string."""
    return wire_string(number.to_bytes(number.bit_length() // 8 + 1, "big") if number else b"")
