"""The settings under which tests and measurements run the product."""

ENVIRONMENT = {
    "RENTAL_ENV": "development",
    "RENTAL_SECRET_KEY": "a key for tests only, long enough for every algorithm of its kind",
    "RENTAL_FILES_URL": "",
    "RENTAL_REDIS_URL": "",
    "RENTAL_LISTING_APPROVAL": "auto",
    "RENTAL_RATE_LIMITS": "off",
    # The host name that test clients use.
    "RENTAL_ALLOWED_HOSTS": '["testserver"]',
}

# What production refuses to start without.
PRODUCTION = {
    "RENTAL_ENV": "production",
    "RENTAL_CLOCK_AHEAD": "",
    "RENTAL_SUPPORT_PHONE": "+91 40 2345 6789",
    "RENTAL_SUPPORT_EMAIL": "help@shop.example",
    "RENTAL_OFFICES": '["1 Main Road, Hyderabad 500001"]',
}
