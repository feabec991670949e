"""Which browser test files take longest."""

# The slowest browser test files, slowest first: if dealt last, they would leave other workers idle.
LONGEST = (
    *("accessibility", "restart", "still", "pickers", "links", "two_processes", "vendor_trip", "typing", "session"),
    *("navigation", "connection", "lighthouse", "zoomed", "legal", "operator", "home", "keyboard", "vendor_uploads"),
    *("vendor_fleet", "vendor_vehicles", "vendor_drafts", "socket_limits", "remembered_tabs", "results", "booking"),
    *("my_booking", "vendor_dashboard", "weight", "served", "vendor_profile", "vendor_prices", "dialogs", "addresses"),
    *("vendor_bookings", "account", "booking_review", "reviews", "guest_trip", "vendor_steps", "socket_doors"),
)
