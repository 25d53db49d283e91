"""Statements that run for each delivery, given to the database's driver as they are.

SQLAlchemy's part of such a call costs several times what the database does, and while a batch of
deliveries is written the others wait. What fails raises SQLAlchemy's exceptions all the same.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

Row = tuple[Any, ...]


class Statement:
    """SQL with `:name` where a value goes."""

    def __init__(self, sql: str) -> None:
        self._text = sa.text(sql)
        self._for: dict[str, str] = {"sqlite": sql}  # dialect -> the SQL as its driver takes it

    def rows(self, connection: sa.Connection, values: Mapping[str, object]) -> Sequence[Row]:
        """What it returns, within the connection's transaction; nothing where it returns nothing.

        Raises sqlalchemy.exc.DBAPIError.
        """
        dialect = connection.dialect
        sql = self._for.get(dialect.name)
        if sql is None:
            sql = self._for[dialect.name] = str(self._text.compile(dialect=dialect))
        cursor, errors = connection.connection.cursor(), dialect.loaded_dbapi.Error
        try:
            cursor.execute(sql, values)
            return cursor.fetchall() if cursor.description else ()
        except errors as error:
            raise sa.exc.DBAPIError.instance(sql, None, error, errors, dialect=dialect) from error
        finally:
            cursor.close()
