"""What exists as JSON in GitHub's shapes, for REST answers and webhook payloads alike.

Each shape starts from the skeleton of its schema, so that required fields of no interest here
(most addresses) are there too. One `Shapes` speaks one version of the API; webhooks have the base
version.
"""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from bot.sandbox.contract.rest import BASE_VERSION, RestContract
from bot.sandbox.git import Commit, FileChange, Signature
from bot.sandbox.state.people import legacy_permission, permission_booleans

if TYPE_CHECKING:
    from bot.sandbox.state.apps import App, Installation
    from bot.sandbox.state.checks import Annotation, CheckRun
    from bot.sandbox.state.conversation import Comment, Reaction
    from bot.sandbox.state.people import User
    from bot.sandbox.state.pulls import PullRequest
    from bot.sandbox.state.repositories import Repository
    from bot.sandbox.state.world import World

Json = dict[str, Any]
REACTIONS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket")


@cache
def rest_contract() -> RestContract:
    """The description of the REST API, loaded once a process."""
    return RestContract.load()


@cache
def _skeleton(name: str, version: str) -> Json:
    found: Json = rest_contract().component_skeleton(name, version)
    return found


def moment(value: datetime) -> str:
    return value.strftime("%Y-%m-%dT%H:%M:%SZ")


def moment_or_none(value: datetime | None) -> str | None:
    return moment(value) if value is not None else None


class Shapes:
    def __init__(self, world: "World", version: str = BASE_VERSION) -> None:
        self._world = world
        self._version = version

    # Accounts and apps

    def user(self, user: "User") -> Json:
        return self._fill("simple-user", self._user(user))

    def public_user(self, user: "User") -> Json:
        created = {"created_at": "2020-01-01T00:00:00Z", "updated_at": "2020-01-01T00:00:00Z"}
        return self._fill("public-user", {**self._user(user), "name": user.name, **created})

    def collaborator_permission(self, repository: "Repository", user: "User") -> Json:
        role = repository.role(user)
        role_name = repository.role_names.get(user, role)
        return {
            "permission": legacy_permission(role),
            "role_name": role_name,
            "user": {
                **_skeleton("simple-user", self._version),
                **self._user(user),
                "permissions": permission_booleans(role),
                "role_name": role_name,
            },
        }

    def app(self, app: "App") -> Json:
        return self._fill(
            "integration",
            {
                "id": app.id,
                "node_id": app.node_id,
                "client_id": app.client_id,
                "slug": app.slug,
                "name": app.name,
                "owner": self.user(app.owner),
                "html_url": f"{self._world.url}/apps/{app.slug}",
                "created_at": moment(app.created_at),
                "updated_at": moment(app.created_at),
                "permissions": {"metadata": "read", **app.permissions},
                "events": list(app.events),
            },
        )

    def installation(self, installation: "Installation") -> Json:
        app, url = installation.app, self._world.url
        return self._fill(
            "installation",
            {
                "id": installation.id,
                "account": self.user(installation.account),
                "repository_selection": "selected",
                "access_tokens_url": f"{url}/app/installations/{installation.id}/access_tokens",
                "repositories_url": f"{url}/installation/repositories",
                "app_id": app.id,
                "app_slug": app.slug,
                "client_id": app.client_id,
                "target_id": installation.account.id,
                "target_type": installation.account.type,
                "permissions": dict(installation.permissions),
                "events": list(app.events),
                "created_at": moment(installation.created_at),
                "updated_at": moment(installation.created_at),
                "suspended_at": moment_or_none(installation.suspended_at),
            },
        )

    # Repositories and git

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

    # Pull requests and what hangs on them

    def pull_simple(self, pull: "PullRequest") -> Json:
        """As lists show it."""
        return self._fill("pull-request-simple", self._pull(pull))

    def pull(self, pull: "PullRequest") -> Json:
        changes = pull.changes
        return self._fill(
            "pull-request",
            {
                **self._pull(pull),
                "merged": pull.merged_at is not None,
                "mergeable": None,
                "mergeable_state": "unknown",
                "merged_by": self.user(pull.merged_by) if pull.merged_by else None,
                "comments": len(pull.comments),
                "review_comments": 0,
                "maintainer_can_modify": False,
                "commits": len(pull.commits),
                "additions": sum(change.additions for change in changes),
                "deletions": sum(change.deletions for change in changes),
                "changed_files": len(changes),
            },
        )

    def comment(self, comment: "Comment") -> Json:
        pull = comment.pull
        api = f"{self._world.url}/repos/{pull.repository.full_name}/issues"
        counts = {name: _count(comment.reactions, name) for name in REACTIONS}
        url = f"{api}/comments/{comment.id}"
        return self._fill(
            "issue-comment",
            {
                "id": comment.id,
                "node_id": comment.node_id,
                "url": url,
                "html_url": f"{self.pull_page(pull)}#issuecomment-{comment.id}",
                "issue_url": f"{api}/{pull.number}",
                "body": comment.body,
                "user": self.user(comment.author),
                "created_at": moment(comment.created_at),
                "updated_at": moment(comment.updated_at),
                "author_association": pull.repository.association(comment.author),
                "performed_via_github_app": self.app(comment.app) if comment.app else None,
                "reactions": {
                    "url": f"{url}/reactions",
                    "total_count": len(comment.reactions),
                    **counts,
                },
            },
        )

    def reaction(self, reaction: "Reaction") -> Json:
        return {
            "id": reaction.id,
            "node_id": reaction.node_id,
            "user": self.user(reaction.user),
            "content": reaction.content,
            "created_at": moment(reaction.created_at),
        }

    def check_run(self, run: "CheckRun") -> Json:
        repository = run.suite.repository
        url = f"{self._world.url}/repos/{repository.full_name}/check-runs/{run.id}"
        pulls = (p for p in repository.pulls.values() if p.state == "open")
        here = [p for p in pulls if p.head_sha == run.head_sha and p.head_repository is repository]
        html = f"{self._world.url}/{repository.full_name}/runs/{run.id}"
        return {
            "id": run.id,
            "node_id": run.node_id,
            "head_sha": run.head_sha,
            "external_id": run.external_id,
            "url": url,
            "html_url": html,
            "details_url": run.details_url or html,
            "status": run.status,
            "conclusion": run.conclusion,
            "started_at": moment_or_none(run.started_at),
            "completed_at": moment_or_none(run.completed_at),
            "output": {
                "title": run.title,
                "summary": run.summary,
                "text": run.text,
                "annotations_count": len(run.annotations),
                "annotations_url": f"{url}/annotations",
            },
            "name": run.name,
            "check_suite": {"id": run.suite.id},
            "app": self.app(run.app),
            "pull_requests": [self._pull_minimal(pull) for pull in here],
        }

    def annotation(self, run: "CheckRun", annotation: "Annotation") -> Json:
        html = f"{self._world.url}/{run.suite.repository.full_name}"
        return {
            "path": annotation.path,
            "start_line": annotation.start_line,
            "end_line": annotation.end_line,
            "start_column": annotation.start_column,
            "end_column": annotation.end_column,
            "annotation_level": annotation.annotation_level,
            "title": annotation.title,
            "message": annotation.message,
            "raw_details": annotation.raw_details,
            "blob_href": f"{html}/blob/{run.head_sha}/{annotation.path}",
        }

    def pull_page(self, pull: "PullRequest") -> str:
        return f"{self._world.url}/{pull.repository.full_name}/pull/{pull.number}"

    # Parts

    def _fill(self, schema: str, values: Mapping[str, Any]) -> Json:
        return {**_skeleton(schema, self._version), **values}

    def _user(self, user: "User") -> Json:
        url = f"{self._world.url}/users/{user.login.replace('[', '%5B').replace(']', '%5D')}"
        return {
            "login": user.login,
            "id": user.id,
            "node_id": user.node_id,
            "type": user.type,
            "site_admin": False,
            "gravatar_id": "",
            "avatar_url": f"{self._world.url}/avatars/{user.id}",
            "url": url,
            "html_url": f"{self._world.url}/{user.graphql_login}",
        }

    def _user_of(self, who: Signature) -> Json | None:
        user = self._world.emails.get(who.email)
        return self.user(user) if user else None

    def _pull(self, pull: "PullRequest") -> Json:
        repository = pull.repository
        api = f"{self._world.url}/repos/{repository.full_name}"
        url = f"{api}/pulls/{pull.number}"
        head = pull.head_repository
        html = self.pull_page(pull)
        links = {
            "self": url,
            "html": html,
            "issue": f"{api}/issues/{pull.number}",
            "comments": f"{api}/issues/{pull.number}/comments",
            "review_comments": f"{url}/comments",
            "review_comment": f"{api}/pulls/comments{{/number}}",
            "commits": f"{url}/commits",
            "statuses": f"{api}/statuses/{pull.head_sha}",
        }
        return {
            "id": pull.id,
            "node_id": pull.node_id,
            "url": url,
            "html_url": html,
            "issue_url": links["issue"],
            "comments_url": links["comments"],
            "commits_url": links["commits"],
            "number": pull.number,
            "state": pull.state,
            "locked": pull.locked,
            "title": pull.title,
            "user": self.user(pull.user),
            "body": pull.body,
            "labels": [],
            "created_at": moment(pull.created_at),
            "updated_at": moment(pull.updated_at),
            "closed_at": moment_or_none(pull.closed_at),
            "merged_at": moment_or_none(pull.merged_at),
            "assignees": [],
            "requested_reviewers": [],
            "requested_teams": [],
            "head": self._end(head, pull.head_ref, pull.head_sha),
            "base": self._end(repository, pull.base_ref, pull.base_sha),
            "_links": {name: {"href": link} for name, link in links.items()},
            "author_association": repository.association(pull.user),
            "draft": pull.draft,
        }

    def _end(self, repository: "Repository | None", ref: str, sha: str) -> Json:
        owner = repository.owner if repository else None
        return {
            "label": f"{owner.login if owner else 'unknown'}:{ref}",
            "ref": ref,
            "sha": sha,
            "user": self.user(owner) if owner else None,
            "repo": self.repository(repository) if repository else None,
        }

    def _pull_minimal(self, pull: "PullRequest") -> Json:
        def end(repository: "Repository | None", ref: str, sha: str) -> Json:
            small = {"id": 0, "url": "", "name": ""}
            if repository is not None:
                url = f"{self._world.url}/repos/{repository.full_name}"
                small = {"id": repository.id, "url": url, "name": repository.name}
            return {"ref": ref, "sha": sha, "repo": small}

        return {
            "id": pull.id,
            "number": pull.number,
            "url": f"{self._world.url}/repos/{pull.repository.full_name}/pulls/{pull.number}",
            "head": end(pull.head_repository, pull.head_ref, pull.head_sha),
            "base": end(pull.repository, pull.base_ref, pull.base_sha),
        }


def signature(who: Signature) -> Json:
    return {"name": who.name, "email": who.email, "date": moment(who.date)}


def commit_node_id(repository: "Repository", oid: str) -> str:
    return f"C_kwDO{repository.id}_{oid}"


def _count(reactions: "list[Reaction]", content: str) -> int:
    return sum(reaction.content == content for reaction in reactions)
