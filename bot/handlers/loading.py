"""Reading a pull request for a job: GitHub's side of it, and what our database adds."""

import hashlib
import hmac
from dataclasses import dataclass, field, replace
from functools import partial

from bot.github.installation import RepositoryAccess
from bot.github.snapshot import Loaded, load
from bot.store import commands
from bot.store.database import Database
from bot.store.pulls import PullKey, PullState


@dataclass(frozen=True, slots=True, kw_only=True)
class Loader:
    """Reads pull requests of any installation."""

    database: Database
    fingerprint_key: bytes = field(repr=False)

    async def load(
        self, access: RepositoryAccess, state: PullState, number: int, head: str | None = None
    ) -> Loaded:
        """A pull request of state's repository as it is now. head: a sha that it has, or newer.

        Raises what bot.github.snapshot.load raises.
        """
        installation = str(state.installation_id).encode()
        loaded = await load(
            access,
            number,
            head=head,
            fingerprint_key=hmac.digest(self.fingerprint_key, installation, hashlib.sha256),
        )
        key = PullKey(repository_id=state.key.repository_id, number=number)
        approvals = await self.database.transact(partial(commands.approved, key=key))
        return replace(loaded, snapshot=replace(loaded.snapshot, approvals=approvals))
