"""Several mutations in one GraphQL request. They run in order, and each may fail by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from bot.github.answers import Json, child, text
from bot.github.installation import MutationRequest
from bot.github.published import ACTOR, COMMENT, PublishedComment


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """One mutation. way leads to what it makes, whose id proves that it was made."""

    name: str
    input_type: str
    input: Mapping[str, object] = field(repr=False)
    selection: str
    way: tuple[str, ...] | None  # None where GitHub gives nothing back
    creates_content: bool = True

    @classmethod
    def create_check_run(cls, input_: Mapping[str, object]) -> Self:
        """Make a check run."""
        return cls(
            name="createCheckRun",
            input_type="CreateCheckRunInput",
            input=input_,
            selection="checkRun { id }",
            way=("checkRun",),
        )

    @classmethod
    def update_check_run(cls, input_: Mapping[str, object]) -> Self:
        """Change a check run; annotations are added to those that it has."""
        return cls(
            name="updateCheckRun",
            input_type="UpdateCheckRunInput",
            input=input_,
            selection="checkRun { id }",
            way=("checkRun",),
        )

    @classmethod
    def add_comment(cls, input_: Mapping[str, object]) -> Self:
        """Comment on a pull request; the answer tells its head and its newest comments."""
        return cls(
            name="addComment",
            input_type="AddCommentInput",
            input=input_,
            selection="commentEdge { node { id } } subject { ... on PullRequest { "
            "headRefOid comments(last: 30) { nodes { ...comment } } } }",
            way=("commentEdge", "node"),
        )

    @classmethod
    def update_comment(cls, input_: Mapping[str, object]) -> Self:
        """Change a comment; the answer tells the head of its pull request."""
        return cls(
            name="updateIssueComment",
            input_type="UpdateIssueCommentInput",
            input=input_,
            selection="issueComment { id pullRequest { headRefOid } }",
            way=("issueComment",),
        )

    @classmethod
    def delete_comment(cls, input_: Mapping[str, object]) -> Self:
        """Delete a comment."""
        return cls(
            name="deleteIssueComment",
            input_type="DeleteIssueCommentInput",
            input=input_,
            selection="clientMutationId",
            way=None,
        )

    @classmethod
    def add_reaction(cls, input_: Mapping[str, object]) -> Self:
        """React to a comment; GitHub gives back a reaction that is there already."""
        return cls(
            name="addReaction",
            input_type="AddReactionInput",
            input=input_,
            selection="reaction { id }",
            way=("reaction",),
            # Nobody is notified of it, and GitHub's description of its API does not mark it as
            # it marks comments. So what a command does need not wait for the sign that it was seen.
            creates_content=False,
        )

    @classmethod
    def remove_reaction(cls, input_: Mapping[str, object]) -> Self:
        """Take back a reaction of ours; GitHub gives null where there is none."""
        return cls(
            name="removeReaction",
            input_type="RemoveReactionInput",
            input=input_,
            selection="reaction { id }",
            way=("reaction",),
            creates_content=False,
        )

    @classmethod
    def create_commit(cls, input_: Mapping[str, object]) -> Self:
        """Commit to a branch, if its head is still the expected one."""
        return cls(
            name="createCommitOnBranch",
            input_type="CreateCommitOnBranchInput",
            input=input_,
            selection="commit { id oid url signature { isValid } }",
            way=("commit",),
        )

    @classmethod
    def add_review(cls, input_: Mapping[str, object]) -> Self:
        """Submit a review, with its comments on lines."""
        return cls(
            name="addPullRequestReview",
            input_type="AddPullRequestReviewInput",
            input=input_,
            selection="pullRequestReview { id }",
            way=("pullRequestReview",),
        )

    @classmethod
    def create_ref(cls, input_: Mapping[str, object]) -> Self:
        """Make a branch."""
        return cls(
            name="createRef",
            input_type="CreateRefInput",
            input=input_,
            selection="ref { id }",
            way=("ref",),
            creates_content=False,
        )

    @classmethod
    def update_ref(cls, input_: Mapping[str, object]) -> Self:
        """Move a branch forward; without force GitHub refuses anything else."""
        return cls(
            name="updateRef",
            input_type="UpdateRefInput",
            input=input_,
            selection="ref { id }",
            way=("ref",),
            creates_content=False,
        )

    @classmethod
    def update_refs(cls, input_: Mapping[str, object]) -> Self:
        """Make, move and delete branches, each if it is where it is expected to be; or none."""
        return cls(
            name="updateRefs",
            input_type="UpdateRefsInput",
            input=input_,
            selection="clientMutationId",
            way=None,
            creates_content=False,
        )

    @classmethod
    def merge_branch(cls, input_: Mapping[str, object]) -> Self:
        """Merge a commit into a branch."""
        return cls(
            name="mergeBranch",
            input_type="MergeBranchInput",
            input=input_,
            selection="mergeCommit { id oid tree { oid } parents(first: 3) { nodes { oid } } }",
            way=("mergeCommit",),
            creates_content=False,
        )

    @classmethod
    def create_pull_request(cls, input_: Mapping[str, object]) -> Self:
        """Open a pull request."""
        return cls(
            name="createPullRequest",
            input_type="CreatePullRequestInput",
            input=input_,
            selection="pullRequest { id number url }",
            way=("pullRequest",),
        )

    def made(self, answer: Json) -> bool:
        """Whether an answer proves that it took effect; GitHub may fail with null and no error."""
        return self.way is None or bool(text(child(answer, *self.way), "id"))


def deletions(comments: Sequence[PublishedComment]) -> dict[str, Mutation]:
    """Delete comments, by aliases that no other mutation has."""
    return {
        f"extra{index}": Mutation.delete_comment({"id": one.node_id})
        for index, one in enumerate(comments)
    }


def request_of(mutations: Mapping[str, Mutation], *, name: str = "Publish") -> MutationRequest:
    """One request with these mutations, by alias.

    name: of the operation, for whoever reads a log of requests.
    """
    types = ", ".join(f"${alias}: {one.input_type}!" for alias, one in mutations.items())
    fields = " ".join(
        f"{alias}: {one.name}(input: ${alias}) {{ {one.selection} }}"
        for alias, one in mutations.items()
    )
    uses_comment = any("...comment" in one.selection for one in mutations.values())
    fragments = f"{ACTOR}{COMMENT}" if uses_comment else ""
    return MutationRequest(
        text=f"mutation {name}({types}) {{ {fields} }} {fragments}",
        variables={alias: one.input for alias, one in mutations.items()},
        mutations=len(mutations),
        creates_content=any(one.creates_content for one in mutations.values()),
    )
