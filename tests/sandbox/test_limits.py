"""Bodies that Discord would not take are not taken here, and those of discord.py are."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from sandbox import limits
from sandbox.spec import DOCUMENT, Spec
from sandbox.uploads import Upload

CREATE = ("POST", "/channels/{channel_id}/messages")
EDIT = ("PATCH", "/channels/{channel_id}/messages/{message_id}")
ANSWER = ("POST", "/interactions/{interaction_id}/{interaction_token}/callback")
COMMANDS = ("PUT", "/applications/{application_id}/commands")
V2 = 1 << 15


def button(**changes: Any) -> Any:
    return {"type": 2, "style": 1, "label": "a", "custom_id": "c"} | changes


def row(*components: Any) -> Any:
    return {"type": 1, "components": list(components)}


def select(count: int, **changes: Any) -> Any:
    options = [{"label": str(n), "value": str(n)} for n in range(count)]
    return {"type": 3, "custom_id": "s", "options": options} | changes


def text(content: str = "x") -> Any:
    return {"type": 10, "content": content}


def embeds(**embed: Any) -> Any:
    return {"embeds": [embed]}


def rows(*components: Any) -> Any:
    return {"content": "x", "components": [row(*components)]}


MESSAGES: dict[str, Any] = {
    "content 2001": {"content": "x" * 2001},
    "11 embeds": {"embeds": [{}] * 11},
    "embed description 4097": embeds(description="x" * 4097),
    "embeds total 6001": {"embeds": [{"description": "x" * 3001}] * 2},
    "field value 1025": embeds(fields=[{"name": "a", "value": "x" * 1025}]),
    "26 fields": embeds(fields=[{"name": "a", "value": "x"}] * 26),
    "title 257": embeds(title="x" * 257),
    "6 action rows": {"content": "x", "components": [row(button(custom_id=str(n))) for n in range(6)]},
    "6 buttons in a row": rows(*[button(custom_id=str(n)) for n in range(6)]),
    "41 components nested": {"flags": V2, "components": [{"type": 17, "components": [text()] * 40}]},
    "custom_id 101": rows(button(custom_id="c" * 101)),
    "custom_id twice": rows(button(), button()),
    "label 81": rows(button(label="a" * 81)),
    "button without custom_id": rows({"type": 2, "style": 1, "label": "a"}),
    "link with custom_id": rows(button(style=5, url="https://a.b")),
    "button without label": rows({"type": 2, "style": 1, "custom_id": "c"}),
    "26 options": rows(select(26)),
    "no options": rows(select(0)),
    "option label 101": rows(select(1, options=[{"label": "x" * 101, "value": "a"}])),
    "option value twice": rows(select(0, options=[{"label": "a", "value": "a"}, {"label": "b", "value": "a"}])),
    "max_values over options": rows(select(2, max_values=3)),
    "min over max": rows(select(3, min_values=3, max_values=2)),
    "2 selects in a row": rows(select(1), select(1, custom_id="t")),
    "V2 with content": {"flags": V2, "content": "x", "components": [text()]},
    "V2 components without flag": {"components": [text()]},
    "V2 text total 4001": {"flags": V2, "components": [text("x" * 2001), text("x" * 2000)]},
    "11 gallery items": {"flags": V2, "components": [{"type": 12, "items": [{"media": {"url": "https://a/b"}}] * 11}]},
    "4 section texts": {"flags": V2, "components": [{"type": 9, "components": [text()] * 4, "accessory": button()}]},
    "unknown field": {"content": "x", "contnet": "y"},
    "unknown field in a component": rows(button(lable="x")),
    "flags of others": {"content": "x", "flags": 1 << 4},
    "content of another type": {"content": 5},
    "unknown component": {"flags": V2, "components": [{"type": 99}]},
    "select at the top": {"flags": V2, "components": [select(1)]},
    "long alt text": {
        "flags": V2,
        "components": [{"type": 12, "items": [{"media": {"url": "u"}, "description": "x" * 1025}]}],
    },
}


def option(**changes: Any) -> Any:
    return {"type": 3, "name": "a", "description": "d"} | changes


def command(**changes: Any) -> Any:
    return {"type": 1, "name": "a", "description": "d"} | changes


CHOICE = {"name": "n", "value": "v"}
BIG = [option(name=f"o{k}", choices=[{"name": f"{n:0100}", "value": "v" * 100} for n in range(21)]) for k in range(2)]
COMMAND_SETS: dict[str, Any] = {
    "101 chat commands": [command(name=f"c{n}") for n in range(101)],
    "131 commands": [command(name=f"c{n}") for n in range(131)],
    "16 user commands": [{"type": 2, "name": f"c{n}"} for n in range(16)],
    "8001 characters": [command(options=BIG)],
    "name with a space": [command(name="Bad Name")],
    "name in capitals": [command(name="Bad")],
    "name 33": [command(name="n" * 33)],
    "description 101": [command(description="d" * 101)],
    "no description": [command(description="")],
    "26 options": [command(options=[option(name=f"o{n}") for n in range(26)])],
    "26 choices": [command(options=[option(choices=[CHOICE] * 26)])],
    "required after optional": [command(options=[option(), option(name="b", required=True)])],
    "command twice": [command(), command()],
    "option twice": [command(options=[option(), option()])],
    "choice twice": [command(options=[option(choices=[CHOICE, CHOICE])])],
    "three levels of groups": [
        command(options=[option(type=2, name="g", options=[option(type=2, name="h", options=[])])])
    ],
    "sub-command beside an option": [command(options=[option(type=1, name="s"), option()])],
    "choices and autocomplete": [command(options=[option(choices=[CHOICE], autocomplete=True)])],
    "26 sub-commands": [command(options=[option(type=1, name=f"s{n}") for n in range(26)])],
    "unknown field": [command(descripton="x")],
}


def label(custom_id: str = "x", **changes: Any) -> Any:
    return {"type": 18, "label": "l", "component": {"type": 4, "custom_id": custom_id, "style": 1} | changes}


def modal(*components: Any, **changes: Any) -> Any:
    return {"type": 9, "data": {"custom_id": "a", "title": "t", "components": list(components)} | changes}


ANSWERS: dict[str, Any] = {
    "26 autocomplete choices": {"type": 8, "data": {"choices": [CHOICE] * 26}},
    "choice name 101": {"type": 8, "data": {"choices": [{"name": "n" * 101, "value": "v"}]}},
    "choice without name": {"type": 8, "data": {"choices": [{"name": "", "value": "v"}]}},
    "modal title 46": modal(label(), title="t" * 46),
    "modal of 6": modal(*[label(str(n)) for n in range(6)]),
    "empty modal": modal(),
    "field twice": modal(label(), label()),
    "text input 4001": modal(label(max_length=4001)),
    "unknown type": {"type": 99},
}


@pytest.fixture(scope="module")
def spec() -> Spec:
    return Spec()


def objections(spec: Spec, route: tuple[str, str], body: Any) -> list[Any]:
    """What the document and the limits object to, as the server asks them."""
    found = spec.check(*route, body)
    if found:
        return found
    if route == COMMANDS:
        return limits.commands(body)
    if route != ANSWER:
        return limits.message(body)
    data = body.get("data") or {}
    check = {8: lambda d: limits.choices(d.get("choices") or []), 9: limits.modal}.get(body["type"], limits.message)
    return check(data)


@pytest.mark.parametrize("name", MESSAGES)
def test_messages(spec: Spec, name: str) -> None:
    body = MESSAGES[name]
    assert objections(spec, CREATE, body)
    assert objections(spec, EDIT, body)
    assert objections(spec, ANSWER, {"type": 4, "data": body})
    assert objections(spec, ANSWER, {"type": 7, "data": body})


@pytest.mark.parametrize("name", COMMAND_SETS)
def test_commands(spec: Spec, name: str) -> None:
    assert objections(spec, COMMANDS, COMMAND_SETS[name])


@pytest.mark.parametrize("name", ANSWERS)
def test_answers(spec: Spec, name: str) -> None:
    assert objections(spec, ANSWER, ANSWERS[name])


ALLOWED: list[tuple[tuple[str, str], Any]] = [
    (CREATE, {"content": "x" * 2000, "nonce": "n" * 25, "enforce_nonce": True, "tts": False}),
    (CREATE, rows(*[button(custom_id=str(n)) for n in range(5)])),
    (CREATE, rows(button(emoji={"name": "🎲"}), button(style=5, url="https://a.b", custom_id=None))),
    (CREATE, {"flags": V2, "components": [{"type": 17, "components": [text()] * 39}]}),
    (CREATE, {"content": "x", "message_reference": {"message_id": 5, "fail_if_not_exists": False}}),
    (CREATE, {"content": "x", "attachments": [{"id": 0, "filename": "a.png", "description": "d"}]}),
    (CREATE, {"content": "x", "allowed_mentions": {"parse": [], "users": [1, 2]}}),
    (EDIT, {"content": None, "components": []}),
    (ANSWER, {"type": 5, "data": {"flags": 64}}),
    (ANSWER, {"type": 6}),
    (ANSWER, {"type": 8, "data": {"choices": [CHOICE] * 25}}),
    (ANSWER, modal(*[label(str(n)) for n in range(5)])),
    (COMMANDS, [command(options=[option(required=True), option(name="b", autocomplete=True)])]),
    (COMMANDS, [command(options=[option(type=2, name="g", options=[option(type=1, name="s", options=[option()])])])]),
    (COMMANDS, [command(name="größe"), {"type": 3, "name": "Look Here"}]),
]


@pytest.mark.parametrize(("route", "body"), ALLOWED)
def test_what_is_allowed(spec: Spec, route: tuple[str, str], body: Any) -> None:
    assert objections(spec, route, body) == []


def test_files() -> None:
    def upload(n: int, size: int = 1) -> Upload:
        return Upload(str(n), "a", "b", bytes(size))

    assert limits.message({"content": "x"}, [upload(n) for n in range(10)]) == []
    assert limits.message({"content": "x"}, [upload(n) for n in range(11)])
    assert limits.files([upload(0, limits.FILE_SIZE)])
    assert not limits.files([upload(0, limits.FILE_SIZE + 1)])


def test_where_it_is_wrong(spec: Spec) -> None:
    body = {"content": "x", "components": [row(button()), row(button(custom_id="d", label="x" * 81))]}
    [(path, code, _)] = spec.check(*CREATE, body)
    assert path == ("components", 1, "components", 0, "label")
    assert code == "BASE_TYPE_BAD_LENGTH"


def test_the_whole_document_compiles(spec: Spec) -> None:
    document = orjson.loads(DOCUMENT.read_bytes())
    for path, operations in document["paths"].items():
        for method in operations.keys() - {"parameters"}:
            spec.check(method, path, {})


def oracle(route: tuple[str, str]) -> Draft202012Validator:
    """The same schema, by an independent implementation."""
    document = orjson.loads(DOCUMENT.read_bytes())
    schemas = document["components"]["schemas"]
    schemas["SnowflakeType"] = {"anyOf": [schemas["SnowflakeType"], {"type": "integer"}]}
    registry: Registry[Any] = Registry().with_resource("urn:d", Resource(contents=document, specification=DRAFT202012))
    method, path = route
    steps = ("paths", path, method.lower(), "requestBody", "content", "application/json", "schema")
    pointer = "/".join(step.replace("~", "~0").replace("/", "~1") for step in steps)
    return Draft202012Validator({"$ref": f"urn:d#/{pointer}"}, registry=registry)


@pytest.mark.parametrize(
    ("route", "bodies"),
    [
        (CREATE, list(MESSAGES.values())),
        (EDIT, list(MESSAGES.values())),
        (ANSWER, [{"type": 4, "data": body} for body in MESSAGES.values()] + list(ANSWERS.values())),
        (COMMANDS, list(COMMAND_SETS.values())),
    ],
)
def test_agrees_with_jsonschema(spec: Spec, route: tuple[str, str], bodies: list[Any]) -> None:
    reference = oracle(route)
    for body in [*bodies, *(b for r, b in ALLOWED if r == route)]:
        ours = [p for p in spec.check(*route, body) if p[1] != "SANDBOX_UNKNOWN_FIELD"]
        assert bool(ours) == (not reference.is_valid(body)), (body, ours)
