"""Which commits this app made through GitHub's API.

Author and committer of a commit are only text that anyone can write; what cannot be forged is
GitHub's signature. GitHub signs what is made through its API and its pages, with the account that
asked as the author and itself as the committer.
https://docs.github.com/en/authentication/managing-commit-signature-verification/about-commit-signature-verification
"""

from typing import Final

from bot.core.errors import GitHubError
from bot.github.answers import Json, child, children, commit_author, text
from bot.github.installation import RepositoryAccess
from bot.github.tokens import Identity

OWN_COMMIT: Final = """
fragment ownCommit on Commit {
  author { email user { __typename login databaseId } }
  committer { email user { __typename login databaseId } }
  signature { isValid wasSignedByGitHub }
}
"""
_PARENT: Final = """
query Parent($owner: String!, $name: String!, $sha: GitObjectID!) {
  repository(owner: $owner, name: $name) {
    object(oid: $sha) { ... on Commit { parents(first: 1) { nodes { oid } } } }
  }
}
"""


def is_ours(commit: Json, identity: Identity) -> bool:
    """Whether GitHub made and signed a commit for our app. commit: with the fragment ownCommit."""
    author = commit_author(child(commit, "author"))
    signature = child(commit, "signature")
    return (
        author is not None
        and author.is_bot
        and author.login == f"{identity.slug}[bot]"
        # In a codespace GitHub signs what its user writes, any author included, but it names
        # the user as the committer. Its own address is noreply@ the host of the instance.
        and text(child(commit, "committer"), "email").startswith("noreply@")
        and signature.get("isValid") is True
        and signature.get("wasSignedByGitHub") is True
    )


async def parent_of(access: RepositoryAccess, sha: str) -> str:
    """The first parent of a commit. Raises RateLimited, GitHubError."""
    answer = await access.query(_PARENT, {"sha": sha})
    parents = children(child(answer.data, "repository", "object"), "parents", "nodes")
    oid = next((text(parent, "oid") for parent in parents), "")
    if not oid:
        raise GitHubError(f"GitHub did not give commit {sha[:12]} of {access.full_name}")
    return oid
