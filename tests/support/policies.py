"""Numbers of the shop that an operator could put in force."""

from dataclasses import replace

from hypothesis import strategies as st

from rental_app.domain.policies import BOUNDS, Policies, refusals

# Pairs of numbers that must not be in the other order, or the same where `apart` is 1.
PAIRS = (
    ("early_percent", "middle_percent", 0),
    ("middle_percent", "late_percent", 0),
    ("usual_late_from", "usual_late_to", 0),
    ("late_hours", "early_hours", 1),
    ("refunds_from", "refunds_to", 1),
)


@st.composite
def in_force(draw: st.DrawFn) -> Policies:
    """Any numbers that are not refused."""
    drawn = {name: draw(st.integers(bounds.least, bounds.most)) for name, bounds in BOUNDS.items()}
    percents = sorted(drawn[name] for name in ("early_percent", "middle_percent", "late_percent"))
    drawn |= dict(zip(("early_percent", "middle_percent", "late_percent"), percents, strict=True))
    drawn["usual_late_to"] = max(drawn["usual_late_from"], drawn["usual_late_to"])
    drawn["early_hours"] = max(drawn["early_hours"], drawn["late_hours"] + 1)
    drawn["refunds_to"] = max(drawn["refunds_to"], drawn["refunds_from"] + 1)
    policies = replace(Policies(), **drawn)
    assert not refusals(policies)
    return policies
