"""What exists as JSON in GitHub's shapes, for REST answers and webhook payloads alike."""

from bot.sandbox.shapes.accounts import moment, moment_or_none, rest_contract
from bot.sandbox.shapes.pulls import REACTIONS, Shapes
from bot.sandbox.shapes.repositories import commit_node_id, signature

__all__ = [
    "REACTIONS",
    "Shapes",
    "commit_node_id",
    "moment",
    "moment_or_none",
    "rest_contract",
    "signature",
]
