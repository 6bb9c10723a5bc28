"""The tables as they were first."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "lead",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lead")),
        sa.UniqueConstraint("name", name=op.f("uq_lead_name")),
    )
    op.create_table(
        "study",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("lead_id", sa.String(length=36), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["lead_id"], ["lead.id"], name=op.f("fk_study_lead_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study")),
    )
    op.create_index(op.f("ix_study_lead_id"), "study", ["lead_id"], unique=False)
    op.create_table(
        "audit",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("study_id", sa.String(length=36), nullable=True),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_audit_study_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_study_id"), "audit", ["study_id"], unique=False)
    op.create_table(
        "freeze",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("study_id", sa.String(length=36), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("as_of", sa.BigInteger(), nullable=False),
        sa.Column("manifest", sa.Text(), nullable=False),
        sa.Column("bundle", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_freeze_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_freeze")),
        sa.UniqueConstraint("study_id", "number", name=op.f("uq_freeze_study_id_number")),
    )
    op.create_index(op.f("ix_freeze_study_id"), "freeze", ["study_id"], unique=False)
    op.create_table(
        "item",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("study_id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("date", sa.Text(), nullable=True),
        sa.Column("system", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_item_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_item")),
        sa.UniqueConstraint("study_id", "name", name=op.f("uq_item_study_id_name")),
    )
    op.create_index(op.f("ix_item_study_id"), "item", ["study_id"], unique=False)
    op.create_table(
        "judge",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("study_id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("outside", sa.Text(), nullable=True),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("consented", sa.BigInteger(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_judge_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge")),
        sa.UniqueConstraint("study_id", "name", name=op.f("uq_judge_study_id_name")),
        sa.UniqueConstraint("study_id", "outside", name=op.f("uq_judge_study_id_outside")),
    )
    op.create_index(op.f("ix_judge_study_id"), "judge", ["study_id"], unique=False)
    op.create_table(
        "study_version",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("study_id", sa.String(length=36), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_study_version_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study_version")),
        sa.UniqueConstraint("study_id", "number", name=op.f("uq_study_version_study_id_number")),
    )
    op.create_index(op.f("ix_study_version_study_id"), "study_version", ["study_id"], unique=False)
    op.create_table(
        "task",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("study_id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("role", sa.String(length=8), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("block", sa.Integer(), nullable=False),
        sa.Column("pairs", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("wanted", sa.Integer(), nullable=True),
        sa.Column("priority", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_task_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task")),
        sa.UniqueConstraint("study_id", "name", "kind", name=op.f("uq_task_study_id_name_kind")),
    )
    op.create_index(op.f("ix_task_study_id"), "task", ["study_id"], unique=False)
    op.create_table(
        "assignment",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("study_id", sa.String(length=36), nullable=False),
        sa.Column("task_id", sa.String(length=36), nullable=False),
        sa.Column("judge_id", sa.String(length=36), nullable=False),
        sa.Column("occasion", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("lease", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("feedback", sa.Text(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["judge_id"], ["judge.id"], name=op.f("fk_assignment_judge_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_assignment_study_id")),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_assignment_task_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignment")),
        sa.UniqueConstraint("task_id", "judge_id", "occasion", name=op.f("uq_assignment_task_id_judge_id_occasion")),
    )
    op.create_index(op.f("ix_assignment_judge_id"), "assignment", ["judge_id"], unique=False)
    op.create_index(op.f("ix_assignment_study_id"), "assignment", ["study_id"], unique=False)
    op.create_index(op.f("ix_assignment_task_id"), "assignment", ["task_id"], unique=False)
    op.create_table(
        "credential",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("judge_id", sa.String(length=36), nullable=True),
        sa.Column("lead_id", sa.String(length=36), nullable=True),
        sa.Column("study_id", sa.String(length=36), nullable=True),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=True),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["judge_id"], ["judge.id"], name=op.f("fk_credential_judge_id")),
        sa.ForeignKeyConstraint(["lead_id"], ["lead.id"], name=op.f("fk_credential_lead_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_credential_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_credential")),
        sa.UniqueConstraint("hash", name=op.f("uq_credential_hash")),
    )
    op.create_index(op.f("ix_credential_judge_id"), "credential", ["judge_id"], unique=False)
    op.create_index(op.f("ix_credential_lead_id"), "credential", ["lead_id"], unique=False)
    op.create_index(op.f("ix_credential_study_id"), "credential", ["study_id"], unique=False)
    op.create_table(
        "decision",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("study_id", sa.String(length=36), nullable=False),
        sa.Column("task_id", sa.String(length=36), nullable=False),
        sa.Column("lead_id", sa.String(length=36), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["lead_id"], ["lead.id"], name=op.f("fk_decision_lead_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_decision_study_id")),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_decision_task_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decision")),
    )
    op.create_index(op.f("ix_decision_lead_id"), "decision", ["lead_id"], unique=False)
    op.create_index(op.f("ix_decision_study_id"), "decision", ["study_id"], unique=False)
    op.create_index(op.f("ix_decision_task_id"), "decision", ["task_id"], unique=False)
    op.create_table(
        "task_item",
        sa.Column("task_id", sa.String(length=36), nullable=False),
        sa.Column("item_id", sa.String(length=36), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], name=op.f("fk_task_item_item_id")),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_task_item_task_id")),
        sa.PrimaryKeyConstraint("task_id", "item_id", name=op.f("pk_task_item")),
    )
    op.create_table(
        "event",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("study_id", sa.String(length=36), nullable=False),
        sa.Column("assignment_id", sa.String(length=36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("op", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.Column("branch", sa.Boolean(), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("salt", sa.String(length=32), nullable=True),
        sa.Column("state_hash", sa.String(length=64), nullable=False),
        sa.Column("client_time", sa.BigInteger(), nullable=True),
        sa.Column("elapsed", sa.BigInteger(), nullable=True),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.Column("before", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignment.id"], name=op.f("fk_event_assignment_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_event_study_id")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_event")),
        sa.UniqueConstraint("assignment_id", "op", name=op.f("uq_event_assignment_id_op")),
        sa.UniqueConstraint("assignment_id", "seq", name=op.f("uq_event_assignment_id_seq")),
    )
    op.create_index(op.f("ix_event_study_id"), "event", ["study_id"], unique=False)
    op.create_index("ix_event_study_number", "event", ["study_id", "number"], unique=False)
    op.create_table(
        "exclusion",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("study_id", sa.String(length=36), nullable=False),
        sa.Column("judge_id", sa.String(length=36), nullable=True),
        sa.Column("assignment_id", sa.String(length=36), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.Column("lifted", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignment.id"], name=op.f("fk_exclusion_assignment_id")),
        sa.ForeignKeyConstraint(["judge_id"], ["judge.id"], name=op.f("fk_exclusion_judge_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_exclusion_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exclusion")),
    )
    op.create_index(op.f("ix_exclusion_assignment_id"), "exclusion", ["assignment_id"], unique=False)
    op.create_index(op.f("ix_exclusion_judge_id"), "exclusion", ["judge_id"], unique=False)
    op.create_index(op.f("ix_exclusion_study_id"), "exclusion", ["study_id"], unique=False)
    op.create_table(
        "head",
        sa.Column("assignment_id", sa.String(length=36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("op", sa.String(length=36), nullable=False),
        sa.Column("device", sa.String(length=64), nullable=False),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignment.id"], name=op.f("fk_head_assignment_id")),
        sa.PrimaryKeyConstraint("assignment_id", name=op.f("pk_head")),
    )
    op.create_table(
        "note",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("study_id", sa.String(length=36), nullable=False),
        sa.Column("judge_id", sa.String(length=36), nullable=False),
        sa.Column("assignment_id", sa.String(length=36), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignment.id"], name=op.f("fk_note_assignment_id")),
        sa.ForeignKeyConstraint(["judge_id"], ["judge.id"], name=op.f("fk_note_judge_id")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_note_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_note")),
    )
    op.create_index(op.f("ix_note_assignment_id"), "note", ["assignment_id"], unique=False)
    op.create_index(op.f("ix_note_judge_id"), "note", ["judge_id"], unique=False)
    op.create_index(op.f("ix_note_study_id"), "note", ["study_id"], unique=False)
    op.create_table(
        "submission",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("assignment_id", sa.String(length=36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignment.id"], name=op.f("fk_submission_assignment_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
        sa.UniqueConstraint("assignment_id", "seq", name=op.f("uq_submission_assignment_id_seq")),
    )
    op.create_index(op.f("ix_submission_assignment_id"), "submission", ["assignment_id"], unique=False)
