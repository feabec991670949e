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
