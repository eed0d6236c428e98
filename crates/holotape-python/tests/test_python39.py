"""The sources run on Python 3.9. Tests on that version are few, because pandas, DuckDB and others need newer ones."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "python/holotape"

# Names that Python 3.9 does not have.
NEWER_NAMES = {
    "dataclasses": {"KW_ONLY"},
    "datetime": {"UTC"},
    "enum": {"EnumType", "StrEnum", "verify"},
    "itertools": {"batched", "pairwise"},
    "types": {"EllipsisType", "NoneType", "NotImplementedType", "UnionType"},
    "typing": {
        "Concatenate",
        "LiteralString",
        "Never",
        "NoDefault",
        "NotRequired",
        "ParamSpec",
        "ReadOnly",
        "Required",
        "Self",
        "TypeAlias",
        "TypeAliasType",
        "TypeGuard",
        "TypeIs",
        "TypeVarTuple",
        "Unpack",
        "assert_never",
        "assert_type",
        "dataclass_transform",
        "override",
        "reveal_type",
    },
}
NEWER_KEYWORDS = {"zip": {"strict"}, "dataclass": {"slots", "kw_only"}, "field": {"kw_only"}}
BUILTIN_TYPES = {"bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "object", "set", "str", "tuple", "type"}


def newer_features(source: str) -> list[str]:
    """Returns what Python 3.9 does not support, with line numbers."""
    try:
        tree = ast.parse(source, feature_version=(3, 9))
    except SyntaxError as error:
        return [f"{error.lineno}: {error.msg}"]
    if any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body):
        _remove_annotations(tree)
    finder = _Finder()
    finder.visit(tree)
    return finder.found


def _remove_annotations(tree: ast.Module) -> None:
    """Removes what is not evaluated."""
    for node in ast.walk(tree):
        for field in ("annotation", "returns"):
            if hasattr(node, field):
                setattr(node, field, None)


def _name(node: ast.AST) -> str:
    """Returns ``dataclass`` for ``dataclass`` and for ``dataclasses.dataclass``."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_union(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)


def _is_type(node: ast.AST) -> bool:
    """Whether an expression looks like a type: ``None``, ``int``, ``list[int]``, ``Path``, but not ``re.ASCII``."""
    if isinstance(node, ast.Subscript):
        return _is_type(node.value)
    if isinstance(node, ast.Constant):
        return node.value is None
    name = _name(node)
    return name in BUILTIN_TYPES or (name.lstrip("_")[:1].isupper() and not name.isupper())


class _Finder(ast.NodeVisitor):
    def __init__(self) -> None:
        self.found: list[str] = []

    def _add(self, node: ast.expr | ast.stmt, message: str) -> None:
        self.found.append(f"{node.lineno}: {message}")

    def visit_If(self, node: ast.If) -> None:
        # Only type checkers read the body.
        for child in node.orelse if _name(node.test) == "TYPE_CHECKING" else [node.test, *node.body, *node.orelse]:
            self.visit(child)

    def visit_Import(self, node: ast.Import) -> None:
        if any(alias.name == "typing_extensions" for alias in node.names):
            self._add(node, "typing_extensions is not a dependency")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.module == "typing_extensions":
            self._add(node, "typing_extensions is not a dependency")
        for name in NEWER_NAMES.get(node.module or "", set()).intersection(alias.name for alias in node.names):
            self._add(node, f"{node.module}.{name}")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Name) and node.attr in NEWER_NAMES.get(node.value.id, set()):
            self._add(node, f"{node.value.id}.{node.attr}")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = _name(node.func)
        for keyword in node.keywords:
            if keyword.arg in NEWER_KEYWORDS.get(name, set()):
                self._add(node, f"{name}({keyword.arg}=)")
        if name in {"isinstance", "issubclass"} and any(_is_union(child) for child in ast.walk(node.args[-1])):
            self._add(node, f"{name} with a union")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if _is_union(node) and (_is_type(node.left) or _is_type(node.right)):
            self._add(node, "a union of types that is evaluated")
        self.generic_visit(node)


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.name)
def test_module_needs_no_newer_python(path: Path) -> None:
    assert newer_features(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "isinstance(x, int | str)",
        "issubclass(x, (first | second, list))",
        "def f(x: int | None): ...",
        "def f() -> Path | None: ...",
        "x: list[int] | None = None",
        "from __future__ import annotations\nAlias = Path | str",
        "from __future__ import annotations\nAlias = dict[str, int | None]",
        "from __future__ import annotations\nx = cast(np.Array | _Rows, y)",
        "zip(a, b, strict=True)",
        "match x:\n    case 1: pass",
        "@dataclass(slots=True)\nclass A: ...",
        "@dataclasses.dataclass(frozen=True, kw_only=True)\nclass A: ...",
        "from typing import Any, TypeAlias",
        "from typing import ParamSpec",
        "from typing import Self, Unpack",
        "import typing\nx = typing.Self",
        "from typing_extensions import Self",
        "from itertools import pairwise",
        "if TYPE_CHECKING:\n    pass\nelse:\n    from typing import Self",
        "def f[T](x: T): ...",
    ],
)
def test_newer_feature_is_found(source: str) -> None:
    assert newer_features(source)


@pytest.mark.parametrize(
    "source",
    [
        "isinstance(x, (int, str))",
        "from __future__ import annotations\ndef f(x: int | None, *y: Path | str) -> str | None:\n    z: int | None = None",
        "flags = re.ASCII | re.DOTALL",
        "both = first | second",
        "x = {**a} | dict()",
        "zip(a, b)",
        "field(default=1)",
        "@dataclass(frozen=True)\nclass A: ...",
        "from typing import Annotated, Any, Literal, TypedDict",
        "if TYPE_CHECKING:\n    from typing import Self, TypeAlias\n    Alias: TypeAlias = int | str",
        "if typing.TYPE_CHECKING:\n    from typing_extensions import Unpack",
        "with (open(a) as b, open(c) as d):\n    pass",
    ],
)
def test_features_of_python_39_are_accepted(source: str) -> None:
    assert newer_features(source) == []
