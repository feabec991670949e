"""Catalogue shapes."""

from rental_app.schemas.wire import Answer, RupeesOut, Wire


class CatalogueItem(Wire):
    """A bank, asset type or manufacturer."""

    id: int
    name: str


class LocationView(CatalogueItem):
    """A locality and where it is, in degrees."""

    slug: str
    latitude: float
    longitude: float


class PlanView(Wire):
    """A model's price plan."""

    price_name: str
    recommended_price: RupeesOut
    max_price: RupeesOut


class ModelView(CatalogueItem):
    """A model with its price plans."""

    prices: list[PlanView]


class NameOnly(Wire):
    """The `state` and `county` of a pincode."""

    name: str


class PincodeView(Wire):
    """Where a pincode lies."""

    pincode: str
    city: str
    state: NameOnly
    county: NameOnly


class PincodeRequest(Wire):
    """A pincode to look up."""

    pincode: str


class LocationsAnswer(Answer):
    """All localities."""

    data: list[LocationView]


class NamedAnswer(Answer):
    """Banks, asset types or manufacturers."""

    data: list[CatalogueItem]


class ModelsAnswer(Answer):
    """A manufacturer's models."""

    data: list[ModelView]


class PincodeAnswer(Answer):
    """A pincode found."""

    data: PincodeView
