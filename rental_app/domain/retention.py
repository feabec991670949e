"""What is kept, why, who sees it, and when it ends."""

from datetime import timedelta

DAY = timedelta(days=1)
# An account is erased this long after its owner asked, unless a login takes it back.
ERASED_AFTER = 7 * DAY
# Money that has been open for longer keeps no account from being erased.
BALANCES_COUNT_FOR = 90 * DAY
# A copy of one's data is made this often at most.
EXPORTED_EVERY = timedelta(hours=1)
