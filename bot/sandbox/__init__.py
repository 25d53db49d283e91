"""A GitHub on this machine, over real git repositories: for the demo and for tests.

It is strict (each request is held to GitHub's published contract), keeps state, sends signed
deliveries, and fails on demand. Start with `Sandbox.start`.
"""

from bot.sandbox.git import File
from bot.sandbox.sandbox import Sandbox

__all__ = ["File", "Sandbox"]
