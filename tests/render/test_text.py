"""Any name can be drawn, within its room."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from render import text
from render.text import Font

ODD = {
    "emoji": "🦊" * 100,
    "rtl": "שלום עולם مرحبا بالعالم",
    "mixed": "abc שלום 🦊 漢字",
    "long": "W" * 100,
    "zalgo": "Z" + "\u0301\u0316\u0335" * 40 + "algo",
    "controls": "a\x00b\u202ec\u200dd\ufeff\n\te",
    "flags": "👨‍👩‍👧‍👦🏳️‍🌈🇩🇪👍🏽",
    "alone": "\ud800",
    "private": "\ue000\U0010fffd",
    "empty": "",
    "spaces": " \u3000 ",
}


@pytest.mark.parametrize("name", ODD.values(), ids=ODD.keys())
def test_odd_names_fit(name: str) -> None:
    shown = text.fit(name, 30, 200, Font.BOLD)
    sprite = text.label(shown, 30, font=Font.BOLD)
    assert sprite.width <= 203
    assert sprite.height == text.label("Ag", 30, font=Font.BOLD).height


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=120), st.integers(12, 40), st.integers(30, 400))
def test_any_text_fits(name: str, size: int, room: int) -> None:
    assert text.label(text.fit(name, size, room), size).width <= room + 3


def test_what_is_cut_says_so() -> None:
    assert text.fit("short", 20, 200) == "short"
    cut = text.fit("a very long name indeed", 20, 100)
    assert cut.endswith(text.ELLIPSIS)
    assert cut != text.ELLIPSIS


def test_signs_find_a_font_that_has_them() -> None:
    assert text.runs("Ab", Font.BOLD) == ((Font.BOLD, "Ab"),)
    assert text.runs("a🦊b", Font.BOLD) == ((Font.BOLD, "a"), (Font.EMOJI, "🦊"), (Font.BOLD, "b"))
    assert text.runs("שלום", Font.BOLD)[0][0] is Font.WIDE
    assert text.runs("漢", Font.BOLD) == ((Font.WIDE, text.MISSING),)


def test_bidi_controls_cannot_turn_the_line_around() -> None:
    assert text.clean("a\u202eb\u2066c") == "abc"


def test_wrapping_keeps_every_word_or_says_that_it_does_not() -> None:
    words = "one two three four five six seven"
    assert " ".join(text.wrap(words, 20, 90)) == words
    assert text.wrap(words, 20, 90, lines=2)[-1].endswith(text.ELLIPSIS)


def test_labels_are_made_once() -> None:
    assert text.label("same", 20) is text.label("same", 20)
