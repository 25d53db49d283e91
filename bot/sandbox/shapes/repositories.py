"""Repositories, commits and changed files as JSON."""

from typing import TYPE_CHECKING

from bot.sandbox.git import Commit, FileChange, Signature
from bot.sandbox.shapes.accounts import AccountShapes, Json, moment, moment_or_none

if TYPE_CHECKING:
    from bot.sandbox.state.repositories import Repository


class RepositoryShapes(AccountShapes):
    def repository(self, repository: "Repository", schema: str = "repository") -> Json:
        url = f"{self._world.url}/repos/{repository.full_name}"
        html = f"{self._world.url}/{repository.full_name}"
        open_pulls = sum(pull.state == "open" for pull in repository.pulls.values())
        return self._fill(
            schema,
            {
                "id": repository.id,
                "node_id": repository.node_id,
                "name": repository.name,
                "full_name": repository.full_name,
                "private": repository.private,
                "owner": self.user(repository.owner),
                "html_url": html,
                "description": repository.description,
                "fork": repository.parent is not None,
                "url": url,
                "clone_url": f"{html}.git",
                "pulls_url": f"{url}/pulls{{/number}}",
                "default_branch": repository.default_branch,
                "open_issues": open_pulls,
                "open_issues_count": open_pulls,
                "archived": repository.archived,
                "visibility": "private" if repository.private else "public",
                "topics": [],
                "is_template": False,
                "web_commit_signoff_required": False,
                "has_issues": True,
                "pushed_at": moment(repository.pushed_at),
                "created_at": moment(repository.created_at),
                "updated_at": moment(repository.pushed_at),
            },
        )

    def commit(self, repository: "Repository", commit: Commit) -> Json:
        url = f"{self._world.url}/repos/{repository.full_name}"
        html = f"{self._world.url}/{repository.full_name}/commit"
        return {
            "sha": commit.oid,
            "node_id": commit_node_id(repository, commit.oid),
            "url": f"{url}/commits/{commit.oid}",
            "html_url": f"{html}/{commit.oid}",
            "comments_url": f"{url}/commits/{commit.oid}/comments",
            "commit": {
                "url": f"{url}/git/commits/{commit.oid}",
                "author": signature(commit.author),
                "committer": signature(commit.committer),
                "message": commit.message,
                "comment_count": 0,
                "tree": {"sha": commit.tree, "url": f"{url}/git/trees/{commit.tree}"},
                "verification": self.verification(commit),
            },
            "author": self._user_of(commit.author),
            "committer": self._user_of(commit.committer),
            "parents": [
                {"sha": sha, "url": f"{url}/commits/{sha}", "html_url": f"{html}/{sha}"}
                for sha in commit.parents
            ],
        }

    def verification(self, commit: Commit) -> Json:
        signed = self._world.signed.get(commit.oid)
        return {
            "verified": signed is not None,
            "reason": "valid" if signed else "unsigned",
            "signature": "-----BEGIN PGP SIGNATURE-----" if signed else None,
            "payload": f"tree {commit.tree}" if signed else None,
            "verified_at": moment_or_none(signed),
        }

    def file(self, repository: "Repository", change: FileChange, ref: str) -> Json:
        """One entry of a diff; the patch is added by who knows how large the answer may be."""
        html = f"{self._world.url}/{repository.full_name}"
        api = f"{self._world.url}/repos/{repository.full_name}"
        shown: Json = {
            "sha": change.oid,
            "filename": change.path,
            "status": change.status,
            "additions": change.additions,
            "deletions": change.deletions,
            "changes": change.additions + change.deletions,
            "blob_url": f"{html}/blob/{ref}",
            "raw_url": f"{html}/raw/{ref}",
            "contents_url": f"{api}/contents?ref={ref}",
        }
        if change.previous_path is not None:
            shown["previous_filename"] = change.previous_path
        return shown

    def _user_of(self, who: Signature) -> Json | None:
        user = self._world.emails.get(who.email)
        return self.user(user) if user and not user.gone else None


def signature(who: Signature) -> Json:
    return {"name": who.name, "email": who.email, "date": moment(who.date)}


def commit_node_id(repository: "Repository", oid: str) -> str:
    return f"C_kwDO{repository.id}_{oid}"
