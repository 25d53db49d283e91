"""Who counts as an agent: bots, apps, the logins that settings name, and known coding agents.

Agents write proposals and never approve. A commit's author line is only a claim, so a pull request
that an agent opened counts as its work whatever its commits say.
"""

import re
from collections.abc import Collection
from typing import Final

from bot.core.snapshot import Actor, Commit, PullRequest

# E-mail addresses with which coding agents sign their commits or co-author trailers.
_AGENT_EMAILS: Final = frozenset(
    {
        "agent@warp.dev",
        "aider@aider.chat",
        "amp@ampcode.com",
        "claude@anthropic.com",
        "codex@openai.com",
        "crush@charm.land",
        "cursoragent@cursor.com",
        "gemini-cli@google.com",
        "gemini-code-assist@google.com",
        "jules@google.com",
        "noreply@aider.chat",
        "noreply@anthropic.com",
        "noreply@openai.com",
        "noreply@opencode.ai",
        "opencode@sst.dev",
        "openhands@all-hands.dev",
        "qwen-coder@alibabacloud.com",
        "traecli@bytedance.com",
    }
)
_AGENT_LOGINS: Final = frozenset({"copilot"})  # 223556219+Copilot@users.noreply.github.com
_CO_AUTHOR: Final = re.compile(
    r"^(?:co-authored|assisted)-by:[^<\n]{0,200}<([^>\n]{1,200})>[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_BOT_EMAIL: Final = re.compile(r"^(?:\d+\+)?([a-z0-9-]+)\[bot\]@users\.noreply\.github\.com$")


def is_agent(actor: Actor | None, agents: Collection[str]) -> bool:
    """Whether an account is an agent. agents: further logins, in lower case."""
    return actor is not None and (actor.is_bot or actor.login.casefold() in agents)


def is_by_agent(commit: Commit, pull: PullRequest, agents: Collection[str]) -> bool:
    """Whether an agent wrote a commit: alone, as a co-author, or as the one who opened the pull."""
    return is_agent(pull.author, agents) or names_agent(commit, agents)


def names_agent(commit: Commit, agents: Collection[str]) -> bool:
    """Whether a commit itself names an agent: as its author, or as a co-author."""
    if is_agent(commit.author, agents):
        return True
    emails = [commit.author_email, *_CO_AUTHOR.findall(commit.message)]
    return any(_is_agent_email(email.strip().casefold(), agents) for email in emails)


def _is_agent_email(email: str, agents: Collection[str]) -> bool:
    if email in _AGENT_EMAILS or _BOT_EMAIL.match(email):
        return True
    local, _, domain = email.partition("@")
    login = local.rpartition("+")[2]  # 1234+login@users.noreply.github.com
    return domain == "users.noreply.github.com" and (login in agents or login in _AGENT_LOGINS)
