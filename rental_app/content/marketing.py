"""The home page's copy as it comes with the product; what `words.py` names is edited in the console. `{product}` and
`{city}` stand for the settings of the same names."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """A heading with a sentence or two."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Service:
    """A card of the service chooser, with what its link says and the drawing that illustrates it."""

    title: str
    text: str
    action: str
    shape: str
    tint: str


@dataclass(frozen=True, slots=True)
class Testimonial:
    """What a customer says."""

    quote: str
    name: str
    rode: str


WHY_TITLE = "Why rent with {product}"
RECEIPT = Point(
    "The price you see is the price you pay",
    "Days, weeks and months combined, fees ₹0.",
)
WHY = (
    Point(
        "Nobody else gets your dates",
        "Checked again the moment you book.",
    ),
    Point(
        "Deposit back the same evening",
        "Daily between {refunds_from} and {refunds_to}, after the inspection.",
    ),
    Point(
        "A vendor near you",
        "All over {city}, with opening hours and a map.",
    ),
    Point(
        "An answer within hours",
        "Within {answer_hours} hours, or your dates are free again.",
    ),
)

LISTER = Point(
    "Earn up to ₹15,000 per month per bike",
    "Your price, your rules, a deposit on every rental.",
)
LISTER_RANGE = Point(
    "₹10,000 to ₹15,000",
    "a month is what a well-kept bike brings in when it is available most days.",
)
LISTING_BRINGS = (
    Point(LISTER_RANGE.title, LISTER_RANGE.text[0].upper() + LISTER_RANGE.text[1:]),
    Point(
        "Your price, your kilometres",
        "Set a price for half a day, a day, a week and a month, and change it whenever you like.",
    ),
    Point(
        "You decide", "You see each request before you accept it, and switch a vehicle off when you need it yourself."
    ),
    Point(
        "A deposit covers every rental",
        "You set it, you collect it at the pickup, and you inspect the vehicle before you give it back.",
    ),
)
LISTING_STEPS = (
    Point("Sign up as a vendor", "A name, a mobile number and an address in {city}. The account costs nothing."),
    Point("Add your vehicle", "Its details, prices, documents and photos: ten minutes if you have them at hand."),
    Point(
        "Answer requests",
        "Confirm or decline each within hours, hand the vehicle over, and get paid at the pickup.",
    ),
)
LISTING_NEEDS = (
    "Registration certificate (RC), insurance and pollution certificate, each as a picture or PDF",
    "Photographs of all four sides, the odometer, the tyres and the engine",
    "RC, engine and chassis numbers, and the owner's name as on the RC",
    "What you charge: the price, the deposit, and your rates for a late hour and an extra kilometre",
)
LISTING_SALES = (
    "{product} also brings sellers and buyers in {city} together: tell us what you want to sell, or what you are"
    " looking for and your budget."
)

HOW_TITLE = "Book in four steps"
HOW = (
    Point(
        "Choose place and dates",
        "Pick a locality in {city}, a pickup and a return. We set the return to at least {shortest_hours} hours later.",
    ),
    Point(
        "Compare what is free",
        "Every vehicle shown is free for your dates, with the whole price, the deposit and the kilometres included.",
    ),
    Point(
        "Send the booking",
        "Press Book Now, check the request, send it. Your dates are held until the vendor answers: see My Bookings.",
    ),
    Point("Pick up and ride", "Show your documents, pay the vendor and the deposit, put on the free helmet and go."),
)

OFFER_STEPS = (
    Point("Choose your vehicle and dates", "Any vehicle, for as many days as the offer asks for."),
    Point("Enter the code", "Type it into the booking form: the total shows at once what you save."),
    Point(
        "Book",
        "Your booking keeps the lower price. If you or the vendor cancel it, the code can be used again. Codes are for"
        " bookings made here: at a vendor's counter the price is what you both agree on.",
    ),
)

SERVICES_TITLE = "More than renting"
SERVICES = (
    Service(
        "Rent or lease out",
        "Earn while your vehicle would stand still.",
        "Lease it out",
        "classic",
        "maroon",
    ),
    Service(
        "List and sell",
        "Photos, documents, and buyers in {city}.",
        "List to sell",
        "swift",
        "blue",
    ),
    Service(
        "Float and buy",
        "Say what you want, and sellers make offers.",
        "Float a wish",
        "ather",
        "teal",
    ),
)

TESTIMONIALS_TITLE = "What riders say"
TESTIMONIALS = (
    Testimonial(
        "The total on the screen was what I paid at the shop, to the rupee. My deposit was back at half past eight the"
        " same night.",
        "Ananya",
        "rented an Activa for 4 days in Gachibowli",
    ),
    Testimonial(
        "My parents visited and we needed a car for five days. The vendor confirmed within the hour and had it washed.",
        "Vikram",
        "rented an Ertiga for 5 days in Secunderabad",
    ),
    Testimonial(
        "At pickup they said how far I could go and what a late hour costs. No surprises when I brought the Classic"
        " back.",
        "Priya",
        "rented a Classic 350 for 2 days in Madhapur",
    ),
)

FAQ_TITLE = "Questions, answered plainly"
CITIES_TITLE = "Bike on rent near you"
