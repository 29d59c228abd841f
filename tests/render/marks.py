"""What a canvas says it shows, for the tests of every game's pictures."""

from render.canvas import Canvas


def says(canvas: Canvas, kind: str) -> list[str]:
    """What all marks of that kind say."""
    return [mark.says for mark in canvas.marks if mark.kind == kind]


def placed(canvas: Canvas, kind: str) -> dict[str, str]:
    """What the marks of that kind say, by place."""
    return {mark.place: mark.says for mark in canvas.marks if mark.kind == kind}
