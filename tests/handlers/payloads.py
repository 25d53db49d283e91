"""Payloads of any shape: GitHub's names, and anything below them."""

from hypothesis import strategies as st

NAMES = (
    "action",
    "added",
    "base_ref",
    "base_sha",
    "commits",
    "full_name",
    "head",
    "head_ref",
    "head_sha",
    "id",
    "installation",
    "merge_group",
    "number",
    "pull_request",
    "ref",
    "repositories",
    "repositories_added",
    "repository",
    "sha",
)
_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.sampled_from(["opened", "added", "octo/cat", "refs/heads/main", "a" * 40, 2**63, -1]),
)


def payloads() -> st.SearchStrategy[dict[str, object]]:
    """JSON objects."""
    return _objects(
        st.recursive(
            _scalars,
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | _objects(inner),
            max_leaves=20,
        )
    )


def _objects(values: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    return st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES, values))
