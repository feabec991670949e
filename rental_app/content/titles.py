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
    "/404": Title("Page not found | {product}", "There is nothing at this address."),
}
NO_VEHICLE = Title("Vehicle not found | {product}", "This vehicle is not listed. There are many others.")
