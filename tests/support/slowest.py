"""Which browser test files take longest."""

# The slowest browser test files, slowest first: if dealt last, they would leave other workers idle.
LONGEST = (
    *("accessibility", "typing", "restart", "navigation", "lighthouse", "session_over", "nothing_sent_later"),
    *("workers", "links", "vendor_bookings", "still", "keyboard", "remembered_tabs", "home", "legal", "connection"),
    *("vendor_vehicles", "vendor_fleet", "vendor_uploads", "two_processes", "vendor_profile", "socket_limits"),
    *("weight", "vendor_trip", "vendor_drafts", "session", "booking", "vendor_dashboard", "served", "addresses"),
    *("socket_doors", "results", "my_booking", "pickers", "vendor_journey", "toasts", "dialogs"),
)
