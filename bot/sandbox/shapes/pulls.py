"""Pull requests and what hangs on them as JSON: comments, reactions, check runs."""

from typing import TYPE_CHECKING

from bot.sandbox.shapes.accounts import Json, moment, moment_or_none
from bot.sandbox.shapes.repositories import RepositoryShapes

if TYPE_CHECKING:
    from bot.sandbox.state.checks import Annotation, CheckRun
    from bot.sandbox.state.conversation import Comment, Reaction
    from bot.sandbox.state.people import User
    from bot.sandbox.state.pulls import PullRequest
    from bot.sandbox.state.repositories import Repository
    from bot.sandbox.state.reviews import Review, ReviewComment

REACTIONS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket")


class Shapes(RepositoryShapes):
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
                "rebaseable": None,
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

    def review(self, review: "Review") -> Json:
        pull = review.pull
        url = f"{self._world.url}/repos/{pull.repository.full_name}/pulls/{pull.number}"
        html = f"{self.pull_page(pull)}#pullrequestreview-{review.id}"
        return self._fill(
            "pull-request-review",
            {
                "id": review.id,
                "node_id": review.node_id,
                "user": self.user(review.author),
                "body": review.body,
                "state": review.state.upper(),
                "html_url": html,
                "pull_request_url": url,
                "_links": {"html": {"href": html}, "pull_request": {"href": url}},
                "submitted_at": moment(review.created_at),
                "commit_id": review.commit_id,
                "author_association": pull.repository.association(review.author),
            },
        )

    def review_comment(self, comment: "ReviewComment") -> Json:
        pull = comment.pull
        api = f"{self._world.url}/repos/{pull.repository.full_name}/pulls"
        url, pull_url = f"{api}/comments/{comment.id}", f"{api}/{pull.number}"
        html = f"{self.pull_page(pull)}#discussion_r{comment.id}"
        links = {"self": url, "html": html, "pull_request": pull_url}
        counts = {name: _count(comment.reactions, name) for name in REACTIONS}
        return self._fill(
            "pull-request-review-comment",
            {
                "url": url,
                "pull_request_review_id": comment.review.id,
                "id": comment.id,
                "node_id": comment.node_id,
                "diff_hunk": "@@ -0,0 +1 @@",
                "path": comment.path,
                "line": comment.line,
                "original_line": comment.line,
                "start_line": comment.start_line,
                "original_start_line": comment.start_line,
                "side": "RIGHT",
                "start_side": "RIGHT" if comment.start_line else None,
                "subject_type": "line",
                "position": comment.line,
                "original_position": comment.line,
                "commit_id": comment.review.commit_id,
                "original_commit_id": comment.review.commit_id,
                "user": self.user(comment.author),
                "body": comment.body,
                "created_at": moment(comment.created_at),
                "updated_at": moment(comment.updated_at),
                "html_url": html,
                "pull_request_url": pull_url,
                "author_association": pull.repository.association(comment.author),
                "_links": {name: {"href": link} for name, link in links.items()},
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
            "active_lock_reason": None,
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
            "head": self._end(head, pull.head_owner, pull.head_ref, pull.head_sha),
            "base": self._end(repository, repository.owner, pull.base_ref, pull.base_sha),
            "_links": {name: {"href": link} for name, link in links.items()},
            "author_association": repository.association(pull.user),
            "draft": pull.draft,
        }

    def _end(self, repository: "Repository | None", owner: "User", ref: str, sha: str) -> Json:
        return {
            "label": f"{owner.login}:{ref}",
            "ref": ref,
            "sha": sha,
            "user": self.user(owner),
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


def _count(reactions: "list[Reaction]", content: str) -> int:
    return sum(reaction.content == content for reaction in reactions)
