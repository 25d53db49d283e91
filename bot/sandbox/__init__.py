"""A GitHub on this machine, over real git repositories: for the demo and for tests.

It is strict (each request is held to GitHub's published contract), keeps state, sends signed
deliveries, and fails on demand. Start with `Sandbox.start`.
"""

from bot.sandbox.deliveries import Delivery
from bot.sandbox.faults import Fault
from bot.sandbox.git import Contents, File
from bot.sandbox.sandbox import Sandbox
from bot.sandbox.state.apps import App, Installation
from bot.sandbox.state.checks import CheckRun
from bot.sandbox.state.conversation import Comment
from bot.sandbox.state.people import User
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from bot.sandbox.traffic import Exchange, Measure, Violation

__all__ = [
    "App",
    "CheckRun",
    "Comment",
    "Contents",
    "Delivery",
    "Exchange",
    "Fault",
    "File",
    "Installation",
    "Measure",
    "PullRequest",
    "Repository",
    "Sandbox",
    "User",
    "Violation",
]
