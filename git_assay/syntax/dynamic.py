"""Does one reference load code by name, and is the name known?

1. The name is followed through the imports that bind it (`import importlib as il`), outward over its attributes.
2. A harmless attribute of the machinery is nothing; a loader called with a plain literal is a DYNAMIC import.
3. Anything else (passed on, stored, called with something computed) opens the file.

**Source:** design 20-graph §2 ("when the target cannot be known, the file is marked open").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from tree_sitter import Node

from git_assay.syntax.facts import ImportKind, OpenImport, WrittenImport
from git_assay.syntax.literals import literal_names, plain_string
from git_assay.syntax.machinery import (
    ANYWHERE,
    BUILTIN_NAMES,
    BY_NAME,
    LOADERS,
    MODULES,
    PASSED_ON,
    passed_on,
    split,
)
from git_assay.syntax.parsing import text_of
from git_assay.values.text import clean

_WRITTEN_LIMIT = 80
_ATTRIBUTE_GETTERS = frozenset({b"getattr", b"hasattr", b"delattr", b"setattr"})
_ONLY_READS_PATH = frozenset({"comparison_operator", "for_statement", "for_in_clause"})
_READERS = frozenset({b"list", b"len", b"tuple", b"set", b"sorted", b"print", b"repr", b"str"})
_CODE_IN_TEXT = re.compile(r"import|__|exec|eval|compile|getattr|globals|modules")
_EXTENDS_PATH = re.compile(
    rb"""(?:__import__\(["']pkgutil["']\)\.|pkgutil\.)?extend_path\(\s*__path__\s*,\s*__name__\s*\)"""
)
_CHANGES_LIST = frozenset({b"append", b"insert", b"extend", b"__setitem__", b"clear", b"pop", b"remove", b"__iadd__"})
_OWN_NAMES = frozenset({b"__name__", b"__package__"})

Found = WrittenImport | OpenImport | None


def judge_reference(
    nodes: Sequence[Node], bound: Mapping[bytes, AbstractSet[str]], *, line: int, deferred: bool
) -> tuple[WrittenImport | OpenImport, ...]:
    """Returns what the identifier at the end of `nodes` loads: nothing, literal imports, or an open import."""
    results: list[WrittenImport | OpenImport] = []
    for origin in sorted(_origins(nodes, bound)):
        whole, depth = _outward(nodes, origin)
        found = _judge(nodes, depth, whole, line=line, deferred=deferred)
        if isinstance(found, OpenImport) and whole not in BY_NAME:
            found = replace(found, anywhere=True)
        if found is not None and found not in results:
            results.append(found)
    return tuple(results)


def judge_code_statement(nodes: Sequence[Node], *, line: int, deferred: bool) -> tuple[WrittenImport | OpenImport, ...]:
    """Returns what a Python 2 `exec code` statement loads."""
    found = _judge_code(nodes[-2], line, deferred)
    return (replace(found, anywhere=True),) if isinstance(found, OpenImport) else ()


def judge_text(nodes: Sequence[Node], *, line: int, deferred: bool) -> tuple[OpenImport, ...]:
    """Returns an open import when a string literal is the name of a loader and is passed or subscripted."""
    string = next((index for index, node in enumerate(nodes) if node.type == "string"), None)
    if string is None or string == 0:
        return ()
    value, parent = plain_string(nodes[string]), nodes[string - 1]
    if value is None or value.encode() not in {*ANYWHERE, *BUILTIN_NAMES} or value in ("exec", "eval"):
        return ()
    if parent.type == "subscript" or (parent.type == "argument_list" and _is_getter(nodes[string - 2])):
        return (_open(nodes[string - 2] if parent.type == "argument_list" else parent, line, deferred),)
    return ()


def _origins(nodes: Sequence[Node], bound: Mapping[bytes, AbstractSet[str]]) -> set[str]:
    leaf, parent = nodes[-1], nodes[-2]
    name = text_of(leaf)
    field = next((parent.field_name_for_child(i) for i, c in enumerate(parent.children) if c == leaf), None)
    if parent.type == "keyword_argument" and field == "name":
        return set()
    if parent.type in ("function_definition", "class_definition") and field == "name":
        return set()
    if parent.type == "attribute" and field == "attribute":
        root = parent
        while root.type == "attribute" and root.child_by_field_name("object") is not None:
            root = root.child_by_field_name("object") or root
        # A name that an import binds is followed from its root, once.
        known = root.type == "identifier" and any(
            split(origin) and not origin.startswith("unittest") for origin in bound.get(text_of(root), ())
        )
        origin = ANYWHERE.get(name) or PASSED_ON.get(name) or ("unittest.discover" if name == b"discover" else None)
        return {origin} if origin and not known else set()
    origins = set(bound.get(name, ()))
    if name in BUILTIN_NAMES:
        origins.add(BUILTIN_NAMES[name])
    # `from compat import import_module`: whatever passes it on, it is what it is called.
    return {passed_on(origin) for origin in origins}


def _outward(nodes: Sequence[Node], origin: str) -> tuple[str, int]:
    """Step 1. Returns the whole dotted name (importlib . util . find_spec) and the depth of its node."""
    depth = len(nodes) - 1
    if nodes[depth - 1].type == "attribute" and not _is_object(nodes[depth], nodes[depth - 1]):
        depth -= 1  # x.import_module: the whole attribute is the reference
    while depth and nodes[depth - 1].type == "attribute" and _is_object(nodes[depth], nodes[depth - 1]):
        attribute = nodes[depth - 1].child_by_field_name("attribute")
        found = split(origin)
        if origin in LOADERS or (found is not None and found[1] and origin.count(".") >= 2):
            break
        origin += "." + (text_of(attribute).decode("utf-8", "replace") if attribute else "?")
        depth -= 1
        if origin in LOADERS or (split(origin) or ("", ()))[1]:
            break
    return origin, depth


def _judge(nodes: Sequence[Node], depth: int, origin: str, *, line: int, deferred: bool) -> Found:
    node, parent = nodes[depth], nodes[depth - 1] if depth else None
    found = split(origin)
    if found is None and origin not in LOADERS:
        return None
    module, rest = found or ("", (origin,))
    if not rest:
        return _judge_module(nodes, depth, module, line=line, deferred=deferred)
    # 2. harmless neighbours
    if origin not in LOADERS and found is not None and MODULES[module].is_harmless(rest[0]):
        return None
    if origin in _SPECIAL:
        return _SPECIAL[origin](nodes, depth, line, deferred)
    is_callee = parent is not None and parent.type == "call" and parent.child_by_field_name("function") == node
    call = parent if is_callee else None
    if call is not None and origin in LOADERS:
        return _judge_call(call, origin, line, deferred)
    if origin in ("builtins.exec", "builtins.eval"):
        return _judge_code(call or parent or node, line, deferred)
    if module == "pickle" and call is not None and not _has_literal(call):
        return None
    # 3. anything else
    return _open(call or parent or node, line, deferred)


def _judge_module(nodes: Sequence[Node], depth: int, module: str, *, line: int, deferred: bool) -> Found:
    """A machinery module as a bare object: harmless only as `getattr(module, "harmless literal")`."""
    parent = nodes[depth - 1]
    if parent.type == "argument_list" and depth >= 2:
        arguments = _positional(parent)
        if _is_getter(nodes[depth - 2]) and len(arguments) >= 2 and arguments[0] == nodes[depth]:
            name = plain_string(arguments[1])
            if name is not None and MODULES[module].is_harmless(name) and f"{module}.{name}" not in MODULES:
                return None
    if parent.type == "expression_statement":
        return None
    return _open(nodes[depth - 2] if parent.type == "argument_list" else parent, line, deferred)


def _judge_modules(nodes: Sequence[Node], depth: int, line: int, deferred: bool) -> Found:
    """`sys.modules`: a literal key names the module that is taken; a look whether it is there takes nothing."""
    parent = nodes[depth - 1]
    key: Node | None = None
    if parent.type == "comparison_operator":
        return None
    if parent.type == "subscript" and _is_value(nodes[depth], parent):
        keys = parent.children_by_field_name("subscript")
        key = keys[0] if len(keys) == 1 else None
    elif parent.type == "attribute" and depth >= 2 and nodes[depth - 2].type == "call":
        method = parent.child_by_field_name("attribute")
        arguments = nodes[depth - 2].child_by_field_name("arguments")
        if method is not None and arguments is not None and text_of(method) in (b"get", b"pop", b"setdefault"):
            key = next(iter(_positional(arguments)), None)
    if key is not None and text_of(key) in _OWN_NAMES:
        return None
    name = plain_string(key) if key is not None else None
    return _literal(name, (), line, deferred) if name else _open(parent, line, deferred)


def _judge_path(nodes: Sequence[Node], depth: int, line: int, deferred: bool) -> Found:
    """`sys.path`: reading it is harmless, whatever may change it makes imports lead elsewhere."""
    parent = nodes[depth - 1]
    if parent.type in _ONLY_READS_PATH and parent.child_by_field_name("left") != nodes[depth]:
        return None
    if parent.type == "comparison_operator":
        return None
    if parent.type == "argument_list" and depth >= 2:
        function = nodes[depth - 2].child_by_field_name("function")
        if function is not None and (text_of(function) in _READERS or text_of(function).endswith(b".join")):
            return None
    return _open(
        nodes[depth - 2] if parent.type in ("argument_list", "attribute") and depth >= 2 else parent, line, deferred
    )


def _judge_package_path(nodes: Sequence[Node], depth: int, line: int, deferred: bool) -> Found:
    """`__path__`: reading it is harmless, and so is `extend_path`, whose directories are all taken anyway."""
    parent = nodes[depth - 1]
    if parent.type == "assignment" and parent.child_by_field_name("left") == nodes[depth]:
        right = parent.child_by_field_name("right")
        return None if right is None or _EXTENDS_PATH.fullmatch(text_of(right)) else _open(parent, line, deferred)
    if parent.type == "attribute":
        method = parent.child_by_field_name("attribute")
        return _open(parent, line, deferred) if method is not None and text_of(method) in _CHANGES_LIST else None
    changed = parent.type in (
        "augmented_assignment",
        "subscript",
        "pattern_list",
        "named_expression",
        "delete_statement",
    )
    return _open(parent, line, deferred) if changed and not _is_read(nodes, depth) else None


def _is_read(nodes: Sequence[Node], depth: int) -> bool:
    """`__path__[0]` that is not itself assigned to."""
    above = nodes[depth - 2] if depth >= 2 else None
    written = above is not None and above.child_by_field_name("left") == nodes[depth - 1]
    return nodes[depth - 1].type == "subscript" and not written


def _judge_plugins(nodes: Sequence[Node], depth: int, line: int, deferred: bool) -> Found:
    """`pytest_plugins = [literals]` is read by `plugin_imports`; anything else that touches the list opens the file."""
    parent = nodes[depth - 1]
    if parent.type in ("assignment", "augmented_assignment") and parent.child_by_field_name("left") == nodes[depth]:
        right = parent.child_by_field_name("right")
        return None if right is None or literal_names(right) is not None else _open(parent, line, deferred)
    if parent.type in ("comparison_operator", "expression_statement"):
        return None
    return _open(parent, line, deferred)


def _judge_call(call: Node, origin: str, line: int, deferred: bool) -> Found:
    arguments = call.child_by_field_name("arguments")
    if arguments is None or arguments.type != "argument_list":
        return _open(call, line, deferred)
    positional, keywords = _positional(arguments), _keywords(arguments)
    if any(child.type in ("list_splat", "dictionary_splat") for child in arguments.named_children):
        return _open(call, line, deferred)
    target = positional[0] if positional else keywords.get(b"name") or keywords.get(b"modname")
    name = plain_string(target) if target is not None else None
    if not name:
        return _open(call, line, deferred)
    if origin.endswith("__import__"):
        return _judge_import_function(call, name, positional, keywords, line=line, deferred=deferred)
    if origin in ("importlib.import_module", "importlib.util.find_spec") and name.startswith("."):
        package = positional[1] if len(positional) > 1 else keywords.get(b"package")
        return _judge_relative(call, name, package, line, deferred)
    return _literal(name.partition(":")[0], (), line, deferred)


def _judge_relative(call: Node, name: str, package: Node | None, line: int, deferred: bool) -> Found:
    """`import_module(".x", "p.q")` is p.q.x; with `__package__` or `__name__` it is `.x` of this file."""
    if package is not None and text_of(package) in _OWN_NAMES:
        return _literal(name, (), line, deferred)
    anchor = plain_string(package) if package is not None else None
    if not anchor:
        return _open(call, line, deferred)
    tail = name.lstrip(".")
    parts = anchor.split(".")
    up = len(name) - len(tail) - 1
    if up >= len(parts):
        return _open(call, line, deferred)
    return _literal(".".join([*parts[: len(parts) - up], *([tail] if tail else [])]), (), line, deferred)


def _judge_import_function(
    call: Node, name: str, positional: Sequence[Node], keywords: Mapping[bytes, Node], *, line: int, deferred: bool
) -> Found:
    """`__import__(name, globals, locals, fromlist, level)`: the list and the level must be literal too."""
    names_node = positional[3] if len(positional) > 3 else keywords.get(b"fromlist")
    level_node = positional[4] if len(positional) > 4 else keywords.get(b"level")
    names: tuple[str, ...] = ()
    if names_node is not None and text_of(names_node) != b"None":
        values = [plain_string(child) for child in names_node.named_children]
        if names_node.type not in ("list", "tuple") or any(value is None for value in values):
            return _open(call, line, deferred)
        names = tuple(value for value in values if value)
    level = 0
    if level_node is not None:
        if not re.fullmatch(rb"-1|\d{1,2}", text_of(level_node)):
            return _open(call, line, deferred)
        level = max(0, int(text_of(level_node)))
    return _literal("." * level + name, names, line, deferred)


def _judge_code(call: Node, line: int, deferred: bool) -> Found:
    """exec and eval: harmless when the code is a plain literal that cannot import."""
    code: Node | None = None
    if call.type == "call":
        arguments = call.child_by_field_name("arguments")
        code = next(iter(_positional(arguments)), None) if arguments is not None else None
    elif call.type == "exec_statement":
        code = call.child_by_field_name("code")
    text = plain_string(code) if code is not None else None
    return None if text is not None and not _CODE_IN_TEXT.search(text) else _open(call, line, deferred)


def _has_literal(call: Node) -> bool:
    """Whether a part of what is unpickled stands in the source; other data is input, not program."""
    arguments = call.child_by_field_name("arguments")
    return arguments is None or b'"' in text_of(arguments) or b"'" in text_of(arguments)


_SPECIAL: Mapping[str, Callable[[Sequence[Node], int, int, bool], Found]] = {
    "sys.modules": _judge_modules,
    "sys.path": _judge_path,
    "builtins.__path__": _judge_package_path,
    "builtins.pytest_plugins": _judge_plugins,
}


def _literal(name: str, names: tuple[str, ...], line: int, deferred: bool) -> WrittenImport:
    return WrittenImport(line, name, names, ImportKind.DYNAMIC, deferred)


def _open(node: Node, line: int, deferred: bool) -> OpenImport:
    if node.type in ("module", "block"):
        return OpenImport(line, "(code that cannot be read)", deferred)
    first = text_of(node)[: 4 * _WRITTEN_LIMIT].decode("utf-8", "replace")
    return OpenImport(line, clean(" ".join(first.split())[:_WRITTEN_LIMIT]), deferred)


def _positional(arguments: Node) -> list[Node]:
    return [child for child in arguments.named_children if child.type not in ("keyword_argument", "comment")]


def _keywords(arguments: Node) -> dict[bytes, Node]:
    found: dict[bytes, Node] = {}
    for child in arguments.named_children:
        if child.type == "keyword_argument":
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            if name is not None and value is not None:
                found[text_of(name)] = value
    return found


def _is_getter(call: Node) -> bool:
    function = call.child_by_field_name("function")
    return function is not None and text_of(function) in _ATTRIBUTE_GETTERS


def _is_object(child: Node, attribute: Node) -> bool:
    return attribute.child_by_field_name("object") == child


def _is_value(child: Node, subscript: Node) -> bool:
    return subscript.child_by_field_name("value") == child
