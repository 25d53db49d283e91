"""`remember TYPE "title"`: a new memory, with the paragraphs below the command as its body."""

from dataclasses import replace

from bot.commands.context import Context, WrongArguments
from bot.commands.grammar import Command
from bot.commands.outcome import Outcome, Planned, Refused
from bot.core.model import MemoryType
from bot.core.quoting import cut
from bot.formats import memoryrail
from bot.formats.memoryrail.create import Draft, create
from bot.formats.memoryrail.store_tree import StoreTree


def plan(command: Command, context: Context) -> Outcome:
    """Plan it, in the store that is closest to the comment's file.

    It is a proposal, unless settings let who asks write what is active. Raises WrongArguments,
    DraftError.
    """
    type_, title = _type_and_title(command)
    tree = _store(context)
    if tree is None:
        return Refused(
            text="There is no store to write to: this head has no `.memoryrail/config.json`."
        )
    draft = Draft(
        type=type_,
        title=title,
        body=command.below,
        links=tuple(
            _from_root(tree, path) for path in context.files if path not in context.missing
        ),
        proposed=not context.remembers_active,
    )
    made = create(
        tree,
        draft,
        now=context.now,
        by_agent=not context.remembers_active,
        elsewhere={memory.id for memory in context.memories},
    )
    (added,) = made.actions
    return Planned(plan=replace(made, actions=(replace(added, verb="remember"),)), is_told=True)


def _type_and_title(command: Command) -> tuple[MemoryType, str]:
    if not command.words:
        raise WrongArguments("This says neither a type nor a title.")
    word, *title = command.words
    try:
        type_ = MemoryType(word.lower())
    except ValueError:
        known = ", ".join(MemoryType)
        raise WrongArguments(
            f"`{cut(word, 40)}` is no type of memory. There are {known}."
        ) from None
    if command.reason:
        raise WrongArguments("A title with a colon stands in quotes.")
    if not title:
        raise WrongArguments("This says no title.")
    return type_, " ".join(title)


def _store(context: Context) -> StoreTree | None:
    """The one that governs the comment's file, else the one closest to the repository's root."""
    own = (tree for tree in context.trees if tree.store.format == memoryrail.NAME)
    roots = {tree.store.root: tree for tree in own}
    for path in context.files:
        above = [root for root in roots if not root or path.startswith(f"{root}/")]
        if above:
            return roots[max(above, key=len)]
    return roots[min(roots, key=lambda root: (root.count("/"), root))] if roots else None


def _from_root(tree: StoreTree, path: str) -> str:
    """A path of the repository as a link of the store."""
    root = tree.store.root
    return path.removeprefix(f"{root}/") if root else path
