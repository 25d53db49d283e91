"""Which versions of the format there are (spec/cursor.md, "Versions")."""

from typing import Final

SCHEMA_VERSION: Final = "1"  # of new entries
KNOWN_SCHEMA_VERSIONS: Final = frozenset({"1"})  # an entry that names none is of the current one
