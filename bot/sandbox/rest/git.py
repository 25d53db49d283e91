"""Trees, blobs, refs and file contents."""

import base64
from typing import Any
from urllib.parse import quote

from bot.sandbox.git import GitObject, TreeEntry
from bot.sandbox.refusal import Refusal, not_found
from bot.sandbox.rest.calls import Call, Json, handles
from bot.sandbox.shapes import commit_node_id, signature
from bot.sandbox.state.repositories import Repository
from bot.sandbox.wire import Reply

MAX_TREE_ENTRIES = 100_000
MAX_DIRECTORY_ENTRIES = 1_000
MAX_INLINE_BYTES = 1_000_000  # of a file whose content the contents operation shows
RAW = "application/vnd.github.raw"


@handles("git/get-tree", needs="contents:read")
def get_tree(call: Call) -> Reply:
    git = call.repository.git
    found = git.tree(call.parameters["tree_sha"])
    if found is None:
        raise not_found()
    sha, entries = found
    listed = git.walk(sha) if call.request.query.get("recursive") else list(entries)
    url = f"{call.world.url}/repos/{call.repository.full_name}/git"
    body = {
        "sha": sha,
        "url": f"{url}/trees/{sha}",
        "tree": [_entry(call.repository, url, each) for each in listed[:MAX_TREE_ENTRIES]],
        "truncated": len(listed) > MAX_TREE_ENTRIES,
    }
    return Reply(body=body)


@handles("git/get-blob", needs="contents:read")
def get_blob(call: Call) -> Reply:
    blob = _object(call, call.parameters["file_sha"], "blob")
    if RAW in call.request.headers.get("accept", ""):
        return Reply(body=blob.data, headers={"content-type": f"{RAW}; charset=utf-8"})
    body = {
        "sha": blob.oid,
        "node_id": f"B_kwDO{call.repository.id}_{blob.oid}",
        "url": f"{call.world.url}/repos/{call.repository.full_name}/git/blobs/{blob.oid}",
        "size": len(blob.data),
        "content": base64.encodebytes(blob.data).decode(),
        "encoding": "base64",
    }
    return Reply(body=body)


@handles("git/get-commit", needs="contents:read")
def get_git_commit(call: Call) -> Reply:
    commit = call.repository.git.commit_at(call.parameters["commit_sha"])
    if commit is None:
        raise not_found()
    url = f"{call.world.url}/repos/{call.repository.full_name}/git"
    html = f"{call.world.url}/{call.repository.full_name}/commit"
    body: Json = {
        "sha": commit.oid,
        "node_id": commit_node_id(call.repository, commit.oid),
        "url": f"{url}/commits/{commit.oid}",
        "html_url": f"{html}/{commit.oid}",
        "author": signature(commit.author),
        "committer": signature(commit.committer),
        "message": commit.message,
        "tree": {"sha": commit.tree, "url": f"{url}/trees/{commit.tree}"},
        "parents": [
            {"sha": sha, "url": f"{url}/commits/{sha}", "html_url": f"{html}/{sha}"}
            for sha in commit.parents
        ],
        "verification": call.shapes.verification(commit),
    }
    return Reply(body=body)


@handles("git/get-ref", needs="contents:read")
def get_ref(call: Call) -> Reply:
    name = f"refs/{call.parameters['ref']}"
    found = call.repository.git.read(name)
    if found is None:
        raise not_found()
    url = f"{call.world.url}/repos/{call.repository.full_name}/git"
    body = {
        "ref": name,
        "node_id": f"REF_kwDO{call.repository.id}_{name}",
        "url": f"{url}/{quote(name)}",
        "object": {"type": found.type, "sha": found.oid, "url": f"{url}/{found.type}s/{found.oid}"},
    }
    return Reply(body=body)


@handles("repos/get-content", needs="contents:read")
def get_contents(call: Call) -> Reply:
    ref = call.request.query.get("ref", call.repository.default_branch)
    sha = call.repository.git.resolve(ref)
    if sha is None:
        raise not_found(f"No commit found for the ref {ref}")
    path = call.parameters["path"].strip("/")
    entry = call.repository.git.entry(sha, path)
    if entry is None:
        raise not_found()
    if entry.type != "tree":
        return Reply(body=_file(call, path, entry, ref))
    inside = call.repository.git.tree(entry.oid)
    below = inside[1][:MAX_DIRECTORY_ENTRIES] if inside else ()
    return Reply(body=[_listed(call, f"{path}/{each.path}", each, ref) for each in below])


def _object(call: Call, sha: str, kind: str) -> GitObject:
    found = call.repository.git.read(sha)
    if found is None or found.oid != sha:
        raise not_found()
    if found.type != kind:
        raise Refusal(422, f"The object {sha} is a {found.type}, not a {kind}", field="sha")
    return found


def _entry(repository: Repository, url: str, entry: TreeEntry) -> Json:
    shown: Json = {
        "path": entry.path,
        "mode": entry.mode,
        "type": entry.type,
        "sha": entry.oid,
    }
    if entry.type != "commit":
        shown["url"] = f"{url}/{entry.type}s/{entry.oid}"
    if entry.type == "blob":
        shown["size"] = repository.git.size(entry.oid)
    return shown


def _file(call: Call, path: str, entry: TreeEntry, ref: str) -> Json:
    shown = _listed(call, path, entry, ref)
    if entry.type == "commit":
        return {**shown, "submodule_git_url": None}
    data = _object(call, entry.oid, "blob").data
    if entry.mode == "120000":
        return {**shown, "target": data.decode("utf-8", "replace")}
    small = len(data) <= MAX_INLINE_BYTES
    content = base64.encodebytes(data).decode() if small else ""
    return {**shown, "content": content, "encoding": "base64" if small else "none"}


def _listed(call: Call, path: str, entry: TreeEntry, ref: str) -> dict[str, Any]:
    api = f"{call.world.url}/repos/{call.repository.full_name}"
    html = f"{call.world.url}/{call.repository.full_name}/blob/{ref}/{quote(path)}"
    url = f"{api}/contents/{quote(path)}?ref={quote(ref)}"
    git_url = f"{api}/git/{'trees' if entry.type == 'tree' else 'blobs'}/{entry.oid}"
    kind = {"tree": "dir", "commit": "submodule"}.get(entry.type, "file")
    return {
        "type": "symlink" if entry.mode == "120000" else kind,
        "size": call.repository.git.size(entry.oid) if entry.type == "blob" else 0,
        "name": entry.name,
        "path": path,
        "sha": entry.oid,
        "url": url,
        "git_url": git_url,
        "html_url": html,
        "download_url": None if entry.type != "blob" else f"{html}?raw=true",
        "_links": {"self": url, "git": git_url, "html": html},
    }
