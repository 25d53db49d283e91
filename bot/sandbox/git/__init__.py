"""Git for the sandbox: real bare repositories, read and written with git's own plumbing."""

from bot.sandbox.git.changes import FileChange
from bot.sandbox.git.objects import Commit, GitObject, Signature, TreeEntry
from bot.sandbox.git.repository import Contents, Edits, File, GitError, GitRepository

__all__ = [
    "Commit",
    "Contents",
    "Edits",
    "File",
    "FileChange",
    "GitError",
    "GitObject",
    "GitRepository",
    "Signature",
    "TreeEntry",
]
