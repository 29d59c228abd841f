"""A headless Chromium, driven over its DevTools protocol."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import json
import shutil
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-port=0",
)
PATIENCE = 60.0
KEYS = {
    "Enter": (13, "\r"),
    "Tab": (9, ""),
    "Escape": (27, ""),
    "Backspace": (8, ""),
    "ArrowDown": (40, ""),
    "ArrowUp": (38, ""),
}
Json = dict[str, Any]


def executable() -> str | None:
    """The Chromium of this machine."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class ScriptError(Exception):
    """The page's JavaScript raised something."""


class Tab:
    """One page. `errors` gathers what the console complains about."""

    def __init__(self, ws: aiohttp.ClientWebSocketResponse) -> None:
        self._ws = ws
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self._reader = asyncio.create_task(self._read())
        self.errors: list[str] = []

    async def _read(self) -> None:
        async for frame in self._ws:
            data = json.loads(frame.data)
            if future := self._waiting.pop(data.get("id", 0), None):
                if not future.done():
                    future.set_result(data)
            elif data.get("method") == "Runtime.exceptionThrown":
                details = data["params"]["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description") or details["text"])
            elif data.get("method") == "Runtime.consoleAPICalled" and data["params"]["type"] in ("error", "warning"):
                self.errors.append(str([a.get("value", a.get("description")) for a in data["params"]["args"]]))
            elif data.get("method") == "Log.entryAdded" and data["params"]["entry"]["level"] == "error":
                entry = data["params"]["entry"]
                self.errors.append(f"{entry['text']} {entry.get('url', '')}")

    async def close(self) -> None:
        self._reader.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._reader

    async def send(self, method: str, **params: Any) -> Json:
        """One call of the protocol."""
        number = next(self._numbers)
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        await self._ws.send_json({"id": number, "method": method, "params": params})
        async with asyncio.timeout(PATIENCE):
            data = await future
        if "error" in data:
            raise ScriptError(f"{method}: {data['error']}")
        result: Json = data["result"]
        return result

    async def js(self, script: str) -> Any:
        """The value of a JavaScript expression, awaited if it is a promise."""
        result = await self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise ScriptError(result["exceptionDetails"].get("exception", {}).get("description", script))
        return result["result"].get("value")

    async def until(self, script: str, seconds: float = PATIENCE) -> Any:
        """The value of the expression as soon as it is true."""
        deadline = time.monotonic() + seconds
        while not (value := await self._look(script)):
            if time.monotonic() > deadline:
                shown = await self.js("document.body.innerText.slice(-1500)")
                raise TimeoutError(f"never true: {script}\nerrors: {self.errors}\nthe page ends:\n{shown}")
            await asyncio.sleep(0.05)
        return value

    async def _look(self, script: str) -> Any:
        try:
            return await self.js(f"((v) => v instanceof Node || v)({script})")  # a node itself would come as {}
        except ScriptError as error:
            if "context" not in str(error):  # else the page is just being left
                raise
            return None

    async def open(self, url: str) -> None:
        """Load a page of ours, and wait until it is ready."""
        await self.send("Page.navigate", url=url)
        await self.until("document.body?.dataset.ready")

    async def reload(self) -> None:
        """Load the page anew, and wait until it is ready."""
        await self.js("delete document.body.dataset.ready")
        await self.send("Page.reload")
        await self.until("document.body?.dataset.ready")

    async def size(self, width: int, height: int, *, phone: bool = False) -> None:
        """Be a screen of that size."""
        scale = 2 if phone else 1
        await self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=phone
        )
        await self.send("Emulation.setTouchEmulationEnabled", enabled=phone)

    async def click(self, element: str) -> None:
        """Press the element that the expression finds, in its middle, with the mouse; wait until it is there."""
        point = f"""(() => {{
            const el = {element};
            if (!el || el.disabled) return null;
            el.scrollIntoView({{block: "nearest"}});
            const r = el.getBoundingClientRect();
            const x = r.x + Math.min(r.width / 2, 60), y = r.y + r.height / 2;
            const top = document.elementFromPoint(x, y);
            return r.width && top && (el === top || el.contains(top)) ? {{x, y}} : null;
        }})()"""
        at = await self.until(point)
        for kind in ("mousePressed", "mouseReleased"):
            await self.send("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)

    async def type(self, text: str) -> None:
        """Type text where the focus is."""
        for letter in text:
            await self.send("Input.insertText", text=letter)

    async def key(self, name: str) -> None:
        """Press one key."""
        code, text = KEYS[name]
        known = {"key": name, "code": name, "windowsVirtualKeyCode": code}
        await self.send("Input.dispatchKeyEvent", type="keyDown", **known, **({"text": text} if text else {}))
        await self.send("Input.dispatchKeyEvent", type="keyUp", **known)

    async def screenshot(self, path: Path) -> None:
        """What is on the screen."""
        result = await self.send("Page.captureScreenshot", format="png")
        data = base64.b64decode(result["data"])
        await asyncio.to_thread(path.write_bytes, data)


async def _address(profile: Path) -> str:
    """Where the browser listens, once it has written it down."""
    found = profile / "DevToolsActivePort"
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError, ValueError):
            port, _ = found.read_text().split("\n")[:2]
            return f"http://127.0.0.1:{port}"
        await asyncio.sleep(0.05)
    raise TimeoutError("the browser does not start")


@contextlib.asynccontextmanager
async def browser() -> AsyncIterator[Tab]:
    """A fresh Chromium with one empty tab."""
    program = executable()
    assert program is not None
    with tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True) as name:
        process = await asyncio.create_subprocess_exec(
            program,
            *FLAGS,
            f"--user-data-dir={name}",
            "about:blank",
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            address = await _address(Path(name))
            async with aiohttp.ClientSession() as session:
                async with session.get(f"{address}/json/list") as response:
                    pages = await response.json(content_type=None)
                url = next(page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page")
                async with session.ws_connect(url, max_msg_size=0) as ws:
                    tab = Tab(ws)
                    for domain in ("Page", "Runtime", "Log"):
                        await tab.send(f"{domain}.enable")
                    yield tab
                    await tab.close()
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()
