"""Commits, trees, blobs and refs."""

import base64
from pathlib import PurePosixPath
from typing import Any, Final

from bot.sandbox.contract.graphql import fault
from bot.sandbox.git import Commit, GitObject, TreeEntry
from bot.sandbox.graph.people import git_actor
from bot.sandbox.graph.view import Info, View, connection
from bot.sandbox.shapes import commit_node_id, moment
from bot.sandbox.state.repositories import Repository

MAX_TEXT_BYTES: Final = 512_000  # of Blob.text; what is longer is cut
MAX_BLOB_BYTES: Final = 10_000_000  # above this an object cannot be asked for


def git_node(view: View, repository: Repository, name: str) -> Any:
    """The object that git knows by a name (a sha, a branch, "main:path"), or None."""
    found = repository.git.read(name)
    if found is None:
        return None
    if found.type == "commit":
        commit = repository.git.commit_at(found.oid)
        return CommitNode(view, repository, commit) if commit else None
    if found.type == "tree":
        return TreeNode(view, repository, found.oid, _path_of(name))
    if found.type == "blob":
        if len(found.data) > MAX_BLOB_BYTES:
            raise fault("Could not resolve file over 10mb", "UNPROCESSABLE")
        return BlobNode(view, repository, found)
    return git_node(view, repository, f"{found.oid}^{{}}")


def ref_node(view: View, repository: Repository, name: str) -> "RefNode | None":
    """name: "main", "heads/main" or "refs/heads/main"."""
    for full in (name, f"refs/{name}", f"refs/heads/{name}"):
        if full.startswith("refs/") and repository.git.read(full):
            return RefNode(view, repository, full)
    return None


class _GitNode:
    def __init__(self, view: View, repository: Repository, oid: str) -> None:
        self._view = view
        self._repository = repository
        self.oid = oid
        self.abbreviated_oid = oid[:7]
        self.commit_resource_path = f"/{repository.full_name}/commit/{oid}"
        self.commit_url = f"{view.world.url}{self.commit_resource_path}"

    @property
    def repository(self) -> Any:
        return self._view.node(self._repository)


class CommitNode(_GitNode):
    __typename = "Commit"

    def __init__(self, view: View, repository: Repository, commit: Commit) -> None:
        super().__init__(view, repository, commit.oid)
        self._commit = commit
        headline, _, body = commit.message.partition("\n")
        self.id = commit_node_id(repository, commit.oid)
        self.message = commit.message
        self.message_headline, self.message_body = headline, body.lstrip("\n")
        self.author = git_actor(view, commit.author)
        self.committer = git_actor(view, commit.committer)
        self.authored_date = moment(commit.author.date)
        self.committed_date = moment(commit.committer.date)
        self.authored_by_committer = commit.author.email == commit.committer.email
        self.resource_path, self.url = self.commit_resource_path, self.commit_url

    @property
    def tree(self) -> "TreeNode":
        return TreeNode(self._view, self._repository, self._commit.tree, "")

    @property
    def additions(self) -> int:
        changes = self._repository.git.changes_of(self._commit)
        return sum(change.additions for change in changes)

    @property
    def deletions(self) -> int:
        changes = self._repository.git.changes_of(self._commit)
        return sum(change.deletions for change in changes)

    @property
    def changed_files_if_available(self) -> int:
        return len(self._repository.git.changes_of(self._commit))

    @property
    def committed_via_web(self) -> bool:
        return self.oid in self._view.world.signed

    @property
    def signature(self) -> dict[str, Any] | None:
        signed = self._view.world.signed.get(self.oid)
        if signed is None:
            return None
        return {
            "__typename": "GpgSignature",
            "email": self._commit.committer.email,
            "isValid": True,
            "payload": f"tree {self._commit.tree}",
            "signature": "-----BEGIN PGP SIGNATURE-----",
            "signer": None,
            "state": "VALID",
            "verifiedAt": moment(signed),
            "wasSignedByGitHub": True,
        }

    def file(self, _info: Info, *, path: str) -> "TreeEntryNode | None":
        entry = self._repository.git.entry(self.oid, path)
        if entry is None:
            return None
        return TreeEntryNode(self._view, self._repository, entry, path.strip("/"))

    def history(
        self,
        _info: Info,
        *,
        path: str | None = None,
        author: dict[str, Any] | None = None,
        since: str | None = None,
        until: str | None = None,
        **page: Any,
    ) -> dict[str, Any]:
        if author or since or until:
            raise NotImplementedError("the sandbox has no Commit.history by author or date")
        shas = self._repository.git.log(self.oid, path=path)
        return connection(shas, self._sibling, page, with_edges=True)

    def parents(self, _info: Info, **page: Any) -> dict[str, Any]:
        return connection(self._commit.parents, self._sibling, page, with_edges=True)

    def check_suites(
        self, _info: Info, *, filter_by: dict[str, Any] | None = None, **page: Any
    ) -> dict[str, Any]:
        self._view.require(self._repository, "checks:read")
        wanted = filter_by or {}
        suites = [
            suite
            for suite in self._repository.check_suites.values()
            if suite.head_sha == self.oid
            and wanted.get("appId") in {None, suite.app.id}
            and (
                wanted.get("checkName") is None
                or any(run.name == wanted["checkName"] for run in suite.check_runs)
            )
        ]
        return connection(suites, self._view.node, page)

    def associated_pull_requests(self, _info: Info, **page: Any) -> dict[str, Any]:
        """Merged ones; and open ones, unless the default branch has the commit."""
        self._view.require(self._repository, "pull_requests:read")
        git = self._repository.git
        default = git.branch(self._repository.default_branch)
        is_there = default is not None and git.merge_base(default, self.oid) == self.oid
        pulls = [
            pull
            for pull in self._repository.pulls.values()
            if (pull.merged_at is not None or (pull.state == "open" and not is_there))
            and (pull.head_sha == self.oid or any(c.oid == self.oid for c in pull.commits))
        ]
        return connection(pulls, self._view.node, page)

    def _sibling(self, sha: str) -> "CommitNode | None":
        commit = self._repository.git.commit_at(sha)
        return CommitNode(self._view, self._repository, commit) if commit else None


class TreeNode(_GitNode):
    __typename = "Tree"

    def __init__(self, view: View, repository: Repository, oid: str, path: str) -> None:
        super().__init__(view, repository, oid)
        self._path = path
        self.id = f"T_kwDO{repository.id}_{oid}"

    @property
    def entries(self) -> "list[TreeEntryNode]":
        """One level: folders are entries too, and what they hold is not here."""
        found = self._repository.git.tree(self.oid)
        prefix = f"{self._path}/" if self._path else ""
        return [
            TreeEntryNode(self._view, self._repository, entry, f"{prefix}{entry.path}")
            for entry in (found[1] if found else ())
        ]


class BlobNode(_GitNode):
    __typename = "Blob"

    def __init__(self, view: View, repository: Repository, blob: GitObject) -> None:
        super().__init__(view, repository, blob.oid)
        self.id = f"B_kwDO{repository.id}_{blob.oid}"
        self.byte_size = len(blob.data)
        self.is_truncated = len(blob.data) > MAX_TEXT_BYTES
        self.is_binary = None if self.is_truncated else blob.is_binary
        text = blob.data[:MAX_TEXT_BYTES].decode("utf-8", "replace")
        self.text = None if blob.is_binary else text


class TreeEntryNode:
    __typename = "TreeEntry"

    def __init__(self, view: View, repository: Repository, entry: TreeEntry, path: str) -> None:
        self._view = view
        self._repository = repository
        self._entry = entry
        self.name = entry.name
        self.path = path
        self.mode = int(entry.mode, 8)
        self.type = entry.type
        self.oid = entry.oid
        self.extension = PurePosixPath(entry.name).suffix
        self.is_generated = False
        self.name_raw = base64.b64encode(entry.name.encode()).decode()
        self.path_raw = base64.b64encode(path.encode()).decode()

    @property
    def size(self) -> int:
        return self._repository.git.size(self.oid) if self.type == "blob" else 0

    @property
    def object(self) -> Any:
        if self.type == "commit":  # a submodule's commit lives in another repository
            return None
        if self.type == "tree":
            return TreeNode(self._view, self._repository, self.oid, self.path)
        return git_node(self._view, self._repository, self.oid)

    @property
    def repository(self) -> Any:
        return self._view.node(self._repository)


class RefNode:
    __typename = "Ref"

    def __init__(self, view: View, repository: Repository, full_name: str) -> None:
        self._view = view
        self._repository = repository
        self._full_name = full_name
        parts = full_name.split("/", 2)
        self.prefix, self.name = "/".join(parts[:2]) + "/", parts[2]
        self.id = f"REF_kwDO{repository.id}_{full_name}"

    @property
    def target(self) -> Any:
        return git_node(self._view, self._repository, self._full_name)

    @property
    def repository(self) -> Any:
        return self._view.node(self._repository)

    @property
    def ref_update_rule(self) -> dict[str, Any] | None:
        if self.name not in self._repository.protected:
            return None
        return {
            "allowsDeletions": False,
            "allowsForcePushes": False,
            "blocksCreations": False,
            "pattern": self.name,
            "requiredApprovingReviewCount": None,
            "requiredStatusCheckContexts": [],
            "requiresCodeOwnerReviews": False,
            "requiresConversationResolution": False,
            "requiresLinearHistory": False,
            "requiresSignatures": False,
            "viewerAllowedToDismissReviews": False,
            "viewerCanPush": False,
        }

    @property
    def branch_protection_rule(self) -> None:
        """Shown to administrators only."""
        return None

    def rules(self, _info: Info, **page: Any) -> dict[str, Any]:
        """The one rule that a branch may have here: reviews are dismissed at a push."""
        page.pop("order_by", None)
        found = [self.name] if self.name in self._repository.dismissing else []
        return connection(found, _dismissal, page)


def _dismissal(name: str) -> dict[str, Any]:
    return {
        "__typename": "RepositoryRule",
        "id": f"RR_{name}",
        "type": "PULL_REQUEST",
        "parameters": {
            "__typename": "PullRequestParameters",
            "dismissStaleReviewsOnPush": True,
            "requireCodeOwnerReview": False,
            "requireLastPushApproval": False,
            "requiredApprovingReviewCount": 1,
            "requiredReviewThreadResolution": False,
        },
    }


def _path_of(name: str) -> str:
    return name.partition(":")[2].strip("/")
