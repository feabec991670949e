"""Every page's address in one table, from which pages, served pages, navigation, sitemap, robots and tests follow.

`{product}` and `{city}` in the texts are settings.
"""

import re
from dataclasses import dataclass
from typing import Literal

from rental_app.domain.staff import MemberRole

_VARIABLE = re.compile(r"\[\w+\]|\[\[\.\.\.splat\]\]")


@dataclass(frozen=True, slots=True)
class Route:
    """A page or, with a part in brackets, many of a kind; `[[...splat]]` matches everything that no other route does.

    `menu` is its name in the navigation (the vendor's for what begins with /vendor), `foot` at the foot of the page,
    both blank if it is not listed there; `icons` are the vendor's, plain and highlighted. `private` pages belong to
    somebody: no search engine may index them. `for_members` is the least of a vendor's members
    who sees the page as well, '' for none.
    """

    path: str
    title: str
    description: str
    menu: str = ""
    foot: str = ""
    icons: tuple[str, str] = ("", "")
    private: bool = False
    for_members: MemberRole | Literal[""] = ""

    @property
    def name(self) -> str:
        """Its title without the product's name."""
        return self.title.removesuffix(" | {product}")

    @property
    def varies(self) -> bool:
        """Whether it stands for many pages."""
        return _VARIABLE.search(self.path) is not None

    @property
    def pattern(self) -> str:
        """The path as the server matches it; the variable parts are called `name` and `name_2`."""
        names = iter(("name", "name_2"))
        return _VARIABLE.sub(lambda part: f"{{{next(names)}{':path' if '...' in part[0] else ''}}}", self.path)

    @property
    def built(self) -> str:
        """The name of the built page, which stands for all of its kind."""
        return _VARIABLE.sub("_", self.path).strip("/") or "index"

    @property
    def is_vendors(self) -> bool:
        """Whether it belongs to the vendor area."""
        return is_vendors(self.path)

    @property
    def is_operators(self) -> bool:
        """Whether it belongs to the operator's console."""
        return is_operators(self.path)


def is_vendors(path: str) -> bool:
    """Whether a page's path belongs to the vendor area; a vendor's page for everybody (/vendors/...) does not."""
    return f"{path}/".startswith("/vendor/")


def is_operators(path: str) -> bool:
    """Whether a page's path belongs to the operator's console."""
    return f"{path}/".startswith("/operator/")


def is_guarded(path: str) -> bool:
    """Whether a page decides by itself what somebody sees who is not logged in."""
    return is_vendors(path) or is_operators(path)


ROUTES = (
    Route(
        "/",
        "{product}: scooter, bike and car rental in {city}",
        "Rent scooters, motorcycles, electric vehicles and cars by the day in {city}.",
        menu="Home",
    ),
    Route(
        "/vehicles",
        "Vehicles for rent in {city} | {product}",
        "Find a vehicle by locality and dates in {city}, with the full price before you book.",
        menu="Vehicles",
    ),
    Route(
        "/vehicle-details/[vehicle_id]",
        "Vehicle for rent in {city} | {product}",
        "Price, deposit, features, terms and pickup place of this vehicle, and its free dates.",
    ),
    Route(
        "/vehicle-details/[vehicle_id]/review",
        "Check your request | {product}",
        "What you are about to request: vehicle, dates, price, deposit, what cancelling costs, what to bring.",
    ),
    Route("/my-bookings", "My bookings | {product}", "Your rentals at a glance.", menu="My Bookings", private=True),
    Route(
        "/my-bookings/[reference]",
        "Your booking | {product}",
        "One of your rentals: how it stands, its account, and what you can do with it.",
        private=True,
    ),
    Route(
        "/trip/[secret]",
        "Your booking | {product}",
        "The booking of somebody without an account, for whoever has its link.",
        private=True,
    ),
    Route(
        "/favourites",
        "Favourites | {product}",
        "The vehicles you keep to come back to.",
        menu="Favourites",
        private=True,
    ),
    Route(
        "/compare",
        "Compare vehicles | {product}",
        "Up to three vehicles of {city} side by side: prices, deposit, kilometres, gear, fuel, rating.",
    ),
    Route("/offers", "Offers | {product}", "Offers on rentals in {city} that are in force today.", menu="Offers"),
    Route(
        "/blog",
        "Blog | {product}",
        "Renting and riding in {city}: documents, deposits, cancellations.",
        menu="Blog",
    ),
    Route("/blog/[post]", "Blog | {product}", "A post about renting and riding in {city}."),
    Route(
        "/list-your-vehicle",
        "List your vehicle in {city} | {product}",
        "What listing a scooter, bike or car in {city} brings, what it takes, and how to start.",
    ),
    Route(
        "/privacy",
        "Privacy | {product}",
        "What {product} stores about you, where, for how long, who sees it, and your rights.",
        foot="Privacy",
    ),
    Route(
        "/terms",
        "Terms | {product}",
        "The terms on which vehicles are rented and listed on {product}.",
        foot="Terms",
    ),
    Route(
        "/terms/[terms_named]",
        "Terms | {product}",
        "A version of the terms of {product}, as it is or was in force.",
    ),
    Route(
        "/security",
        "Security | {product}",
        "How to report a weakness of {product}, what is defended and how, and what is not.",
        foot="Security",
    ),
    Route(
        "/[city_slug]/bike-rentals",
        "Bike on rent in {city} | {product}",
        "Scooters, bikes and cars by the day in one locality of {city}: prices, terms and what is there now.",
    ),
    Route(
        "/vendors/[vendor_slug]",
        "Vendor in {city} | {product}",
        "A vendor of rental vehicles in {city}: vehicles, rating, reviews, hours and terms.",
    ),
    Route(
        "/account",
        "Account | {product}",
        "Your details, your password and the devices you are logged in on.",
        private=True,
    ),
    Route(
        "/account/delete",
        "Delete your account | {product}",
        "What goes when you delete your account, what stays and why, and what has to end first.",
        private=True,
    ),
    Route(
        "/reset-password",
        "Set a new password | {product}",
        "A way back into your account when its password is forgotten.",
        private=True,
    ),
    Route(
        "/verify-email",
        "Confirm your email | {product}",
        "Where the link leads that confirms the email of an account.",
        private=True,
    ),
    Route(
        "/decline-email",
        "I did not sign up | {product}",
        "Where the link leads that takes an address from an account which somebody else has made.",
        private=True,
    ),
    Route(
        "/not-me",
        "This was not me | {product}",
        "Where the link leads that takes off an account what somebody else has added.",
        private=True,
    ),
    Route(
        "/confirm-email",
        "Confirm your new email | {product}",
        "Where the link leads that changes the email of an account.",
        private=True,
    ),
    Route(
        "/undo-email",
        "Keep your email | {product}",
        "Where the link leads that takes a change of an account's email back.",
        private=True,
    ),
    Route(
        "/join",
        "You are invited | {product}",
        "Where the link leads with which a vendor invites somebody to work with them.",
        private=True,
    ),
    Route(
        "/keep-account",
        "Keep your account | {product}",
        "Where the link leads that stops another email or mobile number for an account.",
        private=True,
    ),
    Route("/404", "Page not found | {product}", "There is nothing at this address.", private=True),
    Route(
        "/vendor",
        "Dashboard | {product}",
        "Your rental business at a glance.",
        menu="Dashboard",
        icons=("layout-dashboard", "layout-grid"),
        private=True,
        for_members=MemberRole.COUNTER,
    ),
    Route(
        "/vendor/profile",
        "Profile | {product}",
        "Your business profile.",
        menu="Profile",
        icons=("user", "user-check"),
        private=True,
    ),
    Route(
        "/vendor/add-vehicle",
        "Add vehicle | {product}",
        "List a vehicle.",
        menu="Add Vehicle",
        icons=("circle-plus", "badge-plus"),
        private=True,
        for_members=MemberRole.MANAGER,
    ),
    Route(
        "/vendor/manage-vehicles",
        "Manage vehicles | {product}",
        "Your listed vehicles.",
        menu="Manage Vehicles",
        icons=("bike", "car-front"),
        private=True,
        for_members=MemberRole.MANAGER,
    ),
    Route(
        "/vendor/manage-bookings",
        "Manage bookings | {product}",
        "Bookings of your vehicles.",
        menu="Manage Bookings",
        icons=("calendar-days", "calendar-check"),
        private=True,
        for_members=MemberRole.COUNTER,
    ),
    Route(
        "/vendor/calendar",
        "Calendar | {product}",
        "What every vehicle does when, and the days you keep it for yourself.",
        menu="Calendar",
        icons=("calendar-range", "calendar-clock"),
        private=True,
        for_members=MemberRole.COUNTER,
    ),
    Route(
        "/vendor/prices",
        "Prices | {product}",
        "What your vehicles cost by the half day, day, week and month, and on which days more or less.",
        menu="Prices",
        icons=("tag", "tags"),
        private=True,
        for_members=MemberRole.MANAGER,
    ),
    Route(
        "/vendor/earnings",
        "Earnings | {product}",
        "What your vehicles bring, by month and by vehicle.",
        menu="Earnings",
        icons=("wallet", "wallet-cards"),
        private=True,
        for_members=MemberRole.MANAGER,
    ),
    Route(
        "/vendor/reviews",
        "Reviews | {product}",
        "What customers said of your vehicles, and your answers.",
        menu="Reviews",
        icons=("star", "star-check"),
        private=True,
        for_members=MemberRole.MANAGER,
    ),
    Route(
        "/vendor/confirm-at-once",
        "Confirm at once | {product}",
        "Which bookings need no answer by you.",
        menu="Confirm at once",
        icons=("zap", "calendar-check"),
        private=True,
        for_members=MemberRole.MANAGER,
    ),
    Route(
        "/vendor/new-booking",
        "New booking | {product}",
        "A booking for somebody who stands at the counter.",
        private=True,
        for_members=MemberRole.COUNTER,
    ),
    Route(
        "/vendor/bookings/[reference]",
        "Booking | {product}",
        "A booking of one of your vehicles, from the handover to the settled account.",
        private=True,
        for_members=MemberRole.COUNTER,
    ),
    Route(
        "/vendor/bookings/[reference]/handover",
        "Handover | {product}",
        "What is seen, read and photographed beside the vehicle when it goes out.",
        private=True,
        for_members=MemberRole.COUNTER,
    ),
    Route(
        "/vendor/bookings/[reference]/return",
        "Return | {product}",
        "What is read and photographed beside the vehicle when it comes back, and what that costs.",
        private=True,
        for_members=MemberRole.COUNTER,
    ),
    Route(
        "/vendor/[[...splat]]",
        "Page not found | {product}",
        "There is nothing at this address of the vendor area.",
        private=True,
        for_members=MemberRole.COUNTER,
    ),
    Route("/operator", "Work | {product}", "What waits for an operator's decision.", private=True),
    Route("/operator/words", "Words | {product}", "The words of the shop, each with its version.", private=True),
    Route("/operator/words/[words_key]", "Words | {product}", "Words of the shop, to be edited.", private=True),
    Route("/operator/[table_name]", "Console | {product}", "One of the operator's lists.", private=True),
    Route(
        "/operator/[table_name]/[row_id]",
        "Console | {product}",
        "One row of the operator's lists, with what an operator may do to it.",
        private=True,
    ),
)
BY_PATH = {route.path: route for route in ROUTES}
# Private addresses begin with one of these, whatever follows.
PRIVATE = tuple(sorted({f"/{route.path.split('/')[1]}" for route in ROUTES if route.private} - {"/404"}))
NO_VEHICLE = Route("", "Vehicle not found | {product}", "This vehicle is not listed (any more).")
