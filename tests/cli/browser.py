"""A browser for tests: Debian's chromium, driven over HTTP by its driver. No package is needed for that."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
MISSING = "chromium and its driver are not installed (on Debian: apt install chromium chromium-driver)"
SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip
AXE = find_spec("axe_playwright_python")
"""The package that brings axe, which looks for what keeps people from using a page. Nothing of it is imported."""
NO_AXE = "axe is not installed (pip install --no-deps axe-playwright-python)"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The name under which the protocol hands out elements."""
KEYS = {"Tab": "\ue004", "Escape": "\ue00c", "Left": "\ue012", "Right": "\ue014", "Home": "\ue011", "End": "\ue010"}

PATIENCE = 20
"""How long, in seconds, a page may take to come to what a test waits for."""


class Browser:
    """One window."""

    def __init__(self, address: str, profile: Path, width: int = 1300, height: int = 900) -> None:
        options = {
            "binary": CHROMIUM,
            "args": [*SWITCHES, f"--user-data-dir={profile}", f"--window-size={width},{height}"],
        }
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
        self._session = f"{address}/session"
        self._session += "/" + self._ask("POST", "", wanted)["sessionId"]
        focused = {"cmd": "Emulation.setFocusEmulationEnabled", "params": {"enabled": True}}
        self._ask("POST", "/goog/cdp/execute", focused)  # without a desktop no window is the one that has the focus

    def open(self, page: Path, at: str = "") -> None:
        self._ask("POST", "/url", {"url": "about:blank"})  # another part of the same page would not be loaded anew
        self._ask("POST", "/url", {"url": page.as_uri() + at})
        self.wait("return document.hasFocus()")  # on a busy machine a key pressed before would go nowhere

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script returns."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def axe(self) -> list[str]:
        """What axe finds wrong with the page as it is shown now, each with the first element."""
        assert AXE
        assert AXE.origin
        self.run(Path(AXE.origin).with_name("axe.min.js").read_text("utf-8"))
        self.run("window.found = null; axe.run().then((found) => { window.found = found.violations })")
        self.wait("return window.found !== null")
        told = "found.map((each) => `${each.id} at ${each.nodes.length}, such as ${each.nodes[0].html}`)"
        return list(self.run(f"return {told}"))

    def wait(self, script: str, value: Any = True) -> None:
        """Run a script until it returns the value. AssertionError if it does not within `PATIENCE` seconds."""
        end = monotonic() + PATIENCE
        while (got := self.run(script)) != value:
            assert monotonic() < end, f"{script}: still {got!r}, not {value!r}, after {PATIENCE} s"
            sleep(0.02)

    def press(self, *keys: str) -> None:
        """Keys as a person presses them, wherever the focus is."""
        pressed = [
            {"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")
        ]  # fmt: skip
        self._ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": pressed}]})

    def click(self, selector: str) -> None:
        found = self._ask("POST", "/element", {"using": "css selector", "value": selector})
        self._ask("POST", f"/element/{found[ELEMENT]}/click", {})

    def label(self, selector: str) -> str:
        """What a screen reader calls an element."""
        found = self._ask("POST", "/element", {"using": "css selector", "value": selector})
        return str(self._ask("GET", f"/element/{found[ELEMENT]}/computedlabel"))

    def resize(self, width: int, height: int) -> None:
        self._ask("POST", "/window/rect", {"width": width, "height": height})

    def screenshot(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self._ask("GET", "/screenshot")))

    def printed(self) -> bytes:
        """The page as it comes out of a printer, as PDF."""
        return base64.b64decode(self._ask("POST", "/print", {}))

    def emulate(self, media: str, dark: bool = False) -> None:
        """Show the page as for this medium (`print`), for a reader who likes dark colours or not; "": as ever."""
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else ""}]
        command = {"cmd": "Emulation.setEmulatedMedia", "params": {"media": media, "features": features}}
        self._ask("POST", "/goog/cdp/execute", command)

    def download_to(self, folder: Path) -> None:
        """Where files go that a page hands out."""
        params = {"behavior": "allow", "downloadPath": str(folder)}
        self._ask("POST", "/goog/cdp/execute", {"cmd": "Browser.setDownloadBehavior", "params": params})

    def close(self) -> None:
        self._ask("DELETE", "")

    def _ask(self, method: str, path: str, data: Any = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        request = Request(self._session + path, body, {"Content-Type": "application/json"}, method=method)
        try:
            with urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except HTTPError as fault:
            raise AssertionError(fault.read().decode()) from None


@contextmanager
def browsing(profile: Path) -> Iterator[Browser]:
    """A browser with a new, empty profile; it ends with the block."""
    assert DRIVER
    driver = subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert driver.stdout
        port = next(found[1] for line in driver.stdout if (found := re.search(r"successfully on port (\d+)", line)))
        browser = Browser(f"http://127.0.0.1:{port}", profile)
        try:
            yield browser
        finally:
            browser.close()
    finally:
        driver.terminate()
        driver.communicate()
