"""The retry policy and the connection, against a GitHub that fails in every way."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from bot.core.errors import GitHubError
from bot.github.client import AppClient, Request
from bot.github.errors import NotFound, RateLimited, WriteUncertain
from bot.github.installation import RepositoryAccess
from tests.github.conftest import FakeTime, Shop

READ = Request(method="GET", path="/repos/octo/shop", read=True)
WRITE = Request(method="POST", path="/repos/octo/shop/check-runs", read=False, json={})


@dataclass
class Scripted:
    """A server that answers each request with the next raw text; "" closes the connection."""

    answers: list[str]
    requests: list[str] = field(default_factory=list)
    connections: int = 0
    port: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while head := (await reader.readuntil(b"\r\n\r\n")).decode():
                self.requests.append(head)
                length = next(
                    (
                        int(line[15:])
                        for line in head.lower().split("\r\n")
                        if line.startswith("content-length:")
                    ),
                    0,
                )
                await reader.readexactly(length)
                answer = self.answers.pop(0)
                if not answer:
                    break
                writer.write(answer.encode())
                await writer.drain()
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()


def reply(status: str, body: str = "{}", **headers: str) -> str:
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    head = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", *lines, "", ""]
    return "\r\n".join(head) + body


@asynccontextmanager
async def served(*answers: str) -> AsyncIterator[tuple[AppClient, Scripted, FakeTime]]:
    script, clock = Scripted(list(answers)), FakeTime()
    server = await asyncio.start_server(script.serve, "127.0.0.1", 0)
    script.port = server.sockets[0].getsockname()[1]
    client = AppClient(api_url=f"http://127.0.0.1:{script.port}", timing=clock.timing)
    try:
        yield client, script, clock
    finally:
        await client.aclose()
        server.close()
        await server.wait_closed()


OK = reply("200 OK", '{"id": 1}')


@pytest.mark.parametrize(
    "failure",
    [reply("502 Bad Gateway", "<html>"), reply("500 No"), "", reply("200 OK", '{"cut": ')],
    ids=["502", "500", "a closed connection", "an answer cut short"],
)
async def test_a_read_is_repeated_until_it_succeeds(failure: str) -> None:
    async with served(failure, failure, OK) as (client, script, clock):
        answer = await client.send(READ, authorization="Bearer t")
    assert answer.data == {"id": 1}
    assert (len(script.requests), clock.slept) == (3, [0.5, 2.0])


async def test_a_read_is_given_up_after_four_tries() -> None:
    async with served(*[reply("503 No", x_github_request_id="AB12")] * 4) as (client, script, _):
        with pytest.raises(
            GitHubError, match=r"GET /repos/octo/shop was answered 503 .*AB12"
        ) as got:
            await client.send(READ, authorization="Bearer t")
    assert (got.value.status, len(script.requests)) == (503, 4)


@pytest.mark.parametrize("failure", [reply("502 Bad Gateway"), ""], ids=["502", "closed"])
async def test_a_write_that_may_have_landed_is_never_repeated(failure: str) -> None:
    async with served(failure) as (client, script, _):
        with pytest.raises(WriteUncertain):
            await client.send(WRITE, authorization="Bearer t")
    assert len(script.requests) == 1


async def test_a_write_that_cannot_have_arrived_is_repeated_as_a_read_is() -> None:
    clock = FakeTime()
    client = AppClient(api_url="http://127.0.0.1:1", timing=clock.timing)  # nobody listens
    with pytest.raises(GitHubError, match="ConnectError") as got:
        await client.send(WRITE, authorization="Bearer t")
    await client.aclose()
    assert not isinstance(got.value, WriteUncertain)
    assert clock.slept == [0.5, 2.0, 5.0]


@pytest.mark.parametrize("request_", [READ, WRITE], ids=["read", "write"])
@pytest.mark.parametrize(
    "limit",
    [
        reply("429 Slow", retry_after="7"),
        reply("403 No", '{"message": "secondary rate limit"}'),
        reply("403 No", retry_after="Fri, 02 Jan 2099 03:05:05 GMT"),
        reply("200 OK", '{"data": null, "errors": [{"type": "RATE_LIMITED", "message": ""}]}'),
    ],
    ids=["429", "words", "a date", "GraphQL"],
)
async def test_a_limit_is_for_the_worker(limit: str, request_: Request) -> None:
    async with served(limit) as (client, script, clock):
        with pytest.raises(RateLimited) as got:
            await client.send(request_, authorization="Bearer t")
    assert got.value.retry_after >= timedelta(seconds=7)
    assert (len(script.requests), clock.slept) == (1, [])


async def test_a_graphql_query_that_stumbled_is_repeated_and_a_mutation_is_not() -> None:
    stumble = reply(
        "200 OK", '{"data": {"a": null}, "errors": [{"message": "Something went wrong"}]}'
    )
    query = Request(method="POST", path="/graphql", read=True, json={})
    mutation = Request(method="POST", path="/graphql", read=False, json={})
    async with served(stumble, OK, stumble) as (client, script, _):
        assert (await client.send(query, authorization="t")).data == {"id": 1}
        assert (await client.send(mutation, authorization="t")).status == 200
    assert len(script.requests) == 3


async def test_a_redirect_is_followed_for_reads_on_the_same_host_only() -> None:
    moved = reply("301 Moved", location="/repositories/7")
    away = reply("302 Found", location="http://example.invalid/steal")
    async with served(moved, OK, away, moved) as (client, script, _):
        assert (await client.send(READ, authorization="Bearer t")).status == 200
        with pytest.raises(GitHubError, match="another host"):
            await client.send(READ, authorization="Bearer t")
        assert (await client.send(WRITE, authorization="Bearer t")).status == 301
    assert [text.split()[:2] for text in script.requests][1] == ["GET", "/repositories/7"]
    assert len(script.requests) == 4


async def test_requests_share_one_connection_and_say_who_asks() -> None:
    async with served(*[OK] * 20) as (client, script, _):
        for _ in range(20):
            await asyncio.create_task(client.send(READ, authorization="Bearer t"))
    assert script.connections == 1
    head = script.requests[0].lower()
    assert "user-agent: memoryrail-bot" in head
    assert "x-github-api-version: 20" in head
    assert "authorization: bearer t" in head


async def test_errors_carry_neither_token_nor_body() -> None:
    token = "ghs_" + "x" * 36
    async with served(*[reply("500 No", '{"message": "private text"}')] * 4) as (client, _, _):
        with pytest.raises(GitHubError) as got:
            await client.send(READ, authorization=f"Bearer {token}")
    told = repr(got.value) + str(got.value.__cause__) + repr(READ)
    assert token not in told
    assert "private text" not in told


@pytest.mark.parametrize(
    ("api", "graphql"),
    [
        ("https://api.github.com", "https://api.github.com/graphql"),
        ("https://api.x.ghe.com/", "https://api.x.ghe.com/graphql"),
        ("https://host/api/v3", "https://host/api/graphql"),
    ],
)
async def test_where_graphql_is_served(api: str, graphql: str) -> None:
    client = AppClient(api_url=api)
    assert client.graphql_url == graphql
    await client.aclose()


async def test_an_enterprise_server_is_spoken_to_in_its_own_version() -> None:
    script = Scripted([OK])
    server = await asyncio.start_server(script.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    client = AppClient(api_url=f"http://127.0.0.1:{port}/api/v3")
    await client.send(READ, authorization="Bearer t")
    await client.aclose()
    server.close()
    await server.wait_closed()
    assert script.requests[0].startswith("GET /api/v3/repos/octo/shop ")
    assert "x-github-api-version: 2022-11-28" in script.requests[0].lower()


async def test_a_limited_installation_is_left_alone_until_the_limit_ends(
    shop: Shop, access: RepositoryAccess, clock: FakeTime
) -> None:
    shop.github.faults.add(
        "GET /repos/octo/shop/compare", status=429, headers={"retry-after": "30"}
    )
    with pytest.raises(RateLimited):
        await access.get("/compare/main...main")
    before = len(shop.github.requests)
    with pytest.raises(RateLimited) as got:
        await access.get("/compare/main...main")
    assert len(shop.github.requests) == before
    assert timedelta(seconds=28) < got.value.retry_after <= timedelta(seconds=30)
    clock.ahead += timedelta(seconds=31)
    assert (await access.get("/compare/main...main")).status == 200


async def test_what_is_not_there_is_not_found(access: RepositoryAccess) -> None:
    with pytest.raises(NotFound):
        await access.get("/git/blobs/" + "0" * 40)


async def test_a_renamed_repository_is_still_read(shop: Shop, access: RepositoryAccess) -> None:
    shop.repository.rename("store")
    assert (await access.get("/compare/main...main")).status == 200


async def test_writes_of_an_installation_go_out_a_second_apart(
    access: RepositoryAccess, clock: FakeTime
) -> None:
    for _ in range(3):
        request = Request(method="GET", path="/repos/octo/shop", read=False)
        await access.installation.send(request)
    assert len(clock.slept) == 2
    assert all(0.5 < pause <= 1 for pause in clock.slept)
