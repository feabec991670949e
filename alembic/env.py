"""Alembic's entry point: the metadata and the URL are the app's own."""

from sqlmodel import SQLModel

import rental_app.models  # noqa: F401
from alembic import context
from rental_app.db import begin, engine, make_engine


def run() -> None:
    """Migrate the database at the URL given with `-x url=...`, or else the app's own."""
    url = context.get_x_argument(as_dictionary=True).get("url") or context.config.get_main_option("sqlalchemy.url")
    target = make_engine(url) if url else engine()
    with target.connect() as connection:
        begin(connection, writing=True)
        context.configure(
            connection=connection,
            target_metadata=SQLModel.metadata,
            render_as_batch=True,
            compare_type=True,
            user_module_prefix="sqlmodel.sql.sqltypes.",
        )
        with context.begin_transaction():
            context.run_migrations()
        connection.commit()


run()
