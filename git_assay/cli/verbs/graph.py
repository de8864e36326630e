"""git assay graph: which source file imports which?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from git_assay.cli.output import print_json, print_text, print_z
from git_assay.cli.session import Session

if TYPE_CHECKING:
    from git_assay.git.snapshot import Snapshot
    from git_assay.graph.model import ImportGraph


@click.command()
@click.option("--files", is_flag=True, help="Edges from source file to source file.")
@click.argument("rev", default="HEAD", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-file-graph/1).")
@click.option("-z", "as_items", is_flag=True, help="Print from, to, kind and line of each edge, each ended by NUL.")
@click.pass_obj
def command(session: Session, *, files: bool, rev: str, as_json: bool, as_items: bool) -> None:
    """Show what the import graph of REV does not know: imports that resolve to nothing, files with unknowable imports.

    With --files, --json or -z every edge from source file to source file, with its kind and line. A repository that
    has no `.assay/` yet is read with the default configuration.

    \b
    Example:
      git assay graph --files HEAD --json
    """
    from git_assay.cli.context import snapshot_of
    from git_assay.report.graph import doubts_text, graph_document, graph_items, graph_text

    snapshot = snapshot_of(session, rev)
    graph = _graph(session, snapshot, rev)
    if as_json:
        print_json(graph_document(graph, snapshot.tree))
    elif as_items:
        print_z(graph_items(graph))
    else:
        print_text(graph_text(graph) if files else doubts_text(graph))


def _graph(session: Session, snapshot: Snapshot, rev: str) -> ImportGraph:
    from git_assay.cli.context import analysis_at, fact_store
    from git_assay.cones.assemble import undeclared_graph
    from git_assay.modules.load import NotAdopted

    try:
        return analysis_at(session, rev).graph
    except NotAdopted:
        return undeclared_graph(snapshot, fact_store(session, snapshot.reader))
