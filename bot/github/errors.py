"""What can go wrong between us and GitHub, by what the caller does about it.

None of these carries a token or what a request or an answer said: only the operation, the status
and the id under which GitHub's support finds the request.
"""

from datetime import timedelta

from bot.core.errors import GitHubError


class RateLimited(GitHubError):  # noqa: N818 - GitHub's word, and no failure
    """GitHub asks for a pause: put the job back and try again after retry_after.

    is_told: GitHub named the time.
    """

    def __init__(self, retry_after: timedelta, *, is_told: bool = True) -> None:
        super().__init__(f"GitHub limits our requests for {retry_after.total_seconds():.0f} s")
        self.retry_after, self.is_told = retry_after, is_told


class NotFound(GitHubError):  # noqa: N818 - GitHub's word
    """What was asked for is not there, or not for this installation."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} was not found", status=404)


class OutOfReach(GitHubError):  # noqa: N818 - says what is the matter
    """The installation is removed or suspended: nothing can be done until its owner is back."""


class Forbidden(GitHubError):  # noqa: N818 - GitHub's word
    """A write that the owner does not let us make, however often we try."""


class Renamed(GitHubError):  # noqa: N818 - an event, and no failure
    """Under the name that we know there is another repository now: ask for the name by the id."""


class WriteUncertain(GitHubError):  # noqa: N818 - says what is the matter
    """A write got no clear answer: look whether it landed before it is sent again."""


class HeadMoved(GitHubError):  # noqa: N818 - an event, and no failure
    """The pull request has a newer head than the one that was reviewed: review that one."""

    def __init__(self, reviewed: str, head: str) -> None:
        super().__init__(f"the head moved from {reviewed[:12]} to {head[:12]}")
        self.reviewed, self.head = reviewed, head
