"""Settings of the whole suite, and what all of it shares."""

import gc
from typing import Any

import pytest
import sqlalchemy as sa
from dbos import _workflow_commands
from hypothesis import settings

from tests import databases
from tests.databases import Databases

# The same inputs in every run, however slow the machine: a failure is never a matter of luck.
# A few examples each, the same ones every time; `make fuzz` goes on from there.
settings.register_profile("suite", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("suite")

# What is made while tests are collected lives to the end: looking through it again and again for
# garbage would cost a tenth of the whole run.
gc.disable()

# dbos looks once a second for jobs that have waited long enough; whoever waits for one waits less.
_workflow_commands._BACKGROUND_JOBS_INTERVAL_SEC = 0.1


class _Compiled(dict[Any, Any]):
    """SQL statements as they were compiled, by the kind of database instead of its very engine."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((type(key[0]), *key[1:]), default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__((type(key[0]), *key[1:]), compiled)


_compiled = _Compiled()


@sa.event.listens_for(sa.Engine, "engine_connect")
def _share_what_is_compiled(connection: sa.Connection) -> None:
    """Every test has engines of its own: each would compile the same statements again."""
    connection.execution_options(compiled_cache=_compiled)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


def pytest_configure(config: pytest.Config) -> None:
    if databases.prepare():
        config.add_cleanup(databases.clean_up)


@pytest.fixture(scope="session", name="databases")
def _databases(tmp_path_factory: pytest.TempPathFactory) -> Databases:
    return Databases(tmp_path_factory.mktemp("databases"))
