"""Is a delivery really from GitHub?

https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
"""

import hashlib
import hmac
from collections.abc import Sequence


def is_signed(body: bytes, header: str, secrets: Sequence[bytes]) -> bool:
    """Whether header is `sha256=` and the HMAC of body under any of the secrets.

    Every secret is tried, whether or not one has matched, so that the time taken says nothing.
    SHA-1 signatures are not accepted.
    """
    given = header.encode("utf-8", "surrogateescape")
    matched = False
    for secret in secrets:
        right = b"sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest().encode()
        matched |= hmac.compare_digest(given, right)
    return matched
