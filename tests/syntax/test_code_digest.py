"""Is the code digest sound (equal digests are equal programs) and useful (formatting does not change it)?"""

from __future__ import annotations

import ast
import random
import re
import sys
import sysconfig
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_assay.syntax.code_digest import code_digest, python_definitions, python_parts
from git_assay.values.canonical import digest_bytes

STDLIB = Path(sysconfig.get_path("stdlib"))
CORPUS = sorted(STDLIB.glob("*.py"))[:60]

SAME = [
    ("x = (1)\n", "x = 1\n"),
    ("x = (1, 2)\n", "x = 1, 2\n"),
    ("x = f(a, b,)\n", "x = f(\n    a,\n    b,\n)  # why\n"),
    ("(x,) = y\n", "x, = y\n"),
    ("x = 'a\\'b'\n", 'x = "a\'b"\n'),
    ("x = 'a' 'b'\n", "x = 'ab'\n"),
    ("x = f'{a}' 'b{'\n", "x = f'{a}b{{'\n"),
    ("if (a and\n    b):\n  c\n", "if a and b:\n        c\n"),
    ("if a: b; c\n", "if a:\n    b\n    c\n"),
    ("from a import (b, c,)\n", "from a import b, c\n"),
    ("for (a, b) in (c, d): pass\n", "for a, b in c, d:\n    pass\n"),
    ("x = 0XFF + 1E5 + .5\n", "x = 0xff + 1e5 + 0.5\n"),
    ("class A(): pass\n", "class A:\n    pass\n"),
    ("with (a as b, c as d,): pass\n", "with a as b, c as d: pass\n"),
    ("assert a, (\n  'm'\n)\n", "assert a, 'm'\n"),
    ("def f() -> (int): pass\n", "def f() -> int: pass\n"),
    ("x = 1\r\ny = 2\r\n", "x = 1\ny = 2"),
    ("\ufeffx = 1\n", "x = 1\n"),
    ("a; b;\n", "a\nb\n"),
    ("with (a, b,): pass\n", "with a, b: pass\n"),
    ("x = f(lambda a: (b + c), d)\n", "x = f(lambda a: b + c, d)\n"),
    ("x = lambda: (\n  not a\n)\n", "x = lambda: not a\n"),
    ("x = {a: (b if c else d)}\n", "x = {a: b if c else d}\n"),
    ("async def f():\n  await (a.b(c)[d])\n", "async def f():\n  await a.b(c)[d]\n"),
    ("def f():\n  yield (a, b)\n", "def f():\n  yield a, b\n"),
    ("x = type(a, b,)\n", "x = type(a, b)\n"),
    ("x = re.match(a,)\n", "x = re.match(a)\n"),
    ("exec(a, b,)\n", "exec(a, b)\n"),
    ("x = f\"{a['b']}\" 'c'\n", "x = f'{a[\"b\"]}c'\n") if sys.version_info >= (3, 12) else ("a\n", "a"),
]
DIFFERENT = [
    ("x = (1,)\n", "x = 1\n"),
    ("f((a, b))\n", "f(a, b)\n"),
    ("print((a, b))\n", "print(a, b)\n"),
    ("x[a,]\n", "x[a]\n"),
    ("del (a, b)\n", "del a, b\n"),
    ("(a): int = 1\n", "a: int = 1\n"),
    ("x = u'a'\n", "x = 'a'\n"),
    ("x = b'a'\n", "x = 'a'\n"),
    ("x = '\\1' '2'\n", "x = '\\12'\n"),
    ("x = r'\\n'\n", "x = '\\n'\n"),
    ("if a: b\nc\n", "if a: b; c\n"),
    ("if a:\n  b\nc\n", "if a:\n  b\n  c\n"),
    ("x = f'{a=}'\n", "x = f'{a}'\n"),
    ("x = f'{ a= }'\n", "x = f'{a=}'\n"),
    ("x = 1  # type: int\n", "x = 1  # type: str\n"),
    ("(a + b) * c\n", "a + b * c\n"),
    ("x = (yield)\n", "x = ()\n"),
    ("f((a for a in b), c)\n", "f(((a for a in b), c))\n"),
    ("'''a\n  b'''\n", "'''a\nb'''\n"),
    ("match (x,):\n case 1: a\n", "match (x):\n case 1: a\n"),
    ("1..real\n", "1..Real\n"),
    ("x = lambda: (a, b)\n", "x = lambda: a, b\n"),
    ("x = {a: (b, c)}\n", "x = {a: b, c}\n"),
    ("x = f(lambda: (yield))\n", "x = f(lambda: ())\n"),
    ("async def f():\n  await (a + b)\n", "async def f():\n  await a + b\n"),
    ("x = f'{a[\"b\"]=}'\n", "x = f\"{a['b']=}\"\n"),
    ("x = f'{a:\"^9\"}'\n", "x = f\"{a:'^9'}\"\n"),
    ("assert (a, b)\n", "assert a, b\n"),
    ("x = (a) if b else (c, d)\n", "x = a if b else c, d\n"),
    ("x = y = (a)\nb\n", "x = y = (a, b)\n"),
]


def dumped(data: bytes) -> str | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.dump(ast.parse(data))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


@pytest.mark.parametrize(("one", "other"), SAME)
def test_formatting_keeps_the_code_digest(one: str, other: str) -> None:
    assert dumped(one.encode()) == dumped(other.encode())
    assert code_digest(one.encode()) == code_digest(other.encode())


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_another_program_has_another_code_digest(one: str, other: str) -> None:
    assert code_digest(one.encode()) != code_digest(other.encode())


TOKEN = re.compile(rb"\w+|\s+|[^\w\s]")
NOISE = [b"(", b")", b",", b" ", b"\n", b";", b":", b"'", b'"', b"#", b"\\", b"", b"(a)", b",)", b"in", b"lambda x:"]


def test_mutated_files_with_equal_digests_are_equal_programs() -> None:
    chance = random.Random(7)
    compared = 0
    for path in CORPUS:
        data = path.read_bytes()
        if len(data) > 40_000:
            continue
        by_digest = {code_digest(data): dumped(data)}
        tokens = TOKEN.findall(data)
        for _ in range(6):
            place = chance.randrange(len(tokens))
            mutated = b"".join([*tokens[:place], chance.choice(NOISE), *tokens[place + chance.randrange(2) :]])
            program = dumped(mutated)
            if program is None:
                continue
            compared += 1
            assert by_digest.setdefault(code_digest(mutated), program) == program
    assert compared > 20


FRAGMENTS = st.sampled_from(
    [
        "a",
        "b",
        "(",
        ")",
        "[",
        "]",
        ",",
        "=",
        ":",
        ";",
        "\n",
        "if",
        "for",
        "in",
        "lambda",
        "return",
        "'x'",
        '"y"',
        "f'{a}'",
        "1",
        ".5",
        "+",
        "*",
        "as",
        "with",
        "assert",
        "del",
        "yield",
        "not",
        " ",
        "\n ",
        "\n",
    ]
)


@given(st.lists(FRAGMENTS, max_size=14), st.data())
def test_small_programs_with_equal_digests_are_equal(parts: list[str], data: st.DataObject) -> None:
    one = " ".join(parts).encode()
    place = data.draw(st.integers(0, max(0, len(parts) - 1)))
    other = " ".join([*parts[:place], data.draw(FRAGMENTS), *parts[place + 1 :]]).encode()
    without = " ".join(part for part in parts if part not in "()").encode()
    for changed in (other, without):
        if code_digest(one) == code_digest(changed):
            first, second = dumped(one), dumped(changed)
            assert first is None or second is None or first == second


@given(st.binary(max_size=80))
def test_any_bytes_have_definitions_and_a_code_digest(data: bytes) -> None:
    facts = python_definitions(data)
    assert facts.code == digest_bytes(data) if facts.broken else len(facts.code) == 64


def test_comment_in_a_symbol_changes_its_exact_digest_only() -> None:
    one = b"class A:\n    def f(self):\n        return (1)\n\ndef g():\n    pass\n"
    other = b"class A:\n    def f(self):  # why\n        return 1\n\ndef g():\n    pass\n"
    parts, rest = python_parts(one, ["A.f", "missing"])
    changed, same = python_parts(other, ["A.f"])
    assert set(parts) == {"A.f"}
    assert parts["A.f"].exact != changed["A.f"].exact
    assert parts["A.f"].code == changed["A.f"].code
    assert rest == same


def test_change_outside_a_symbol_changes_the_rest_only() -> None:
    one = b"def f():\n    pass\nx = 1\n"
    parts, rest = python_parts(one, ["f"])
    changed, other = python_parts(one.replace(b"1", b"2"), ["f"])
    assert parts == changed
    assert rest.code != other.code
