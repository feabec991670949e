"""Alembic's entry point: the metadata and the URL are the app's own."""

from sqlalchemy import Connection
from sqlmodel import SQLModel

import rental_app.models  # noqa: F401
from alembic import context
from rental_app.infrastructure.db import begin, engine, make_engine


def run() -> None:
    """Migrate the database at the URL given with `-x url=...`, or else the app's own.

    A connection among the attributes is used instead, in a `schema` named there; whoever gave it ends its transaction.
    """
    if given := context.config.attributes.get("connection"):
        _migrate(given)
        return
    url = context.get_x_argument(as_dictionary=True).get("url") or context.config.get_main_option("sqlalchemy.url")
    target = make_engine(url) if url else engine()
    with target.connect() as connection:
        begin(connection, writing=True)
        _migrate(connection)
        connection.commit()


def _migrate(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        render_as_batch=True,
        compare_type=True,
        user_module_prefix="sqlmodel.sql.sqltypes.",
        version_table_schema=context.config.attributes.get("schema"),
    )
    with context.begin_transaction():
        context.run_migrations()


run()
