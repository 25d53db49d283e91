"""Trees, blobs, commits, refs and file contents."""

import base64
import binascii
from typing import Any
from urllib.parse import quote

from bot.sandbox.git import GitError, GitObject, Signature, TreeEntry
from bot.sandbox.git.repository import EMPTY_TREE
from bot.sandbox.graph.commit import SIGNER
from bot.sandbox.refusal import Refusal, forbidden, not_found
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


@handles("git/create-tree", needs="contents:write")
def create_tree(call: Call) -> Reply:
    git = _written(call).git
    base = git.tree(call.body.get("base_tree") or EMPTY_TREE)
    if base is None:
        raise Refusal(422, "base_tree is not a valid tree oid", field="base_tree")
    entries: dict[str, tuple[str, str] | None] = {}
    for each in call.body["tree"]:
        entries[each["path"]] = _new_entry(call, base[0], each)
    try:
        sha = git.write_tree(base[0], entries)
    except GitError as error:
        raise Refusal(422, "GitRPC::BadObjectState", field="tree") from error
    url = f"{call.world.url}/repos/{call.repository.full_name}/git"
    made = git.tree(sha)
    listed = [_entry(call.repository, url, each) for each in made[1]] if made else []
    shown = {"sha": sha, "url": f"{url}/trees/{sha}", "tree": listed, "truncated": False}
    return Reply(status=201, body=shown)


@handles("git/create-blob", needs="contents:write")
def create_blob(call: Call) -> Reply:
    given, git = call.body["content"], _written(call).git
    try:
        is_base64 = call.body.get("encoding") == "base64"
        data = base64.b64decode(given, validate=True) if is_base64 else given.encode()
    except binascii.Error as error:
        raise Refusal(422, "content is not valid Base64", field="content") from error
    sha = git.write_blob(data)
    url = f"{call.world.url}/repos/{call.repository.full_name}/git/blobs/{sha}"
    return Reply(status=201, body={"sha": sha, "url": url})


@handles("git/create-commit", needs="contents:write")
def create_commit(call: Call) -> Reply:
    """GitHub signs what an app commits, unless it says who the author or the committer is."""
    git, given = _written(call).git, call.body
    tree = git.tree(given["tree"])
    if tree is None or tree[0] != given["tree"]:
        raise Refusal(422, "Tree SHA does not exist", field="tree")
    for parent in given.get("parents") or ():
        if git.resolve(parent) != parent:
            raise Refusal(422, "Parent SHA does not exist or is not a commit object")
    if given.keys() & {"author", "committer", "signature"}:
        raise NotImplementedError("the sandbox commits as the app that asks")
    bot, now = call.user, call.world.now()
    made = git.write_commit(
        tree=tree[0],
        parents=given.get("parents") or (),
        message=given["message"],
        author=Signature(name=bot.login, email=bot.email, date=now),
        committer=Signature(name=SIGNER[0], email=SIGNER[1], date=now),
    )
    call.world.signed[made] = now
    return Reply(status=201, body=_git_commit(call, made))


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
    return Reply(body=_git_commit(call, call.parameters["commit_sha"]))


def _git_commit(call: Call, sha: str) -> Json:
    commit = call.repository.git.commit_at(sha)
    if commit is None:
        raise not_found()
    url = f"{call.world.url}/repos/{call.repository.full_name}/git"
    html = f"{call.world.url}/{call.repository.full_name}/commit"
    return {
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


def _written(call: Call) -> Repository:
    if call.repository.archived:
        raise forbidden("Repository was archived so is read-only.")
    return call.repository


def _new_entry(call: Call, base: str, given: Json) -> tuple[str, str] | None:
    """Mode and object id; None for a path that is to go."""
    git = call.repository.git
    if "content" in given:
        if "sha" in given:
            raise Refusal(422, "Must supply either tree.sha or tree.content")
        return given["mode"], git.write_blob(given["content"].encode())
    sha = given["sha"]
    if sha is None:
        if git.read(f"{base}:{given['path']}") is None:
            raise Refusal(422, "GitRPC::BadObjectState", field="tree")
        return None
    found = git.read(sha)
    if found is None or found.type != given["type"]:
        raise Refusal(422, f"tree.sha {sha} is not a valid {given['type']}", field="tree")
    return given["mode"], sha


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
