"""Files that a store names but whose text is not read."""

from bot.core.model import Problem, TreeFile
from bot.formats.limits import MAX_FILE_BYTES


def unread_problem(file: TreeFile) -> Problem | None:
    """Why the text of a file is not read, None when it is."""
    if file.is_symlink:
        rule, message = (
            "symlink",
            "This is a symbolic link, which is not followed. Put what it leads to in its place.",
        )
    elif file.data is None:
        rule, message = "unread", f"The file was not read: {file.unread or 'no reason is known'}."
    elif len(file.data) > MAX_FILE_BYTES:
        rule, message = "too-large", f"The file is larger than {MAX_FILE_BYTES // 1024} KiB."
    else:
        return None
    return Problem(path=file.path, rule=rule, message=message)
