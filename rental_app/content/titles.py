"""What pages are called in tabs and how search engines describe them; `{product}` and `{city}` are settings."""

from dataclasses import dataclass

SOCIAL_IMAGE = "/social.png"


@dataclass(frozen=True, slots=True)
class Title:
    """A page's title and its description."""

    text: str
    description: str


PAGES = {
    "/": Title(
        "{product}: scooter, bike and car rental in {city}",
        "Rent scooters, motorcycles, electric vehicles and cars by the day in {city}.",
    ),
    "/vehicles": Title(
        "Vehicles for rent in {city} | {product}",
        "Find a vehicle by locality and dates in {city}, with the full price before you book.",
    ),
    "/vehicle-details/[vehicle_id]": Title(
        "Vehicle for rent in {city} | {product}",
        "Price, deposit, features, terms and pickup place of this vehicle, and its free dates.",
    ),
    "/my-bookings": Title("My bookings | {product}", "Your rentals at a glance."),
    "/offers": Title("Offers | {product}", "Offers on rentals in {city} that are in force today."),
    "/blog": Title("Blog | {product}", "Renting and riding in {city}: documents, deposits, cancellations."),
    "/[city_slug]/bike-rentals": Title(
        "Bike on rent in {city} | {product}",
        "Scooters, bikes and cars by the day in one locality of {city}: prices, terms and what is there now.",
    ),
    "/list-your-vehicle": Title(
        "List your vehicle in {city} | {product}",
        "What listing a scooter, bike or car in {city} brings, what it takes, and how to start.",
    ),
    "/privacy": Title(
        "Privacy | {product}", "What {product} stores about you, where, for how long, who sees it, and your rights."
    ),
    "/terms": Title("Terms | {product}", "The terms on which vehicles are rented and listed on {product}."),
    "/security": Title(
        "Security | {product}", "How to report a weakness of {product}, what is defended and how, and what is not."
    ),
    "/404": Title("Page not found | {product}", "There is nothing at this address."),
}
# Those that hold all of their content when they are built.
BUILT_WHOLE = ("/blog", "/list-your-vehicle", "/privacy", "/terms", "/security")
NO_VEHICLE = Title("Vehicle not found | {product}", "This vehicle is not listed. There are many others.")
