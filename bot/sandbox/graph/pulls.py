"""Pull requests and the comments on them."""

from typing import Any

from bot.sandbox.git import Commit, FileChange
from bot.sandbox.graph.git import CommitNode, git_node, ref_node
from bot.sandbox.graph.view import Info, View, connection, shows
from bot.sandbox.shapes import moment, moment_or_none
from bot.sandbox.state.conversation import Comment, Reaction, Said
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.reviews import Review, ReviewComment

_STATUS = {"removed": "DELETED"}  # where GraphQL has another word than REST
_CONTENT = {"+1": "THUMBS_UP", "-1": "THUMBS_DOWN"}


@shows(PullRequest)
class PullRequestNode:
    __typename = "PullRequest"

    def __init__(self, view: View, pull: PullRequest) -> None:
        self._view = view
        self._pull = pull
        self.id = pull.node_id
        self.database_id = pull.id
        self.full_database_id = str(pull.id)
        self.number = pull.number
        self.title = pull.title
        self.body = self.body_text = pull.body or ""
        self.state = "MERGED" if pull.merged_at else pull.state.upper()
        self.closed = pull.state == "closed"
        self.closed_at = moment_or_none(pull.closed_at)
        self.merged = pull.merged_at is not None
        self.merged_at = moment_or_none(pull.merged_at)
        self.merge_state_status = "UNKNOWN"
        self.is_draft = pull.draft
        self.locked = pull.locked
        self.is_cross_repository = pull.head_repository is not pull.repository
        self.is_in_merge_queue = self.is_merge_queue_enabled = False
        self.maintainer_can_modify = False
        self.created_at = self.published_at = moment(pull.created_at)
        self.updated_at = moment(pull.updated_at)
        self.base_ref_name, self.base_ref_oid = pull.base_ref, pull.base_sha
        self.head_ref_name, self.head_ref_oid = pull.head_ref, pull.head_sha
        self.author_association = pull.repository.association(pull.user)
        self.resource_path = f"/{pull.repository.full_name}/pull/{pull.number}"
        self.url = self.permalink = f"{view.world.url}{self.resource_path}"
        self.viewer_did_author = pull.user is view.caller.app.bot

    @property
    def mergeable(self) -> str:
        return self._pull.mergeable().upper()

    @property
    def author(self) -> Any:
        return self._view.node(self._pull.user)

    @property
    def merged_by(self) -> Any:
        return self._view.node(self._pull.merged_by)

    @property
    def merge_commit(self) -> CommitNode | None:
        sha = self._pull.merge_commit_sha
        found: CommitNode | None = git_node(self._view, self._pull.repository, sha) if sha else None
        return found

    @property
    def repository(self) -> Any:
        return self._view.node(self._pull.repository)

    base_repository = repository

    @property
    def head_repository(self) -> Any:
        return self._view.node(self._pull.head_repository)

    @property
    def head_repository_owner(self) -> Any:
        return self._view.node(self._pull.head_owner)

    @property
    def base_ref(self) -> Any:
        return ref_node(self._view, self._pull.repository, f"refs/heads/{self._pull.base_ref}")

    @property
    def head_ref(self) -> Any:
        head = self._pull.head_repository
        return ref_node(self._view, head, f"refs/heads/{self._pull.head_ref}") if head else None

    @property
    def additions(self) -> int:
        return sum(change.additions for change in self._pull.changes)

    @property
    def deletions(self) -> int:
        return sum(change.deletions for change in self._pull.changes)

    @property
    def changed_files(self) -> int:
        return len(self._pull.changes)

    @property
    def total_comments_count(self) -> int:
        return len(self._pull.comments)

    def comments(self, _info: Info, *, order_by: object = None, **page: Any) -> dict[str, Any]:
        comments = list(self._pull.comments)
        if isinstance(order_by, dict):
            newest_first = order_by["direction"] == "DESC"
            comments.sort(key=lambda comment: comment.updated_at, reverse=newest_first)
        return connection(comments, self._view.node, page, with_edges=True)

    def reviews(
        self,
        _info: Info,
        *,
        author: str | None = None,
        states: list[str] | None = None,
        **page: Any,
    ) -> dict[str, Any]:
        found = [
            review
            for review in self._pull.repository.reviews.values()
            if review.pull is self._pull
            and author in {None, review.author.graphql_login}
            and (not states or review.state.upper() in states)
        ]
        return connection(found, self._view.node, page)

    def commits(self, _info: Info, **page: Any) -> dict[str, Any]:
        return connection(self._pull.commits, self._commit, page)

    def files(self, _info: Info, **page: Any) -> dict[str, Any]:
        return connection(self._pull.changes, _file, page)

    def _commit(self, commit: Commit) -> dict[str, Any]:
        return {
            "id": f"PURC_kwDO{self._pull.id}_{commit.oid}",
            "commit": CommitNode(self._view, self._pull.repository, commit),
            "pullRequest": self,
            "resourcePath": f"{self.resource_path}/commits/{commit.oid}",
            "url": f"{self.url}/commits/{commit.oid}",
        }


class _Said:
    """What people say, as GraphQL's interface Comment and beyond."""

    def __init__(self, view: View, said: Said, anchor: str) -> None:
        self._view = view
        self._said = said
        mine = said.author is view.caller.app.bot
        self.id = said.node_id
        self.database_id = said.id
        self.full_database_id = str(said.id)
        self.body = self.body_text = said.body
        self.created_at = self.published_at = moment(said.created_at)
        self.updated_at = moment(said.updated_at)
        self.last_edited_at = moment(said.updated_at) if said.edits else None
        self.includes_created_edit = said.edits > 0
        self.author_association = said.pull.repository.association(said.author)
        self.viewer_did_author = mine
        self.viewer_can_update = self.viewer_can_delete = mine
        page = f"/{said.pull.repository.full_name}/pull/{said.pull.number}"
        self.resource_path = f"{page}#{anchor}{said.id}"
        self.url = f"{view.world.url}{self.resource_path}"

    @property
    def author(self) -> Any:
        return self._view.node(self._said.author)

    @property
    def pull_request(self) -> Any:
        return self._view.node(self._said.pull)

    @property
    def repository(self) -> Any:
        return self._view.node(self._said.pull.repository)


@shows(Comment)
class IssueCommentNode(_Said):
    __typename = "IssueComment"

    def __init__(self, view: View, comment: Comment) -> None:
        super().__init__(view, comment, "issuecomment-")
        self.is_minimized = comment.minimized is not None
        self.minimized_reason = comment.minimized


@shows(Review)
class PullRequestReviewNode(_Said):
    __typename = "PullRequestReview"

    def __init__(self, view: View, review: Review) -> None:
        super().__init__(view, review, "pullrequestreview-")
        self.state = review.state.upper()
        self.submitted_at = self.created_at


@shows(ReviewComment)
class PullRequestReviewCommentNode(_Said):
    __typename = "PullRequestReviewComment"

    def __init__(self, view: View, comment: ReviewComment) -> None:
        super().__init__(view, comment, "discussion_r")
        self.path = comment.path
        self.line = self.original_line = comment.line


@shows(Reaction)
class ReactionNode:
    __typename = "Reaction"

    def __init__(self, view: View, reaction: Reaction) -> None:
        self._view = view
        self._reaction = reaction
        self.id = reaction.node_id
        self.database_id = reaction.id
        self.content = _CONTENT.get(reaction.content, reaction.content.upper())
        self.created_at = moment(reaction.created_at)

    @property
    def user(self) -> Any:
        return None if self._reaction.user.type == "Bot" else self._view.node(self._reaction.user)


def _file(change: FileChange) -> dict[str, Any]:
    return {
        "path": change.path,
        "additions": change.additions,
        "deletions": change.deletions,
        "changeType": _STATUS.get(change.status, change.status.upper()),
    }
