"""Good inputs of each kind, and the pieces that mean something to its reader."""

from collections.abc import Mapping
from typing import Final

from bot.core.sync import END, START
from tests.formats.cursor.making import entry
from tests.formats.jumpybrain.making import SECTIONS
from tests.formats.jumpybrain.making import text as document_text
from tests.fuzz.inputs import Grammar, grammar

ID: Final = "20261009-new"


def memory(status: str = "proposed", id_: str = ID, *more: str) -> str:
    """A memory file as this project writes it, with more lines in its frontmatter."""
    lines = [
        f'id: "{id_}"',
        'type: "decision"',
        f'title: "On {id_}"',
        f'status: "{status}"',
        'created: "2026-10-01T08:00:00.000Z"',
        'updated: "2026-10-01T08:00:00.000Z"',
        *more,
    ]
    return "\n".join(["---", *lines, "---", "", "Body text.", ""])


_YAML: Final = (
    *("&a ", "*a", "!!str ", "!", "<<: *a\n", "? ", "- ", ": ", "|\n", ">-\n", "|+2\n", "{", "}"),
    *("[", "]", ", ", "# ", "---\n", "...\n", "--- ", "%YAML 1.1\n", "\\ud83d", "\\ud83d\\ude80"),
    *("\\x41", "\\u0000", "\\\n", "''", "null", "~", "true", "yes", "0123", "2026-10-10", "  "),
)
_FIELDS: Final = (
    *("status: ", "status: active\n", '"status": ', "id: ", "title: ", "updated: ", "x:\n  y: "),
    *("status", "{status, ", "? status\n"),
    *("supersedes: 20261001-old\n", "superseded_by: ", "pinned: True\n", "links: [../x]\n"),
)
_FLOW: Final = """---
{id: 20261009-new, type: decision, title: T, status: proposed,
 created: 2026-10-01T08:00Z, updated: 2026-10-01T08:00Z}
---
B"""
_BLOCK: Final = f"# A\n\n{START}\n- DEC-74f0: On old\n{END}\n\nB\n"
_TOKEN: Final = "ghp" + "_" + "Q7XK2M5VN3JPRT4Cq7xk2m5vn3jprt4c1yab"
_PASSWORD: Final = "k8Fq" + "zR2m9W"

SAMPLES: Final[Mapping[str, Grammar]] = {
    "memory": grammar(
        [
            memory(),
            memory("active"),
            memory("proposed", ID, 'supersedes: "20261001-old"'),
            memory("proposed", ID, 'tags: ["a"]', "links:\n  - src/db\n  - docs", "pinned: true"),
            memory().replace("\n", "\r\n"),
            memory().replace('"', "").replace("status: proposed", "status:   proposed # waits"),
            memory().replace('title: "On 20261009-new"', "title: >-\n  On\n  new"),
            memory("proposed", ID, "x:\n  status: a\n  y: [1, {z: 2}]", 'e: "\\ud83d\\ude80"'),
            _FLOW,
            "\ufeff" + memory(),
        ],
        [*_YAML, *_FIELDS, "[" * 9],
    ),
    "draft": grammar(
        ["Use Drizzle\ndb sql\nsrc/db\nWhy.\n", "Größe 🚀\na\n./x/../y\n---\nx: y\n---\n"],
        [f"password={_PASSWORD}", _TOKEN, "---\n", "\n", "../", '"', "\\", ": ", "#"],
    ),
    "config": grammar(
        ['{"version": 1, "review": "agents"}\n', '{\n "version": 1\n}', '\ufeff{"version":2}'],
        [
            *('"version"', '"review"', '"off"', "NaN", "Infinity", "null", "true", "\\ud800"),
            *("{", "}", "[", ":", ",", "1" * 5000, "[" * 2000),
        ],
    ),
    "agent-file": grammar(
        [
            _BLOCK,
            _BLOCK.replace("\n", "\r\n"),
            "# A\n",
            "",
            "<!-- memoryrail begin x -->\n- DEC-74f0 On old\n<!--MEMORYRAIL/end-->",
        ],
        [
            *(START, END, f"\n{START}\n", f"\n{END}\n", "<!--", "-->", "```\n"),
            *("memoryrail", "start", "begin", "end", "DEC-a3f9"),
        ],
    ),
    "settings": grammar(
        [
            "agents: [kim, helper[bot]]\nstores:\n  - services/billing\n",
            "secrets:\n  block: high\nmemory:\n  require-decision: true\n",
            "precheck: {require: pinned}\n",
        ],
        [*_YAML, "agents:", "stores: ", "secrets: ", "block: ", "require: ", "../x"],
    ),
    "comment": grammar(
        [
            "/memoryrail approve DEC-5dbe\n",
            "Hi\n\n/memoryrail reject `CON-1f3a`, [per DEC-5dbe]: no longer true\n\n> q\n",
            "<details>\n\n/memoryrail why GOT-0001\n\n</details>\n\n/memoryrail help",
            "On Monday, Kim wrote:\n> /memoryrail approve x\n\n| a |\n| - |\n| /memoryrail |\n",
        ],
        [
            *("/memoryrail ", "approve", "reject", "recheck", "why", "help", "aprove", "DEC-5dbe"),
            *("\n\n", "> ", "```\n", "`", "**", "*", "~~", "- ", "1. ", "    ", "|", "| - |\n"),
            *("<b>", "</b>", "<!--", "-->", "<script>", "[", "](", ")", "[^1]: ", "# ", "&amp;"),
            *(":", ", "),
        ],
    ),
    "citation": grammar(
        ["As [per DEC-74f0, CON-9cc7] and [per 20261001-old].", "per con-9CC7", "20261002-no-orm"],
        [
            *("[per ", "]", "[", "per ", ", ", "&", ";", "“", "`", "*"),
            *("DEC-", "SES-", "0663", "CON-9cc7", "dec-74F0", "20261001-old"),
        ],
    ),
    "links": grammar(
        ["src/db\nsrc/db/a.ts\nKeep the ORM out", "./docs/é\ndocs/e\u0301\nx", ".\na\nOn old"],
        ["/", "./", "../", "..", ".", "src", "src/db", "*", "\n", " ", "ORM", "On 20261001-old"],
    ),
    "entries": grammar(
        [
            f"# Log\n\n{entry('1-0-decision', kind='decision')}",
            entry("1-0-decision", kind="decision", tags="[a, 'b']").replace("\n", "\r\n"),
            entry("1-1-decision", kind="decision", summary='It\'s "so": [x]'),
        ],
        [
            *("<!-- memory-entry:start -->\n", "<!-- memory-entry:end -->\n", "---\n", "---"),
            *("id: ", "kind: decision\n", "author: human\n", "tags: [", "]", ": ", "summary:"),
        ],
    ),
    "documents": grammar(
        [
            document_text(),
            document_text(type="session", body=SECTIONS).replace("\n", "\r\n"),
            document_text(conflicts_with="notes/b.md", tags="a").replace('"a"', "[a, 'b']"),
        ],
        [
            *("---\n", "---", "\ufeff", "id: ", 'id: "mem_', "updated_at:", "tags: [", "]", ": "),
            *("## Open Questions\n", "- why?\n", "# c\n", "  id: x\n", "type: page\n", "\\u00"),
        ],
    ),
    "secrets": grammar(
        [
            f"token = {_TOKEN}\n",
            f"password: {_PASSWORD}\nurl: https://ci:{_PASSWORD}@git.corp/x\n",
            "-----BEGIN " + "PRIVATE" + " KEY-----\n" + "MIIEvQIBADANBgkq" * 6 + "\n",
            "Authorization: Bearer " + "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxIn0.c2lnbmF0dXI\n",
        ],
        [
            *(
                "password",
                "token",
                "secret",
                "=",
                ": ",
                '"',
                "'",
                "`",
                "://",
                "@",
                "${X}",
                "<",
                "{{",
            ),
            *("AK" + "IA", "ghp_", "xoxb-", "eyJ", "-----END ", "KEY-----", "# gitleaks:allow"),
        ],
    ),
}
