"""The labels of the fields people fill in, shown beside the field and in messages about it."""

import re
from collections.abc import Iterable

from rental_app.domain.uploads import ANSWER_GROUP, RETURN_GROUPS, trip_upload

LABELS = {
    "name": "Name",
    "email": "Email",
    "password": "Password",
    "phoneNumber": "Mobile Number",
    "pincode": "Pincode",
    "city": "City",
    "state": "State",
    "county": "District",
    "booking_contact_no": "Booking contact number",
    "booking_whatsapp_no": "Booking WhatsApp number",
    "upi_id": "UPI ID",
    "no_of_staff": "Number of staff",
    "no_of_years": "Years in business",
    "website": "Website",
    "open_time": "Opening time",
    "close_time": "Closing time",
    "closing_days": "Closing days",
    "gst_name": "GST name",
    "gst_number": "GST number",
    "notes": "Terms",
    "vehicleType": "Vehicle Type",
    "manufacturer": "Manufacturer",
    "model": "Model",
    "year": "Year",
    "color": "Color",
    "stands": "Pickup place",
    "address": "Address",
    "landmark": "Landmark",
    "zipCode": "Pincode",
    "service_location": "Service location",
    "google_maps_link": "Google Maps link",
    "rc_number": "RC Number",
    "engine_number": "Engine Number",
    "chassis_number": "Chassis Number",
    "owner_name_as_per_rc": "Owner Name (as per RC)",
    "odometer_reading": "Odometer Reading",
    "last_serviced_date": "Last Serviced Date",
    "insurance_expiry_date": "Insurance Expiry Date",
    "pollution_expiry_date": "Pollution Expiry Date",
    "speed_limit_kmph": "Speed Limit (kmph)",
    "late_penalty_per_hour": "Late Penalty (₹/hr)",
    "distance_penalty_per_km": "Distance Penalty (₹/km)",
    "security_deposit": "Security Deposit (₹)",
    "drop_off_pick_extra_payment": "Drop-off / Pickup Extra Payment?",
    "drop_off_payment": "Drop-off Payment (₹)",
    "pick_up_payment": "Pickup Payment (₹)",
    "terms": "Vehicle Terms & Conditions",
    "prices": "Pricing",
    "price_name": "Plan",
    "price": "Price",
    "kms_limit": "Kms Limit",
    "status": "Status",
    "drop_files": "Files to remove",
    "image": "Profile picture",
    "extras": "Extras",
    "offer": "Offer code",
    "odometer": "Odometer",
    "fuelEighths": "Fuel or charge",
    "papersSeen": "Documents seen",
    "helmets": "Helmets",
    "speedings": "Speeding fines",
    "amount": "Amount",
    "method": "How",
    "note": "Note",
    "stars": "Stars",
    "text": "In your words",
    "photo": "Photo",
    "pickupLocation": "Location",
    "near": "Near",
    "within_km": "Distance",
    "min_price": "Lowest price",
    "max_price": "Highest price",
    "max_deposit": "Highest deposit",
    "rating": "Rating",
    "seats": "Seats",
    "sort": "Sorted by",
    "q": "Search",
    "vehicle": "Vehicle",
    "weekday": "Weekday",
    "percent": "Percent",
    "car": "Vehicle",
    "from": "From",
    "to": "To",
    "reason": "Reason",
    "hours": "Hours",
    "url": "Address",
    "body": "Body",
    "isVendor": "Register as Vendor",
    "bookingId": "Booking",
    "booking": "Booking",
    "vehicleId": "Vehicle",
    "pickupDate": "Pickup",
    "returnDate": "Return",
    "location": "Location",
    "type": "Type",
    "transmission": "Transmission",
    "fuel": "Fuel",
    "delivery": "Delivery",
    "delivery_supported": "Delivery",
    "unlimited": "Unlimited kilometres",
    "page": "Page",
    "damages": "Damage",
    "photos": "Photos",
} | {trip_upload(group): group for group in (*RETURN_GROUPS, ANSWER_GROUP)}


def field_name(place: Iterable[int | str]) -> str:
    """A field's name on the wire, by where it is: `0.price` for the price of the first of a list."""
    return ".".join(str(part) for part in place)


def label_of(field: str) -> str:
    """The label of a field, by its name on the wire: "Pricing 1 Price" for `prices.0.price`."""
    return " ".join(str(int(part) + 1) if part.isdecimal() else _label(part) for part in field.split("."))


def _label(name: str) -> str:
    """The label of a name, which says it itself if there is none: "Boot litres" for `boot_litres` or `bootLitres`."""
    words = re.sub(r"(?<=[a-z])[A-Z](?=[a-z])", lambda first: f" {first[0].lower()}", name).replace("_", " ")
    return LABELS.get(name) or words[:1].upper() + words[1:]
