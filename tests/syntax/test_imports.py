"""What does a Python blob import, and can a dependency be hidden from us?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_assay.syntax.code_digest import python_definitions
from git_assay.syntax.facts import DefinitionKind, ImportKind
from git_assay.syntax.imports import python_imports


def found(source: str | bytes) -> list[tuple[str, tuple[str, ...], str]]:
    data = source.encode() if isinstance(source, str) else source
    facts = python_imports(data)
    return [
        (item.specifier, item.names, item.kind.value) for item in facts.imports if item.kind is not ImportKind.ASSET
    ]


def test_statements_are_read_with_names_aliases_and_dots() -> None:
    source = "import a.b as c, d\nfrom . import (x as y, # why\n z)\nfrom .. a import *\nimport e . \\\n f\n"
    assert found(source) == [
        ("a.b", (), "load"),
        ("d", (), "load"),
        (".", ("x", "z"), "load"),
        ("..a", ("*",), "load"),
        ("e.f", (), "load"),
    ]


@pytest.mark.parametrize(
    ("head", "kinds"),
    [
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:", ["type", "conditional"]),
        ("from typing import TYPE_CHECKING as T\nif T and x:", ["type", "conditional"]),
        ("import typing as t\nif t.TYPE_CHECKING:", ["type", "conditional"]),
        ("from typing import TYPE_CHECKING\nif not TYPE_CHECKING:", ["conditional", "type"]),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING or x:", ["conditional", "conditional"]),
        ("from evil import TYPE_CHECKING\nif TYPE_CHECKING:", ["conditional", "conditional"]),
        ("from typing import TYPE_CHECKING\nTYPE_CHECKING = True\nif TYPE_CHECKING:", ["conditional", "conditional"]),
        ("import typing\ntyping.TYPE_CHECKING = 1\nif typing.TYPE_CHECKING:", ["conditional", "conditional"]),
        ("from typing import TYPE_CHECKING\nfrom e import *\nif TYPE_CHECKING:", ["conditional", "conditional"]),
        ("TYPE_CHECKING = False\nif TYPE_CHECKING:", ["type", "conditional"]),
        ("if TYPE_CHECKING:", ["type", "conditional"]),
        ("if not TYPE_CHECKING:", ["conditional", "type"]),
        ("if TYPE_CHECKING or x:", ["conditional", "conditional"]),
        ("(a, TYPE_CHECKING), b = x\nif TYPE_CHECKING:", ["conditional", "conditional"]),
        ("with x as TYPE_CHECKING: pass\nif TYPE_CHECKING:", ["conditional", "conditional"]),
        ("from e import *\nif TYPE_CHECKING:", ["conditional", "conditional"]),
        ("globals()['TYPE_CHECKING'] = 1\nif TYPE_CHECKING:", ["conditional", "conditional"]),
    ],
)
def test_only_the_real_type_checking_flag_takes_an_import_out_of_the_run(head: str, kinds: list[str]) -> None:
    facts = found(f"{head}\n  import one\nelse:\n  import two\n")
    assert [kind for name, _, kind in facts if name in ("one", "two")] == kinds


@pytest.mark.parametrize(
    "source",
    [
        "import importlib\nimportlib.import_module(x)",
        "import importlib as il\nil.import_module(f'{x}')",
        "from importlib import import_module as im\nim('a' + x)",
        "from importlib import import_module\nf = import_module",
        "import importlib\nf(importlib)",
        "import importlib\ngetattr(importlib, 'import_' + 'module')('x')",
        "import importlib.util\nimportlib.util.spec_from_file_location('a', 'b.txt')",
        "from importlib import util\nutil.module_from_spec(s)",
        "from importlib.machinery import SourceFileLoader\nSourceFileLoader('a', 'b').load_module()",
        "__import__(x)",
        "f = __import__",
        "import builtins\nbuiltins.__import__(x)",
        "import builtins\ngetattr(builtins, n)",
        "globals()['__builtins__']",
        "x.import_module(n)",
        "import compat\ncompat.import_module(n)",
        "import runpy\nrunpy.run_path(p)",
        "import pkgutil\npkgutil.walk_packages(p)",
        "import imp\nimp.load_source('a', 'b')",
        "exec(code)",
        "exec('import a')",
        "eval(x)",
        "exec code",
        "import sys\nsys.modules[x]",
        "import sys\nsys.path.insert(0, 'lib')",
        "import sys\nsys.path += ['lib']",
        "import sys\nsys.meta_path.append(f)",
        "from sys import modules\nmodules.get(x)",
        "__loader__.load_module('a')",
        "from importlib import import_module as load",
        "import importlib.util as u",
        "from a import importlib\ngetattr(importlib, x)",
        "import a\na.sys.modules[x]",
        "from a import sys\nsys.path.append('x')",
        "from a import *\nimport_module(x)",
        "from a import *\nsys.modules[x]",
        "from importlib import *\nimport_module(x)",
        "from importlib import import_module\n(import_module if a else b)('x')",
        "from importlib import import_module\n[f(x) for f in [import_module]]",
        "from importlib import import_module\n(g := import_module)(x)",
        "from importlib import import_module\nx = f'{import_module(n)}'",
        "from importlib import import_module\nimport_module('a' + '.b')",
        "from importlib import import_module\nh = lambda: import_module(x)",
        "@__import__\ndef f(): pass",
        "__builtins__['__import__']('a')",
        "globals()['__import__'](x)",
        "getattr(x, 'import_module')(y)",
        "vars(x)['import_module']",
        "def __getattr__(n):\n  import importlib\n  return importlib.import_module(f'.{n}', __name__)",
        "import zipimport\nzipimport.zipimporter('a.zip')",
        "exec(open('a.txt').read())",
        "import pickle\npickle.loads(b'ca\\nf\\n.')",
        "import pickle\npickle.sys.modules[x]",
        "import marshal\nmarshal.loads(x)",
        "__path__.append('x')",
        "__path__ = ['x']",
        "__path__ += ['x']",
        "pkg.__path__.insert(0, 'x')",
        "import site\nsite.addsitedir('x')",
        "pytest_plugins = x",
        "pytest_plugins = ['a'] + b",
        "pytest_plugins.append('x')",
        "import unittest\nunittest.defaultTestLoader.discover('x')",
        "import unittest\nunittest.TestLoader().loadTestsFromName(x)",
        "from django.utils.module_loading import import_string\nimport_string(x)",
        "subprocess.run([sys.executable, '-m', module])",
        "import lazy_loader\nlazy_loader.attach(__name__, ['x'])",
        "__ｉmport__('a')",
        "# coding: utf-7\nx = 1",
        "import a\0",
    ],
)
def test_what_cannot_be_followed_opens_the_file(source: str) -> None:
    assert python_imports(source.encode()).opens


@pytest.mark.parametrize(
    "source",
    [
        "import importlib.metadata\nimportlib.metadata.version('a')",
        "from importlib import resources\nresources.files('a')",
        "import importlib\nimportlib.reload(m)",
        "import sys\nsys.argv[1:]\nsys.exit(main())\n'a' in sys.modules\nsys.modules[__name__]",
        "import sys\nfor p in sys.path: pass",
        "df.eval('a > b')\nmodel.eval()\nf(eval=1)\nclass A:\n  def eval(self): pass",
        "exec('x = 1')",
        "import builtins\nbuiltins.print(1)",
        "'importlib.import_module'  # exec(x)",
        "import pickle\npickle.loads(pickle.dumps(x))",
        "import unittest\nunittest.main()",
        "from pkgutil import extend_path\n__path__ = extend_path(__path__, __name__)",
        "for p in __path__: print(p)",
        "engine.builtins",
        "self.sys.argv",
        "pytest_plugins = ['a', 'b']",
        "subprocess.run(['git', 'commit', '-m', message])",
        "import pkgutil\n__all__ = pkgutil.get_data('a', 'b')",
    ],
)
def test_harmless_neighbours_do_not_open_the_file(source: str) -> None:
    assert python_imports(source.encode()).opens == ()


def test_literal_dynamic_imports_are_imports() -> None:
    source = (
        "import importlib as il\nil.import_module('a.b')\nil.import_module('.x', 'p.q')\n"
        "il.import_module('.y', __package__)\n"
        "__import__('c', fromlist=['d'])\ndef f(): pytest.importorskip('e')\n"
    )
    assert found(source)[1:] == [
        ("a.b", (), "dynamic"),
        ("p.q.x", (), "dynamic"),
        (".y", (), "dynamic"),
        ("c", ("d",), "dynamic"),
        ("e", (), "dynamic"),
    ]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("pytest_plugins = 'a.b', 'c'", {"a.b", "c"}),
        ("pytest_plugins = ('a' '.b')", {"a.b"}),
        ("run([sys.executable, '-u', '-m', 'a.b'])", {"a.b"}),
        ("os.system('python3 -m a.b && true')", {"a.b"}),
        ("loader.loadTestsFromName('a.b.C')", {"a.b.C"}),
        ("from x import import_string\nimport_string('a.b.C')", {"a.b.C"}),
    ],
)
def test_literals_for_runners_and_child_processes_are_dynamic_imports(source: str, names: set[str]) -> None:
    assert {name for name, _, kind in found(source) if kind == "dynamic"} == names


def test_a_script_in_a_command_line_is_an_asset() -> None:
    facts = python_imports(b"os.system('python -u tools/run.py --all')\n")
    assert "tools/run.py" in {item.specifier for item in facts.imports if item.kind is ImportKind.ASSET}


def test_what_may_lie_outside_the_roots_says_so() -> None:
    by_name = python_imports(b"import importlib\nimportlib.import_module(x)\n").opens
    changed = python_imports(b"import sys\nsys.path.insert(0, x)\n").opens
    assert [item.anywhere for item in (*by_name, *changed)] == [False, True]


def test_a_place_too_deep_to_follow_loses_no_other_import() -> None:
    chain = b"x = " + b" + ".join([b"a"] * 3000) + b" + __import__(n)\n"
    facts = python_imports(b"import before\n" + chain.replace(b"= a", b"= __import__(n)") + b"import after\n")
    assert {"before", "after"} <= {item.specifier for item in facts.imports}
    assert facts.opens
    assert facts.broken


def test_more_path_literals_than_the_limit_are_reported() -> None:
    source = b"x = [" + b",".join(b"'a/%d'" % n for n in range(20_001)) + b"]"
    assert any("20000" in item.written for item in python_imports(source).opens)


@pytest.mark.parametrize(
    "source",
    [
        b"# harmless\rimport hidden\r",
        b"\xef\xbb\xbfimport hidden\n",
        b"# coding: latin-1\nx = '\xe9'\nimport hidden\n",
        b"x = '\xff'\nimport hidden\n",
        b"\x0cimport hidden\n",
        b"x = 1; import hidden\r\n",
        b"x = (\nimport hidden\n",
        b"print 'a' % b, c\nimport hidden\nexec 'x' in y\n",
        b"if a: import hidden\n",
        b"class A:\n  import hidden\n",
    ],
)
def test_import_is_found_in_every_dress(source: bytes) -> None:
    assert "hidden" in [name for name, _, _ in found(source)]


def test_deep_nesting_neither_fails_nor_hides() -> None:
    source = b"x = " + b"(" * 5000 + b"__import__('a')" + b")" * 5000
    facts = python_imports(source)
    assert facts.opens or any(item.specifier == "a" for item in facts.imports)


@given(st.binary(max_size=120) | st.text(max_size=80).map(lambda text: ("import " + text).encode()))
def test_any_bytes_have_imports(data: bytes) -> None:
    assert python_imports(data) == python_imports(data)


def test_definitions_have_spans_kinds_and_positional_parameters() -> None:
    source = (
        b"@d\ndef f(a, b=1, /, c: int = 2, *args, e, **k):\n  def inner(): pass\n"
        b"class A:\n  @property\n  def m(self): pass\n  class B:\n    def n(self, *, k): pass\n"
        b"if x:\n  def f(): pass\n"
    )
    definitions = python_definitions(source).definitions
    assert [(item.name, item.kind, item.parameters) for item in definitions] == [
        ("f", DefinitionKind.FUNCTION, ("a", "b", "c")),
        ("A", DefinitionKind.CLASS, None),
        ("A.m", DefinitionKind.METHOD, ("self",)),
        ("A.B", DefinitionKind.CLASS, None),
        ("A.B.n", DefinitionKind.METHOD, ("self",)),
        ("f", DefinitionKind.FUNCTION, ()),
    ]
    assert (definitions[0].start, definitions[0].start_line, definitions[0].end_line) == (0, 1, 3)
