"""Which operation a request line means, judged on the path as it came: still percent-encoded."""

import re
from collections.abc import Iterable
from typing import Final, Generic, TypeVar
from urllib.parse import unquote

T = TypeVar("T")

_PARAMETER: Final = re.compile(r"\{(\w+)\}")
# How one segment of a template ranks against another; the end of a template ranks last, so that
# `commits/{ref}/check-runs` is tried before `commits/{ref}`.
_LITERAL, _SINGLE, _MULTI, _END = range(4)


class Router(Generic[T]):
    """Templates such as "/repos/{owner}/{repo}/git/ref/{ref}", the most literal tried first."""

    def __init__(self, routes: Iterable[tuple[str, str, frozenset[str], T]]) -> None:
        """routes: method, template, names of the parameters that may hold slashes, and target."""
        self._by_method: dict[str, list[tuple[re.Pattern[str], T]]] = {}
        for method, template, multi, target in sorted(routes, key=lambda r: _rank(r[1], r[2])):
            routes_of_method = self._by_method.setdefault(method.upper(), [])
            routes_of_method.append((_pattern(template, multi), target))

    def match(self, method: str, raw_path: str) -> tuple[T, dict[str, str]] | None:
        """Find the target and the decoded path parameters; raw_path comes without the query."""
        for pattern, target in self._by_method.get(method.upper(), ()):
            if (found := pattern.fullmatch(raw_path)) is not None:
                return target, {name: unquote(value) for name, value in found.groupdict().items()}
        return None


def _rank(template: str, multi: frozenset[str]) -> tuple[int, ...]:
    ranks = []
    for segment in template.strip("/").split("/"):
        parameter = _PARAMETER.fullmatch(segment)
        if parameter is None:
            ranks.append(_LITERAL)
        else:
            ranks.append(_MULTI if parameter[1] in multi else _SINGLE)
    return (*ranks, _END)


def _pattern(template: str, multi: frozenset[str]) -> re.Pattern[str]:
    parts = []
    for position, part in enumerate(_PARAMETER.split(template)):
        if position % 2 == 0:
            parts.append(re.escape(part))
        else:
            parts.append(f"(?P<{part}>{'.+' if part in multi else '[^/]+'})")
    return re.compile("".join(parts), re.DOTALL)
