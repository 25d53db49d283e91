"""Find a browser for the tests of the sandbox's page, and install Chromium where there is none.

Prints its path. `find` is what the tests ask too, so both mean the same browser.
"""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MACOS = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
MISSING = """\
The browser tests need Chromium or Chrome, and none could be installed. Install the package
"chromium" of your system, or run: python -m playwright install --with-deps chromium"""


def find() -> str | None:
    """The path of a browser: the system's, or the one that Playwright has downloaded."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    if MACOS.exists():
        return str(MACOS)
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 (starting it takes long)

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def install() -> None:
    """Try Debian's package when we may, then Playwright's download; a failure leaves none."""
    if os.geteuid() == 0 and "debian" in _system() and shutil.which("apt-get"):
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        subprocess.run(
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"], check=False
        )
    if find() is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def _system() -> str:
    """ "debian", "ubuntu", … and "" where that is not said: Ubuntu's package is only a stub."""
    try:
        return platform.freedesktop_os_release()["ID"]
    except OSError:
        return ""


def main() -> None:
    if find() is None:
        install()
    path = find() or sys.exit(MISSING)
    sys.stdout.write(f"{path}\n")


if __name__ == "__main__":
    main()
