"""Run by alembic for each migration, inside the transaction that `storage.migrations.migrate` began."""

from alembic import context

from storage.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    # SQLite changes a column by copying the table.
    render_as_batch=True,
)
context.run_migrations()
