"""What cancelling costs and what a rental covers, as every vehicle's page says it until operators edit it
(`words.py`); figures as in `faq.py`."""

FREE = "Free until you have paid, and while the vendor has not answered."
KEPT = (
    "Paid in full: {early_percent}% is kept until {early_hours} hours before the pickup, {middle_percent}% until"
    " {late_hours} hours before, then {late_percent}%. The deposit always comes back."
)
COVERED = "Covered: the vehicle's insurance, valid until your return, and one helmet with a two-wheeler."
NOT_COVERED = "Not covered: fuel, fines, and damage found at the return."
BREAKDOWN = "Breakdown: call the vendor, whose number comes with the confirmation, or"
