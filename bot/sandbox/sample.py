"""A small shop with a history, for the demo: what a team would have, and a pull request to it.

Only data. Whoever uses it puts the generated block into AGENTS.md at the end of the history.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

NAME: Final = "octo/shop"


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleCommit:
    """One commit: who, when, why, and the files that it writes."""

    login: str
    message: str
    at: datetime
    files: Mapping[str, str] = field(default_factory=dict)


def _day(month: int, day: int, hour: int = 9) -> datetime:
    return datetime(2026, month, day, hour, tzinfo=UTC)


def _memory(
    id_: str, type_: str, title: str, body: str, *, status: str = "active", **more: str
) -> dict[str, str]:
    """A memory file as the format asks writers: every value as JSON."""
    stamp = f"{id_[:4]}-{id_[4:6]}-{id_[6:8]}T09:00:00.000Z"
    fields = {
        "id": f'"{id_}"',
        "type": f'"{type_}"',
        "title": f'"{title}"',
        "status": f'"{status}"',
        "created": f'"{stamp}"',
        "updated": f'"{stamp}"',
        **more,
    }
    lines = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return {f".memoryrail/memories/{id_}.md": f"---\n{lines}---\n\n{body}\n"}


_ORDERS: Final = '''\
"""Placing and reading orders over HTTP."""

from src.db.orders import OrderRepository
from src.gateway import charge


def place(order, repository: OrderRepository):
    """Charge an order, then store it."""
    receipt = charge(order.amount_cents, order.currency)
    return repository.save(order, receipt)
'''

_POOL: Final = '''\
"""The only place that opens connections to the database."""

import sqlite3

SIZE = 8


def connect() -> sqlite3.Connection:
    return sqlite3.connect("shop.db")
'''

HISTORY: Final = (
    SampleCommit(
        login="ada",
        message="Place orders and keep them",
        at=_day(3, 2),
        files={
            "README.md": "# Shop\n\nOrders, charged through a payment gateway.\n",
            "AGENTS.md": "# For agents\n\nRun the tests before you commit.\n",
            "src/api/orders.py": _ORDERS,
            "src/db/pool.py": _POOL,
            "src/db/orders.py": "class OrderRepository:\n    def save(self, order, receipt): ...\n",
            "src/gateway.py": "def charge(amount_cents, currency): ...\n",
        },
    ),
    SampleCommit(
        login="ada",
        message="Keep the project's memory in the repository",
        at=_day(3, 9),
        files={
            ".memoryrail/config.json": '{ "version": 1, "review": "agents" }\n',
            **_memory(
                "20260309-only-src-db-opens-connections",
                "constraint",
                "Only src/db opens database connections",
                "Handlers go through the repository layer. A direct connection from a handler "
                "exhausted the pool in March.",
                links='["src/api", "src/db"]',
                tags='["db"]',
            ),
            **_memory(
                "20260309-money-is-integer-cents",
                "constraint",
                "Money is integer cents, never float",
                "Rounding lost a cent in one order of a thousand.",
                pinned="true",
            ),
        },
    ),
    SampleCommit(
        login="bob",
        message="Retry orders inside the request when the gateway times out",
        at=_day(4, 13),
        files={"src/api/orders.py": _ORDERS.replace("    receipt = ", "    receipt = retry * ")},
    ),
    SampleCommit(
        login="ada",
        message="Take the retry back, and say why",
        at=_day(4, 20),
        files={
            "src/api/orders.py": _ORDERS,
            **_memory(
                "20260420-retry-inside-the-request",
                "attempt",
                "Retrying an order inside the request charged customers twice",
                "When the gateway timeout fired, the first charge had often succeeded. The retry "
                "charged again. Retries need the gateway's idempotency key.",
                links='["src/api/orders.py"]',
                tags='["gateway", "orders"]',
            ),
            **_memory(
                "20260420-gateway-answers-200",
                "gotcha",
                "The gateway answers 200 when it refuses a card",
                "Read `status` in the body of its answer.",
                links='["src/gateway.py"]',
            ),
        },
    ),
)

PULL_TITLE: Final = "Retry an order when the gateway times out"
PULL_BODY: Final = (
    "Customers see an error when the gateway is slow. Try the order again in place.\n"
)
PULL_BRANCH: Final = "retry-orders"

_DIRECT: Final = '''\
"""Placing and reading orders over HTTP."""

import sqlite3

from src.gateway import charge


def place(order):
    """Charge an order, trying again when the gateway times out, then store it."""
    try:
        receipt = charge(order.amount_cents, order.currency)
    except TimeoutError:
        receipt = charge(order.amount_cents, order.currency)
    with sqlite3.connect("shop.db") as connection:
        connection.execute("insert into orders values (?, ?)", (order.id, receipt.id))
'''

_KEYED: Final = _ORDERS.replace(
    "    receipt = charge(order.amount_cents, order.currency)\n",
    "    receipt = charge(order.amount_cents, order.currency, key=order.id)\n",
)

_DECISION: Final = _memory(
    "20261128-send-an-idempotency-key",
    "decision",
    "Every charge carries the order's id as idempotency key",
    "Then a charge may be repeated, inside the request or later.",
    status="proposed",
    links='["src/gateway.py", "src/api/orders.py"]',
)

_GOTCHA: Final = _memory(
    "20261128-used-key-first-receipt",
    "gotcha",
    "The gateway answers a repeated key with the first receipt",
    "A retry then looks like a success: compare the amount before the order is stored.",
    status="proposed",
    links='["src/gateway.py"]',
)

_AGENT: Final = "shop-agent[bot]"
_KEY: Final = "".join(["sk_", "live_", "9mZr3VtQx7Lw2KpNc8BhYd4F"])  # made up

OPENED: Final = SampleCommit(
    login=_AGENT,
    message="Retry an order when the gateway times out",
    at=_day(11, 28, 9),
    files={"src/api/orders.py": _DIRECT},
)
# A key in a file, and a decision that no person approved.
PUSHED: Final = SampleCommit(
    login=_AGENT,
    message="Try it against the gateway, and note the decision",
    at=_day(11, 28, 10),
    files={
        "deploy/gateway.env": f"GATEWAY_KEY={_KEY}\n",
        **{path: text.replace('"proposed"', '"active"') for path, text in _DECISION.items()},
    },
)
# Pushed by force once the bot has spoken: no key, no direct connection, two proposals.
AMENDED: Final = SampleCommit(
    login=_AGENT,
    message="Charge with an idempotency key\n\nThe new reason to retry: [per ATT-4215].",
    at=_day(11, 28, 11),
    files={
        "src/api/orders.py": _KEYED,
        "src/gateway.py": "def charge(amount_cents, currency, key): ...\n",
        **_DECISION,
        **_GOTCHA,
    },
)

MAINTAINER: Final = "ada"
READER: Final = "eve"
ROLES: Final = {MAINTAINER: "maintain", "bob": "write", READER: "read"}
APPROVAL: Final = "/memoryrail approve DEC-3743"
WAITING: Final = "GOT-d7f6"  # the proposal that is left for who watches
