"""The localities of Hyderabad that have vehicles."""

from dataclasses import dataclass

CITY, STATE = "Hyderabad", "Telangana"


@dataclass(frozen=True, slots=True)
class Place:
    """A locality with its district and its position (degrees)."""

    name: str
    slug: str
    pincode: str
    county: str
    latitude: float
    longitude: float


PLACES = (
    Place("Gachibowli", "gachibowli", "500032", "Ranga Reddy", 17.4401, 78.3489),
    Place("HITEC City", "hitec-city", "500081", "Hyderabad", 17.4435, 78.3772),
    Place("Madhapur", "madhapur", "500081", "Hyderabad", 17.4483, 78.3915),
    Place("Kukatpally", "kukatpally", "500072", "Medchal Malkajgiri", 17.4948, 78.3996),
    Place("Miyapur", "miyapur", "500049", "Medchal Malkajgiri", 17.4968, 78.3614),
    Place("Ameerpet", "ameerpet", "500016", "Hyderabad", 17.4375, 78.4483),
    Place("Begumpet", "begumpet", "500016", "Hyderabad", 17.4447, 78.4664),
    Place("Secunderabad", "secunderabad", "500003", "Hyderabad", 17.4399, 78.4983),
    Place("Uppal", "uppal", "500039", "Medchal Malkajgiri", 17.4018, 78.5602),
    Place("Dilsukhnagar", "dilsukhnagar", "500060", "Ranga Reddy", 17.3688, 78.5247),
    Place("LB Nagar", "lb-nagar", "500074", "Ranga Reddy", 17.3457, 78.5522),
    Place("Shamshabad", "shamshabad", "501218", "Ranga Reddy", 17.2603, 78.3969),
)
