"""Pictures are drawn from views: nothing here may know a state, a rule or Discord."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import render

ROOT = Path(render.__file__).parent
ALLOWED = {"views", "components", "ships", "words", "texts"}
FOREIGN = {"discord", "aiosqlite", "sqlite3", "aiohttp", "cogs", "db", "sandbox", "random"}
FILES = sorted(path for path in ROOT.rglob("*.py") if path.name != "__main__.py")


def imported(path: Path) -> Iterator[str]:
    """The absolute modules a file imports, with the names taken from them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_views_components_and_words_are_known(path: Path) -> None:
    for name in imported(path):
        parts = name.split(".")
        assert parts[0] not in FOREIGN, name
        if parts[0] == "rules":
            assert ALLOWED & set(parts[1:]), name


def test_every_game_in_the_registry_draws() -> None:
    for key in render.GAMES:
        game = render.painter_for(key)
        assert callable(game.board)
        assert callable(game.hand)
        assert all(callable(draw) for draw in game.EXTRAS.values())


def test_every_font_has_its_licence() -> None:
    fonts = ROOT / "fonts"
    for font in fonts.glob("*.ttf"):
        family = font.stem.split("-")[0].removesuffix("Sans")
        assert (fonts / f"LICENSE.{family}.txt").stat().st_size > 1000
