"""What people ask before they rent: every policy of the platform in plain words, as it comes with the product.

Operators edit it in the console (`words.py`). Names in braces are filled in from the settings and from `figures.py`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its answer; `points` are listed below the answer."""

    text: str
    answer: str
    points: tuple[str, ...] = ()


HOURS = Question(
    "What are the pickup and return hours?",
    "You can pick up and return vehicles from 9 AM to 8 PM. Some vendors keep other hours or close one day a week: the"
    " vehicle's page shows them, and the calendar offers only hours when the vendor is there.",
)
DOCUMENTS = Question(
    "Which documents do I need?",
    "Bring the originals to the pickup. The vendor looks at them and hands them back. You may send us pictures ahead,"
    " under Account.",
    (
        "One government ID: PAN or Aadhaar",
        "Your driver's licence, valid for the class of vehicle you rent",
        "Proof that you are a working professional, such as a company ID card or an offer letter",
        "Proof of residence, such as a rental agreement or a recent electricity bill",
    ),
)
LEARNERS = Question(
    "Can I rent with a learner's licence?",
    "No. Learner's licences are not accepted for any vehicle. You need a full driver's licence, and only its holder"
    " may ride or drive.",
)
TOKEN = Question(
    "Is the token amount refunded?",
    "No. A token amount paid to hold a vehicle is non-refundable. If you cancel, it counts as a partial payment.",
)
DEPOSIT = Question(
    "When do I get my security deposit back?",
    "Deposits are refunded daily between {refunds_from} and {refunds_to}, once the returned vehicle has been"
    " inspected: the same day, or the next if you return it after {refunds_from} PM. Anything you owe, such as fines,"
    " late hours or damage, is taken off first, and your booking's page shows what for.",
)
CANCELLATION = Question(
    "What is deducted if I cancel?",
    "It depends on how much of the rent you have paid and how long before the pickup you cancel. If you have paid"
    " nothing, nothing is deducted. The deposit is refunded in full. Your booking's page shows the amounts before you"
    " cancel.",
    (
        "Paid in full, more than {early_hours} hours before pickup: {early_percent}% is deducted",
        "Paid in full, {late_hours} to {early_hours} hours before pickup: {middle_percent}% is deducted",
        "Paid in full, 0 to {late_hours} hours before pickup: {late_percent}% is deducted",
        "Partial payment, at any time: {partial_percent}% of it is deducted",
        "No show, or cancelling after the pickup time: {late_percent}% is deducted",
    ),
)
LATE = Question(
    "What if I return the vehicle late?",
    "A late return costs what the vehicle's page says, usually {usual_late} per hour. The first {grace_minutes}"
    " minutes are free. After that each hour begun counts, but 24 hours never cost more than {most_full_days} times"
    " the vehicle's Full Day price. Extend at least {extend_hours} hours before your rental ends and you pay only for"
    " the extra time, with no late charge. What counts is when the vehicle came back, even if the vendor notes it"
    " later: your booking's page shows both times, and you may object within {object_hours} hours of the note.",
)
SPEED = Question(
    "Is there a speed limit?",
    "Yes: {scooter_speed} for scooters and {bike_speed} for bikes. Each violation is fined {speeding_fine}.",
)
RANGE = Question(
    "How far can I go?",
    "Some vehicles may go at most {range} from {city}; the terms on the vehicle's page say so. Kilometres beyond the"
    " limit included in your rental are charged at the vehicle's rate per km.",
)
OUT_OF_STATE = Question(
    "Can I take the vehicle out of the state?",
    "No. Out-of-state travel is not allowed with any vehicle, however long you rent it.",
)
HELMETS = Question(
    "Do I get a helmet?",
    "One helmet is free with every two-wheeler. A second one costs {second_helmet} per trip; a trip is at most"
    " {helmet_days} days, so a longer rental counts as more than one. Add it when you book.",
)
FUEL = Question(
    "Is fuel included?",
    "No, fuel is excluded. Bring the vehicle back with as much as it had at pickup, or the vendor charges you for what"
    " is missing. The same goes for the battery of an electric vehicle.",
)

FAQ = (
    DOCUMENTS,
    FUEL,
    HELMETS,
    DEPOSIT,
    CANCELLATION,
    HOURS,
    TOKEN,
    LATE,
    SPEED,
    RANGE,
    OUT_OF_STATE,
    LEARNERS,
    Question(
        "How do I pay?",
        "You pay the vendor at the pickup, in cash, by UPI or by card, together with the security deposit. You need no"
        " card to book on {product}: you see the price before you book, and your booking's page shows what was"
        " charged, paid and given back.",
    ),
    Question(
        "Do I get a GST invoice?",
        "If the vendor is registered for GST, yes: it is on your booking's page once the vehicle is back, or if"
        " something is kept after a cancellation. Prices include the tax. What is charged or taken back later gets a"
        " note of its own; the invoice never changes. Other vendors give you a receipt.",
    ),
    Question(
        "I log in with a code from an app. What if I lose my phone?",
        "Use a recovery code instead; each works once. You get ten when you set up the app, under Account: copy, save"
        " or print them. They are shown until you say that you have kept them, for a week at most. Your account shows"
        " how many are left, and you can make ten new ones there with your password and a code.",
    ),
    Question(
        "What happens to my documents?",
        "We check what you send under Account. Your vendor may look at pictures from the confirmation until a day after"
        " the return, and you see who did. Of a number we keep four characters.",
    ),
    Question(
        "How do I delete my account?",
        "Under Account, Your data. After seven days your name, numbers and documents are erased; a login before then"
        " keeps them. Amounts of bookings stay, without your name.",
    ),
    Question(
        "Is my booking confirmed straight away?",
        "If the button says Book, yes: that vendor lets such bookings be confirmed at once. Otherwise the vendor"
        " confirms it: within {answer_hours} hours at most, and by your pickup time. Only a pickup right now may take"
        " {answer_minutes} minutes. Until then nobody else can book those dates. If the vendor does not answer, the"
        " request lapses, the dates are free again and you owe nothing.",
    ),
    Question(
        "Can the vendor change my confirmed booking?",
        "Not without you. They may give you another vehicle of the same model, at no higher price. Another model, a"
        " longer rental that costs more or a discount taken back they can only propose: nothing changes unless you"
        " agree on your booking's page.",
    ),
    Question(
        "Can the vendor charge me after I have brought the vehicle back?",
        "Yes, for seven days, for a challan, a toll or damage found later. Each charge needs a photo as proof. You see"
        " it on your booking's page and get an email at once, and you may object within {object_hours} hours.",
    ),
    Question(
        "What if the vehicle breaks down on my trip?",
        "Call the vendor from your booking's page. They take the vehicle back, charge nothing for being late, and can"
        " give you another one for the rest of your trip. It costs nothing extra, and your deposit moves with you. The"
        " two bookings' pages link to each other.",
    ),
    Question(
        "Can I rent at the vendor's counter, without an account?",
        "Yes. The vendor books for you with your name and mobile number, and the booking is confirmed at once, at our"
        " price or one you both agree on. The deposit, the account and the rules of the road are the same, but there"
        " are no reviews. We text you a link to your booking's page, where you can answer the vendor's proposals,"
        " object or cancel, each time with a code that we text to the same number.",
    ),
    Question(
        "What if the vendor cancels my confirmed booking?",
        "You owe nothing, and get back everything you have paid. Your booking's page shows similar vehicles that are"
        " free for your dates: one of the same vendor's is yours at a press, at no higher price; the others you"
        " request. The vendor's page shows how often they have cancelled confirmed bookings.",
    ),
    Question(
        "Can I change my dates?",
        "Yes, to any free dates, until the vendor has answered: the price is worked out again, and the vendor's time"
        " to answer starts again. A confirmed booking can be extended. Bringing the vehicle back early does not lower"
        " the price.",
    ),
    Question(
        "What are the shortest and the longest rental?",
        "{shortest_hours} hours and {longest_days} days. The price is the cheapest combination of the vendor's"
        " prices for half a day, a day, a week and a month that covers your dates, and you can book up to"
        " {days_ahead} days ahead.",
    ),
    Question(
        "I am a vendor: can I list many vehicles at once?",
        "Yes. Under Add Vehicle, import the spreadsheet you keep (.xlsx or .csv): each row becomes a draft, and you see"
        " by row and column what could not be read. Then add documents and photos to each draft and list it. After"
        " listing one, List another like this copies all but its own numbers, dates and files. Drafts are kept for 90"
        " days.",
    ),
)
# What matters on the day itself.
LOCAL_FAQ = (DOCUMENTS, DEPOSIT, LATE, HELMETS, FUEL, OUT_OF_STATE, CANCELLATION)
HOUSE_RULES = (
    "Original documents at the pickup, no learner's licences",
    "{scooter_speed} for scooters, {bike_speed} for bikes, {speeding_fine} fine per violation",
    "One helmet free, fuel excluded, no travel out of the state",
)
