"""REST: the bot itself, its guild, and its application commands."""

from __future__ import annotations

from typing import Any

from . import limits, payloads
from .errors import ApiError, Json, invalid_form
from .gateway import MEMBERS
from .routing import Call, route
from .world import CATEGORY, TEXT

GLOBAL = "/applications/{application_id}/commands"
LOCAL = "/applications/{application_id}/guilds/{guild_id}/commands"
# What a command holds when its creator says nothing.
DEFAULTS: Json = {
    "type": 1,
    "name_localizations": None,
    "description": "",
    "description_localizations": None,
    "default_member_permissions": None,
    "nsfw": False,
    "contexts": None,
    "integration_types": [0],
}


@route("GET", "/users/@me")
def me(call: Call) -> Any:
    return payloads.user(call.core.world.bot) | {
        "verified": True,
        "mfa_enabled": False,
        "locale": "en-US",
        "email": None,
    }


@route("GET", "/users/{user_id}")
def get_user(call: Call) -> Any:
    user = call.core.world.users.get(call.params["user_id"])
    if user is None:
        raise ApiError(10013)
    return payloads.user(user)


@route("GET", "/users/@me/guilds")
def my_guilds(call: Call) -> Any:
    world = call.core.world
    return [
        {
            "id": world.guild_id,
            "name": world.guild_name,
            "icon": None,
            "owner": False,
            "permissions": "0",
            "features": [],
        }
    ]


@route("GET", "/gateway", "/gateway/bot")
def gateway(call: Call) -> Any:
    start = {"total": 1000, "remaining": 1000 - len(call.core.gateway.identifies) % 1000, "reset_after": 86400000}
    return {"url": call.core.gateway.url, "shards": 1, "session_start_limit": start | {"max_concurrency": 1}}


@route("GET", "/applications/@me", "/oauth2/applications/@me")
def application(call: Call) -> Any:
    world = call.core.world
    return {
        "id": world.bot.id,
        "name": world.bot.global_name,
        "icon": None,
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "owner": payloads.user(world.owner),
        "team": None,
        "summary": "",
        "approximate_guild_count": 1,
        "bot": payloads.user(world.bot),
    }


def _guild(call: Call) -> str:
    world = call.core.world
    if call.params.get("guild_id", world.guild_id) != world.guild_id:
        raise ApiError(10004)
    return world.guild_id


@route("GET", "/guilds/{guild_id}")
def guild(call: Call) -> Any:
    _guild(call)
    world = call.core.world
    return payloads.guild_summary(world) | {"approximate_member_count": len(world.members)}


@route("GET", "/guilds/{guild_id}/channels")
def channels(call: Call) -> Any:
    _guild(call)
    world = call.core.world
    return [payloads.channel(world, c) for c in world.channels.values() if c.guild_id and c.thread is None]


@route("POST", "/guilds/{guild_id}/channels")
def create_channel(call: Call) -> Any:
    _guild(call)
    core, body = call.core, call.body
    if not core.world.can(core.world.bot.id, None, "manage_channels"):
        raise ApiError(50013)
    kind = body.get("type") or TEXT
    if kind not in (TEXT, CATEGORY):
        raise ApiError(50024)
    made = core.world.add_channel(body["name"], kind, body.get("parent_id") and str(body["parent_id"]))
    made.topic = body.get("topic")
    for rule in body.get("permission_overwrites") or ():
        allow, deny = int(rule.get("allow") or 0), int(rule.get("deny") or 0)
        core.set_overwrite(made, str(rule["id"]), rule.get("type", 0), allow, deny, tell=False)
    core.channel_event("CREATE", made)
    return payloads.channel(core.world, made)


@route("GET", "/guilds/{guild_id}/roles")
def roles(call: Call) -> Any:
    _guild(call)
    return [payloads.role(r) for r in call.core.world.roles.values()]


@route("GET", "/guilds/{guild_id}/members")
def members(call: Call) -> Any:
    _guild(call)
    world = call.core.world
    if not world.granted_intents & MEMBERS:
        raise ApiError(50001)
    limit, after = int(call.query.get("limit", 1)), int(call.query.get("after", 0))
    found = sorted((m for i, m in world.members.items() if int(i) > after), key=lambda m: int(m.user.id))
    return [payloads.member(m) for m in found[:limit]]


@route("GET", "/guilds/{guild_id}/members/search")
def search_members(call: Call) -> Any:
    _guild(call)
    query, limit = call.query.get("query", "").lower(), int(call.query.get("limit", 1))
    found = [m for m in call.core.world.members.values() if m.user.username.startswith(query)]
    return [payloads.member(m) for m in found[:limit]]


@route("GET", "/guilds/{guild_id}/members/{user_id}")
def member(call: Call) -> Any:
    _guild(call)
    world = call.core.world
    found = world.members.get(call.params["user_id"].replace("@me", world.bot.id))
    if found is None:
        raise ApiError(10007)
    return payloads.member(found)


# Application commands


def _scope(call: Call) -> tuple[str | None, dict[str, Json]]:
    """The guild whose commands are meant (None: everywhere), and these commands."""
    if call.params["application_id"] != call.core.world.bot.id:
        raise ApiError(50001)
    guild_id = _guild(call) if "guild_id" in call.params else None
    return guild_id, call.core.world.commands.setdefault(guild_id, {})


def _command(call: Call, guild_id: str | None, body: Json, old: Json | None) -> Json:
    world = call.core.world
    if old is None:
        call.core.limiter.created_command(guild_id)
    base = DEFAULTS if old is None else old
    made = base | {k: v for k, v in body.items() if v is not None or k in base}
    made |= {"id": old["id"] if old else world.new_id(), "application_id": world.bot.id}
    if guild_id:
        made["guild_id"] = guild_id
    if made.get("default_member_permissions") is not None:
        made["default_member_permissions"] = str(made["default_member_permissions"])
    if old is None or {k: v for k, v in old.items() if k != "version"} != made | {"id": old["id"]}:
        made["version"] = world.new_id()
    return made


def _same(commands: dict[str, Json], body: Json) -> Json | None:
    key = (body.get("type") or 1, body["name"])
    return next((c for c in commands.values() if (c["type"], c["name"]) == key), None)


@route("GET", GLOBAL, LOCAL)
def list_commands(call: Call) -> Any:
    return list(_scope(call)[1].values())


@route("PUT", GLOBAL, LOCAL)
def put_commands(call: Call) -> Any:
    guild_id, commands = _scope(call)
    if problems := limits.commands(call.body):
        raise invalid_form(problems)
    made = [_command(call, guild_id, body, _same(commands, body)) for body in call.body]
    commands.clear()
    commands.update((c["id"], c) for c in made)
    return made


@route("POST", GLOBAL, LOCAL)
def create_command(call: Call) -> Any:
    guild_id, commands = _scope(call)
    old = _same(commands, call.body)
    rest = [c for c in commands.values() if c is not old]
    if problems := limits.command(call.body):
        raise invalid_form(problems)
    if limits.commands([*rest, call.body]):
        raise ApiError(30032)
    made = _command(call, guild_id, call.body, old)
    commands[made["id"]] = made
    return made


def _one(call: Call) -> tuple[str | None, dict[str, Json], Json]:
    guild_id, commands = _scope(call)
    found = commands.get(call.params["command_id"])
    if found is None:
        raise ApiError(10063)
    return guild_id, commands, found


@route("GET", GLOBAL + "/{command_id}", LOCAL + "/{command_id}")
def get_command(call: Call) -> Any:
    return _one(call)[2]


@route("PATCH", GLOBAL + "/{command_id}", LOCAL + "/{command_id}")
def edit_command(call: Call) -> Any:
    guild_id, commands, old = _one(call)
    if problems := limits.command(old | call.body):
        raise invalid_form(problems)
    commands[old["id"]] = _command(call, guild_id, call.body, old)
    return commands[old["id"]]


@route("DELETE", GLOBAL + "/{command_id}", LOCAL + "/{command_id}")
def delete_command(call: Call) -> Any:
    _, commands, old = _one(call)
    del commands[old["id"]]
