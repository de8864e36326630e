"""How is a Python blob parsed, and which nodes lie on the way to one byte of it?

Nothing here recurses: a hostile file nests as deep as it likes.
"""

from __future__ import annotations

from functools import cache

import tree_sitter
import tree_sitter_python
from tree_sitter import Node, Tree

# CPython refuses more than 200 nested brackets and 100 indentations; operator chains are deeper trees than that.
DEPTH_LIMIT = 2000


class TooDeepError(Exception):
    """The way to a byte has more than DEPTH_LIMIT nodes."""


def parse_python(text: bytes) -> Tree:
    """Returns the syntax tree of `text`; never fails, whatever the bytes."""
    return _parser().parse(text)


def path_to(tree: Tree, offset: int) -> list[Node]:
    """Returns the nodes from the root down to the leaf that holds byte `offset`. Raises TooDeepError."""
    cursor = tree.walk()
    nodes: list[Node] = []
    while True:
        node = cursor.node
        if node is None or len(nodes) > DEPTH_LIMIT:
            raise TooDeepError
        nodes.append(node)
        if cursor.goto_first_child_for_byte(offset) is None:
            return nodes


def text_of(node: Node) -> bytes:
    """Returns the bytes of a node."""
    return node.text or b""


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
