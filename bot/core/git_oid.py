"""How git names a content (https://git-scm.com/book/en/v2/Git-Internals-Git-Objects)."""

import hashlib


def blob_oid(data: bytes) -> str:
    """The object id of a file with this content, in a repository of SHA-1 ids, as GitHub's are."""
    header = f"blob {len(data)}\0".encode()
    return hashlib.sha1(header + data, usedforsecurity=False).hexdigest()
