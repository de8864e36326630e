"""Which verbs exist, where do they live, and which of them execute commands of the repository?

Plain data without imports: `git assay --version` and `-h` read it, so nothing here may cost anything. A verb's module
exposes `command`, a `click.Command` whose docstring is the help and contains an example.
"""


class Row:
    """One verb. module: what to import.  group: heading in the overview.  executes: runs commands of the repository."""

    __slots__ = ("executes", "group", "module", "summary")

    def __init__(self, group: str, summary: str, module: str, *, executes: bool = False) -> None:
        self.group = group
        self.summary = summary
        self.module = f"git_assay.cli.verbs.{module}"
        self.executes = executes


_START = "start"
_MODULES = "modules"
_CONES = "cones"
_EVIDENCE = "evidence"
_JUDGEMENT = "judgement"

# The groups and their order are those of design 90-cli.
VERBS: dict[str, Row] = {
    "init": Row(_START, "propose cards, policy and exemptions for this repository", "init"),
    "check": Row(_START, "check cards, config, policy and ownership", "check"),
    "demo": Row(_START, "walk through the main job in a small repository made for it", "demo", executes=True),
    "help": Row(_START, "show help of a verb", "help"),
    "module": Row(_MODULES, "make, list and show module cards", "module"),
    "owners": Row(_MODULES, "say who owns a path or a symbol", "owners"),
    "graph": Row(_CONES, "show the import graph", "graph"),
    "cone": Row(_CONES, "show what a module reaches, and through which imports", "cone"),
    "radius": Row(_CONES, "show which modules a change touches, and what goes stale", "radius"),
    "attest": Row(_EVIDENCE, "run checks and sign what ran", "attest", executes=True),
    "review": Row(_EVIDENCE, "sign a review of the changes of modules", "review"),
    "waive": Row(_EVIDENCE, "accept that evidence is missing, until a day", "waive"),
    "withdraw": Row(_EVIDENCE, "take records back", "withdraw"),
    "log": Row(_EVIDENCE, "list records", "log"),
    "show": Row(_EVIDENCE, "show one record", "show"),
    "verify": Row(_EVIDENCE, "verify every record and say why those refused are", "verify"),
    "key": Row(_EVIDENCE, "make and list signing keys", "key"),
    "status": Row(_JUDGEMENT, "show what is fresh, stale and lacking, and why", "status"),
    "gate": Row(_JUDGEMENT, "judge a change by the policy of the target branch", "gate"),
    "hook": Row(_JUDGEMENT, "do the work of a git hook", "hook"),
    "hooks": Row(_JUDGEMENT, "install, remove and inspect git hooks", "hooks"),
}
