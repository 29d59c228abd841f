"""The arrows between the parts point one way, and the rules stay free of clocks, files, global chance and sets."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PARTS = ("bot", "cogs", "rules", "render", "db", "sandbox", "tests")
OUTSIDE = {
    "discord", "PIL", "aiosqlite", "asyncio", "time", "datetime", "random", "secrets", "os", "socket", "threading", "uuid",
    "sqlite3", "subprocess", "aiohttp", "urllib", "http", "tempfile", "numpy",
}  # fmt: skip
RULES_COMMAND_LINE = ROOT / "rules" / "__main__.py"
ENGINE_LINES = 1500
TOY_LINES = 100
SETS = ("set", "frozenset")


def files(part: str) -> list[Path]:
    return sorted((ROOT / part).rglob("*.py"))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, by its full name, also inside functions."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *(node.module.split(".") if node.module else ())])
            yield node.lineno, module
            for name in node.names:
                yield node.lineno, f"{module}.{name.name}"


def trespasses(part: str, forbidden: set[str], exempt: tuple[Path, ...] = ()) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for path in files(part)
        if path not in exempt
        for line, module in imports(path)
        if module.split(".")[0] in forbidden
    ]


def test_rules_know_nothing_but_rules() -> None:
    assert files("rules")
    assert trespasses("rules", set(PARTS) - {"rules"}) == []
    assert trespasses("rules", OUTSIDE, (RULES_COMMAND_LINE,)) == []


def test_rules_use_no_clock_no_files_but_their_own_and_no_global_chance() -> None:
    bad = [
        f"{path.relative_to(ROOT)}:{node.lineno} calls {node.func.id}"
        for path in files("rules")
        if path != RULES_COMMAND_LINE
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("open", "input", "print", "hash", "id", "eval", "exec", "__import__")
    ]
    assert bad == []


def test_render_knows_views_components_and_words_only() -> None:
    allowed = ("views", "components", "words", "texts", "units", "ships")
    bad = [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for path in files("render")
        if path.name != "__main__.py"
        for line, module in imports(path)
        if module.startswith("rules.") and not any(part in allowed for part in module.split(".")[1:])
        if not is_package(module)
    ]
    assert bad == []
    assert trespasses("render", {"cogs", "db", "sandbox", "bot", "discord", "aiosqlite", "tests"}) == []


def is_package(module: str) -> bool:
    """Whether this is only the way to a module inside."""
    return (ROOT / Path(*module.split("."))).is_dir()


def test_no_state_in_render() -> None:
    bad = [
        f"{path.relative_to(ROOT)}:{line} imports {module}"
        for path in files("render")
        if path.name != "__main__.py"
        for line, module in imports(path)
        if module.startswith("rules")
        and ("state" in module.split(".") or module.split(".")[-1] in ("State", "Table", "Game"))
    ]
    assert bad == []


def test_db_knows_nothing_of_the_project() -> None:
    assert files("db")
    assert trespasses("db", set(PARTS) - {"db"} | {"discord", "PIL"}) == []


@pytest.mark.parametrize("part", ["rules", "render", "db", "sandbox"])
def test_nobody_knows_the_cogs(part: str) -> None:
    exempt = tuple(path for path in files("sandbox") if path.name == "__main__.py")
    assert trespasses(part, {"cogs", "bot", "tests"}, exempt) == []


def is_set(node: ast.AST, names: set[str]) -> bool:
    """Whether an expression is visibly a set: a literal, a call of set(), or a name that was bound to one."""
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in SETS
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor):
        return is_set(node.left, names) or is_set(node.right, names)
    return isinstance(node, ast.Name) and node.id in names


def set_names(scope: ast.AST) -> set[str]:
    """Names bound to a set somewhere in this scope, by assignment or annotation."""
    names: set[str] = set()
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign) and is_set(node.value, set()):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        annotation = getattr(node, "annotation", None)
        if isinstance(node, ast.AnnAssign | ast.arg) and isinstance(annotation, ast.AST):
            outer = annotation.value if isinstance(annotation, ast.Subscript) else annotation
            if isinstance(outer, ast.Name) and outer.id in (*SETS, "AbstractSet"):
                target = node.arg if isinstance(node, ast.arg) else getattr(node.target, "id", "")
                names.add(target)
    return names


def iterated_sets(path: Path) -> list[str]:
    """Where a file goes through a set in its order, which differs between processes (law 2)."""
    found = []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    scopes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)] or [tree]
    for scope in [*scopes, tree]:
        names = set_names(scope) if scope is not tree else set()
        for node in ast.walk(scope):
            iterated: list[ast.AST] = []
            if isinstance(node, ast.For | ast.comprehension):
                iterated = [node.iter]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id in ("list", "tuple", "iter", "next", "enumerate", "zip", "map", "filter", "dict"):
                    iterated = list(node.args)
            elif (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("join", "extend")
            ):
                iterated = list(node.args)
            elif isinstance(node, ast.Starred):
                iterated = [node.value]
            found += [f"{path.name}:{each.lineno}" for each in iterated if is_set(each, names)]
    return sorted(set(found))


ORDERLESS = ("sorted", "any", "all", "sum", "len", "min", "max", "set", "frozenset")


def orderless(path: Path) -> set[str]:
    """Comprehensions over a set whose result has no order either."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        inner: list[ast.AST] = []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ORDERLESS:
            inner = list(node.args)
        elif isinstance(node, ast.SetComp):
            inner = [node]
        for each in inner:
            for generator in getattr(each, "generators", []):
                found.add(f"{path.name}:{generator.iter.lineno}")
    return found


def test_rules_iterate_no_set() -> None:
    bad = [where for path in files("rules") for where in iterated_sets(path) if where not in orderless(path)]
    assert bad == []


def test_sets_are_found(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    for line in (
        "for x in {1, 2}: pass",
        "list(set(y))",
        "[x for x in {*y}]",
        "a = {1}\n    b = [*a]",
        "','.join(set(y) - z)",
    ):
        path.write_text(f"def f(y, z):\n    {line}\n")
        assert iterated_sets(path), line
    path.write_text("def f(y):\n    return sorted(x for x in set(y)), 3 in {1, 2}\n")
    assert set(iterated_sets(path)) <= orderless(path)


def test_flows_keep_no_finally_or_bare_except_around_an_ask() -> None:
    bad = []
    for path in files("rules"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        managers = [
            inner
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and "contextmanager" in map(ast.unparse, node.decorator_list)
            for inner in ast.walk(node)
        ]
        for node in ast.walk(tree):
            asks = isinstance(node, ast.Try) and any(isinstance(i, ast.Yield | ast.YieldFrom) for i in ast.walk(node))
            if asks and node not in managers and (node.finalbody or any(is_broad(h) for h in node.handlers)):
                bad.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert bad == []


def is_broad(handler: ast.ExceptHandler) -> bool:
    """Whether it would also catch the closing of a flow, or any bug."""
    return handler.type is None or ast.unparse(handler.type) in ("Exception", "BaseException", "GeneratorExit")


def test_sizes() -> None:
    engine = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files("rules/engine"))
    assert engine < ENGINE_LINES
    toy = (ROOT / "tests" / "rules" / "toy.py").read_text(encoding="utf-8").splitlines()
    assert sum(bool(line.strip()) for line in toy) < TOY_LINES
    assert max(map(len, toy)) <= 120
