"""The mutations. Several in one request run one after another, each with its own error."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from bot.sandbox.contract.graphql import fault
from bot.sandbox.contract.limits import MAX_ANNOTATIONS, beyond_schema
from bot.sandbox.graph.commit import commit_on_branch
from bot.sandbox.graph.refs import make_ref, merge_branch, move_ref, update_refs
from bot.sandbox.graph.view import Info, View
from bot.sandbox.refusal import Refusal
from bot.sandbox.state.checks import CheckRun, create_check_run, update_check_run
from bot.sandbox.state.conversation import Comment, Said, say
from bot.sandbox.state.pulls import PullRequest
from bot.sandbox.state.repositories import Repository
from bot.sandbox.state.reviews import shown_lines, submit

_COMMENTING: Final = "pull_requests:write|issues:write"
_CONTENT: Final = {"THUMBS_UP": "+1", "THUMBS_DOWN": "-1"}
_TEXTS: Final = ("title", "summary", "text")
_SAME_NAME: Final = {  # of the input, and of the body of the REST request
    "name": "name",
    "headSha": "head_sha",
    "detailsUrl": "details_url",
    "externalId": "external_id",
    "startedAt": "started_at",
    "completedAt": "completed_at",
    "actions": "actions",
}

Input = dict[str, Any]
Resolver = Callable[["Mutation", Input], Input]


def _mutation(work: Resolver) -> Callable[..., Input]:
    """Give the payload its clientMutationId, and turn refusals into GraphQL errors."""

    @wraps(work)
    def resolve(self: "Mutation", _info: Info, *, input: Input) -> Input:  # noqa: A002
        try:
            payload = work(self, input)
        except Refusal as refusal:
            raise self.view.refused(refusal) from refusal
        return {**payload, "clientMutationId": input.get("clientMutationId")}

    return resolve


class Mutation:
    def __init__(self, view: View) -> None:
        self.view = view

    @_mutation
    def create_check_run(self, given: Input) -> Input:
        repository = self._find(given["repositoryId"], Repository)
        self.view.require(repository, "checks:write", writes=True)
        if self._too_many_annotations(given):
            return {"checkRun": None}
        run = create_check_run(repository, self.view.caller.app, self._fields(given))
        return {"checkRun": self.view.node(run)}

    @_mutation
    def update_check_run(self, given: Input) -> Input:
        repository = self._find(given["repositoryId"], Repository)
        run = self._find(given["checkRunId"], CheckRun)
        self.view.require(repository, "checks:write", writes=True)
        if run.suite.repository is not repository:
            raise _unresolved(given["checkRunId"])
        if self._too_many_annotations(given):
            return {"checkRun": None}
        update_check_run(run, self.view.caller.app, self._fields(given))
        return {"checkRun": self.view.node(run)}

    @_mutation
    def add_comment(self, given: Input) -> Input:
        pull = self._find(given["subjectId"], PullRequest)
        self.view.require(pull.repository, _COMMENTING, writes=True)
        app = self.view.caller.app
        comment = say(pull, given["body"], user=app.bot, app=app)
        edge = {"cursor": comment.node_id, "node": self.view.node(comment)}
        return {"commentEdge": edge, "subject": self.view.node(pull)}

    @_mutation
    def update_issue_comment(self, given: Input) -> Input:
        comment = self._own_comment(given["id"])
        comment.edit(given["body"], user=self.view.caller.app.bot)
        return {"issueComment": self.view.node(comment)}

    @_mutation
    def delete_issue_comment(self, given: Input) -> Input:
        self._own_comment(given["id"]).delete(user=self.view.caller.app.bot)
        return {}

    @_mutation
    def minimize_comment(self, given: Input) -> Input:
        comment = self._own_comment(given["subjectId"])
        comment.minimized = given["classifier"].lower().replace("_", "-")
        return {"minimizedComment": self.view.node(comment)}

    @_mutation
    def add_reaction(self, given: Input) -> Input:
        said = self._find(given["subjectId"], Said)
        self.view.require(said.pull.repository, _COMMENTING, writes=True)
        content = _CONTENT.get(given["content"], given["content"].lower())
        reaction, _ = said.react(content, user=self.view.caller.app.bot)
        return {"reaction": self.view.node(reaction), "subject": self.view.node(said)}

    @_mutation
    def remove_reaction(self, given: Input) -> Input:
        said = self._find(given["subjectId"], Said)
        self.view.require(said.pull.repository, _COMMENTING, writes=True)
        content = _CONTENT.get(given["content"], given["content"].lower())
        reaction = said.unreact(content, user=self.view.caller.app.bot)
        return {"reaction": self.view.node(reaction), "subject": self.view.node(said)}

    @_mutation
    def create_commit_on_branch(self, given: Input) -> Input:
        return commit_on_branch(self.view, given)

    @_mutation
    def create_ref(self, given: Input) -> Input:
        repository = self._find(given["repositoryId"], Repository)
        self.view.require(repository, "contents:write", writes=True)
        return make_ref(self.view, repository, given["name"], given["oid"])

    @_mutation
    def update_ref(self, given: Input) -> Input:
        return move_ref(self.view, given["refId"], given["oid"], force=bool(given.get("force")))

    @_mutation
    def update_refs(self, given: Input) -> Input:
        repository = self._find(given["repositoryId"], Repository)
        self.view.require(repository, "contents:write", writes=True)
        update_refs(self.view, repository, given["refUpdates"])
        return {}

    @_mutation
    def merge_branch(self, given: Input) -> Input:
        repository = self._find(given["repositoryId"], Repository)
        self.view.require(repository, "contents:write", writes=True)
        return merge_branch(self.view, repository, given)

    @_mutation
    def create_pull_request(self, given: Input) -> Input:
        repository = self._find(given["repositoryId"], Repository)
        self.view.require(repository, "pull_requests:write", writes=True)
        self._hold_to_limits("pulls/create", {"title": given["title"], "body": given.get("body")})
        bot, head = self.view.caller.app.bot, given["headRefName"]
        twins = (p for p in repository.pulls.values() if p.state == "open")
        if any((p.head_repository, p.head_ref) == (repository, head) for p in twins):
            what = f"A pull request already exists for {repository.owner.login}:{head}."
            raise Refusal(422, what)
        base, sha = repository.git.branch(given["baseRefName"]), repository.git.branch(head)
        if base is None or sha is None:
            raise Refusal(422, f"Head ref must be a branch: {head}")
        if repository.git.merge_base(base, sha) == sha:
            raise Refusal(422, f"No commits between {given['baseRefName']} and {head}")
        pull = repository.open_pull(
            head=head,
            base=given["baseRefName"],
            title=given["title"],
            body=given.get("body"),
            user=bot.login,
            draft=bool(given.get("draft")),
        )
        return {"pullRequest": self.view.node(pull)}

    @_mutation
    def add_pull_request_review(self, given: Input) -> Input:
        """A submitted review of comments on lines that the change shows."""
        pull = self._find(given["pullRequestId"], PullRequest)
        self.view.require(pull.repository, "pull_requests:write", writes=True)
        if given.get("event") != "COMMENT" or given.get("comments"):
            raise NotImplementedError("the sandbox takes reviews of threads that only comment")
        self._hold_to_limits("pulls/create-review", {"body": given["body"], "event": "COMMENT"})
        if given.get("commitOID") not in {None, pull.head_sha}:
            raise Refusal(422, "Commit is not part of the pull request")
        threads = given.get("threads") or ()
        for thread in threads:
            shown = shown_lines(pull, thread["path"])
            start, line = thread.get("startLine") or thread["line"], thread["line"]
            if not set(range(start, line + 1)) <= shown or thread.get("startLine") == line:
                raise Refusal(422, "Pull request review thread line must be part of the diff")
        lines = tuple((each["path"], each["line"], each["body"]) for each in threads)
        review = submit(pull, given["body"], user=self.view.caller.app.bot, lines=lines)
        for comment, thread in zip(review.comments, threads, strict=True):
            comment.start_line = thread.get("startLine")
        return {"pullRequestReview": self.view.node(review)}

    def _find(self, node_id: str, kind: type) -> Any:
        found = self.view.world.nodes.get(node_id)
        if not isinstance(found, kind):
            raise _unresolved(node_id)
        return found

    def _own_comment(self, node_id: str) -> Comment:
        comment: Comment = self._find(node_id, Comment)
        caller = self.view.caller
        mine = comment.author is caller.app.bot
        needed = _COMMENTING if mine else "issues:write"
        self.view.require(comment.pull.repository, needed, writes=True)
        return comment

    def _fields(self, given: Input) -> Input:
        """The body of the REST request, held to the limits that GitHub has for both."""
        fields = _rest_body(given)
        self._hold_to_limits("checks/update", fields)
        return fields

    def _hold_to_limits(self, operation: str, fields: Input) -> None:
        found = beyond_schema(operation, fields)
        for each in found:
            self.view.breach(each.kind, str(each))
        if found:
            raise Refusal(422, str(found[0]))

    def _too_many_annotations(self, given: Input) -> bool:
        """GitHub then answers without an error and makes nothing."""
        number = len((given.get("output") or {}).get("annotations") or ())
        if number > MAX_ANNOTATIONS:
            self.view.breach("limit", f"{number} annotations, at most {MAX_ANNOTATIONS} are taken")
        return number > MAX_ANNOTATIONS


def _unresolved(node_id: str) -> Exception:
    message = f"Could not resolve to a node with the global id of '{node_id}'."
    return fault(message, "NOT_FOUND")


def _rest_body(given: Input) -> Input:
    """The input of a check run's mutation as the body of the REST request."""
    fields = {rest: given[name] for name, rest in _SAME_NAME.items() if given.get(name) is not None}
    for name in ("status", "conclusion"):
        if given.get(name) is not None:
            fields[name] = given[name].lower()
    output = given.get("output")
    if output is not None:
        fields["output"] = {
            **{name: output[name] for name in _TEXTS if output.get(name) is not None},
            "annotations": [_annotation(each) for each in output.get("annotations") or ()],
        }
    return fields


def _annotation(given: Input) -> Input:
    location = given["location"]
    fields = {
        "path": given["path"],
        "start_line": location["startLine"],
        "end_line": location["endLine"],
        "start_column": location.get("startColumn"),
        "end_column": location.get("endColumn"),
        "annotation_level": given["annotationLevel"].lower(),
        "message": given["message"],
        "title": given.get("title"),
        "raw_details": given.get("rawDetails"),
    }
    return {name: value for name, value in fields.items() if value is not None}
