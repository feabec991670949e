"""The localities of Hyderabad that have vehicles."""

from dataclasses import dataclass

CITY, STATE = "Hyderabad", "Telangana"


@dataclass(frozen=True, slots=True)
class SeedPlace:
    """A locality with its district and its position (degrees)."""

    name: str
    slug: str
    pincode: str
    county: str
    latitude: float
    longitude: float


PLACES = (
    SeedPlace("Gachibowli", "gachibowli", "500032", "Ranga Reddy", 17.4401, 78.3489),
    SeedPlace("HITEC City", "hitec-city", "500081", "Hyderabad", 17.4435, 78.3772),
    SeedPlace("Madhapur", "madhapur", "500081", "Hyderabad", 17.4483, 78.3915),
    SeedPlace("Kukatpally", "kukatpally", "500072", "Medchal Malkajgiri", 17.4948, 78.3996),
    SeedPlace("Miyapur", "miyapur", "500049", "Medchal Malkajgiri", 17.4968, 78.3614),
    SeedPlace("Ameerpet", "ameerpet", "500016", "Hyderabad", 17.4375, 78.4483),
    SeedPlace("Begumpet", "begumpet", "500016", "Hyderabad", 17.4447, 78.4664),
    SeedPlace("Secunderabad", "secunderabad", "500003", "Hyderabad", 17.4399, 78.4983),
    SeedPlace("Uppal", "uppal", "500039", "Medchal Malkajgiri", 17.4018, 78.5602),
    SeedPlace("Dilsukhnagar", "dilsukhnagar", "500060", "Ranga Reddy", 17.3688, 78.5247),
    SeedPlace("LB Nagar", "lb-nagar", "500074", "Ranga Reddy", 17.3457, 78.5522),
    SeedPlace("Shamshabad", "shamshabad", "501218", "Ranga Reddy", 17.2603, 78.3969),
)
