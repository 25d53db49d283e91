import asyncio
import socket

import httpx

from bot.web.private import create_private, serving


async def _figures() -> bytes:
    return b"memoryrail_x 1\n"


async def _no_hindrance() -> str:
    return ""


async def test_it_serves_beside_until_the_end() -> None:
    app = create_private(
        figures=_figures, content_type="text/plain; version=1", hindrance=_no_hindrance
    )
    with socket.create_server(("127.0.0.1", 0)) as one:
        url = f"http://127.0.0.1:{one.getsockname()[1]}"
        async with httpx.AsyncClient(base_url=url) as client:
            async with serving(app, [one]):
                answers = [
                    await client.get(f"/{path}") for path in ("metrics", "readyz", "webhook")
                ]
            assert [answer.status_code for answer in answers] == [200, 200, 404]
            assert answers[0].text == "memoryrail_x 1\n"
            assert answers[0].headers["content-type"] == "text/plain; version=1"
    assert len(asyncio.all_tasks()) == 1


async def test_without_a_socket_nothing_is_served() -> None:
    app = create_private(figures=_figures, content_type="", hindrance=_no_hindrance)
    async with serving(app, []):
        assert len(asyncio.all_tasks()) == 1
