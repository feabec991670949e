"""Which test files take longest."""

# The slowest test files without a browser or PostgreSQL: those that start and kill processes, decode files in another
# process, test properties, or try every endpoint. `make quick` skips them.
LONG = {
    "api": (
        *("access", "answers", "bad_forms", "bad_input", "bucket", "document", "empty", "faults", "handovers"),
        *("ical_addresses", "ical_imports", "kept_files", "storage", "unknown_values", "uploads"),
        *("uploads_ahead", "watching"),
    ),
    "services": ("accounts", "booking_machine", "editions", "finding", "review_sums", "reviews", "trip_machine"),
    "states": ("doors", "limits", "markers", "members", "session", "strange_input"),
    "unit": ("check_process", "damaged_files", "published_passwords", "seed_data", "supervisor", "throttle"),
    "tests": ("backup", "migrations", "starting_together", "upgrades"),
}
# The slowest browser test files, slowest first: if dealt last, they would leave other workers idle.
LONGEST = (
    *("typing", "reach", "restart", "navigation", "lighthouse", "accessibility", "session_over", "nothing_sent_later"),
    *("workers", "links", "vendor_bookings", "still", "keyboard", "remembered_tabs", "home", "legal", "connection"),
    *("vendor_vehicles", "vendor_fleet", "vendor_uploads", "two_processes", "vendor_profile", "socket_limits"),
    *("weight", "vendor_trip", "vendor_drafts", "session", "booking", "vendor_dashboard", "served", "addresses"),
    *("socket_doors", "results", "my_booking", "pickers", "vendor_journey", "toasts", "dialogs"),
)
