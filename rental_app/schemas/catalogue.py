"""Catalogue shapes."""

from pydantic import Field

from rental_app.schemas.wire import Answer, ItsId, NameOfPlan, NameOut, PincodeOut, RupeesOut, Slug, Wire


class CatalogueItem(Wire):
    """A bank, asset type or manufacturer."""

    id: ItsId
    name: NameOut


class LocationView(CatalogueItem):
    """A locality and where it is, in degrees."""

    slug: Slug
    latitude: float = Field(description="Latitude in degrees north")
    longitude: float = Field(description="Longitude in degrees east")


class PlanView(Wire):
    """A model's price plan."""

    price_name: NameOfPlan
    recommended_price: RupeesOut = Field(description="The price recommended, in rupees")
    max_price: RupeesOut = Field(description="The highest price, in rupees")


class ModelView(CatalogueItem):
    """A model with its price plans."""

    prices: list[PlanView] = Field(description="The price plans")


class NameOnly(Wire):
    """The `state` and `county` of a pincode."""

    name: NameOut


class PincodeView(Wire):
    """Where a pincode lies."""

    pincode: PincodeOut
    city: str = Field(description="City")
    state: NameOnly = Field(description="State")
    county: NameOnly = Field(description="District")


class PincodeRequest(Wire):
    """A pincode to look up."""

    pincode: PincodeOut


class LocationsAnswer(Answer):
    """All localities."""

    data: list[LocationView] = Field(description="What was looked up")


class NamedAnswer(Answer):
    """Banks, asset types or manufacturers."""

    data: list[CatalogueItem] = Field(description="What was looked up")


class ModelsAnswer(Answer):
    """A manufacturer's models."""

    data: list[ModelView] = Field(description="What was looked up")


class PincodeAnswer(Answer):
    """A pincode found."""

    data: PincodeView = Field(description="What was looked up")
