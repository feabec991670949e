"""a model has the shape of a drawing there is

Revision ID: 0029
Revises: 0028

A model of an unknown shape took down every list it was in. SQLite would have to rebuild the table for a CHECK, without
its triggers and beside the rows that refer to it: there, triggers of the constraint's name refuse the same.
"""

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

SHAPES = (
    "'scooter', 'commuter', 'cruiser', 'sport', 'adventure', 'electric-scooter', 'hatchback', 'sedan', 'suv', 'mpv',"
    " 'electric-car'"
)
NAME = "ck_asset_model_shape"
GUARD = """
CREATE TRIGGER tr_asset_model_shape_{name} BEFORE {change} ON asset_model
WHEN NEW.shape NOT IN ({shapes})
BEGIN
    SELECT RAISE(ABORT, '{constraint}');
END
"""
CHANGES = {"insert": "INSERT", "update": "UPDATE OF shape"}


def upgrade() -> None:
    # What they have been shown as since there is a fallback.
    op.execute(f"UPDATE asset_model SET shape = 'scooter' WHERE shape NOT IN ({SHAPES})")  # noqa: S608
    if op.get_bind().dialect.name == "postgresql":
        # The new edition now, not at the end: a table that triggers still wait for cannot be altered.
        op.execute("SET CONSTRAINTS ALL IMMEDIATE")
        op.create_check_constraint(op.f(NAME), "asset_model", f"shape IN ({SHAPES})")
        return
    for name, change in CHANGES.items():
        op.execute(GUARD.format(name=name, change=change, shapes=SHAPES, constraint=NAME))


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.drop_constraint(op.f(NAME), "asset_model")
        return
    for name in CHANGES:
        op.execute(f"DROP TRIGGER tr_asset_model_shape_{name}")
