"""Sheets as shops keep them: which column is which, and what people write into cells."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rental_app.domain.fleet_sheet import (
    TEMPLATE,
    CatalogueModel,
    field_of,
    header_of,
    is_header_again,
    model_of,
    plain_text,
    read_amount,
    read_cell,
    read_day,
    read_kilometres,
    read_year,
)
from rental_app.domain.money import grouped

SPELLED = {
    "rc_number": ("Reg No", "Reg. No.", "Registration number", "REGN NO", "R.C. No", "Vehicle No", "RC", "Plate no"),
    "model": ("Model", "Make & Model", "Vehicle", "Bike name"),
    "manufacturer": ("Make", "Brand", "Company", "Manufacturer"),
    "Full Day.price": ("Rate/day", "Rate/day (Rs)", "Rent per day", "Daily rate", "24 hrs rate", "Price"),
    "Half Day.price": ("Half day", "12 hrs rate", "Rate per half-day"),
    "Week.price": ("Weekly rent", "Rate/week"),
    "Full Day.kms_limit": ("Km limit / day", "Free kms", "Kms limit"),
    "security_deposit": ("Deposit", "Security deposit (₹)", "Advance", "Refundable deposit"),
    "insurance_expiry_date": ("Insurance", "Insurance valid upto", "Ins. expiry date", "Policy expiry"),
    "pollution_expiry_date": ("PUC", "PUC exp.", "Pollution valid till"),
    "odometer_reading": ("Odometer", "Current km", "KMs", "Odometer reading"),
    "owner_name_as_per_rc": ("Owner", "Owner's name", "Registered owner", "Name as per RC"),
    "late_penalty_per_hour": ("Late fee/hr", "Late charges per hour", "Extra hour charge"),
    "distance_penalty_per_km": ("Extra km charge", "Extra KM Rs", "Excess km charges"),
    "pick_up_payment": ("Pick-up charge", "Pickup charges"),
    "drop_off_payment": ("Drop off charges", "Delivery charge"),
    "terms": ("Terms", "T&C", "Terms & Conditions", "Remarks"),
    "year": ("Year", "Mfg year", "Year of manufacture", "YOM"),
    "": ("S.No", "Phone", "Security", "", "₹", "Purchase price", "१२"),
}
MODELS = [
    CatalogueModel(1, "Scooter", 1, "Honda", 1, "Activa 6G"),
    CatalogueModel(1, "Scooter", 1, "Honda", 2, "Activa 125"),
    CatalogueModel(2, "Motorcycle", 3, "Royal Enfield", 4, "Classic 350"),
    CatalogueModel(3, "Car", 5, "Maruti Suzuki", 6, "Swift"),
    CatalogueModel(2, "Motorcycle", 6, "Swiftly", 7, "Swift"),
]


@pytest.mark.parametrize(("field", "title"), [(field, title) for field, titles in SPELLED.items() for title in titles])
def test_headers_are_known_in_many_spellings(field: str, title: str) -> None:
    assert field_of(title) == field
    assert field_of(f" {title.upper()} ") == field


def test_every_column_of_the_template_is_known_and_its_example_can_be_read() -> None:
    assert len({field_of(title) for title in TEMPLATE} - {""}) == len(TEMPLATE)
    for title, example in TEMPLATE.items():
        assert read_cell(field_of(title), example)


def test_the_header_is_the_row_that_names_the_most_below_titles() -> None:
    rows = [
        (1, ["Sri Balaji Rentals"]),
        (3, ["Model", "", "as of 5 Nov"]),
        (4, ["S.No", "Reg No", "Model", "Rate/day", "Rate", "Colour of seat"]),
        (5, ["1", "TS09EA1234", "Activa 6G", "450"]),
    ]
    header = header_of(rows)
    assert header is not None
    assert header.row == 4
    assert dict(header.fields) == {1: "rc_number", 2: "model", 3: "Full Day.price"}
    assert header.unknown == ["Rate", "Colour of seat"], "what counts the rows is nothing that was left out"
    assert is_header_again(header, ["S.No ", "Reg  No", "Model", "Rate/day", "Rate", "Colour of seat", ""])
    assert not is_header_again(header, rows[3][1])


@pytest.mark.parametrize("row", [["Reg No"], ["Deposit", "Rate"], ["a", "b"], [], ["TS09EA1234", "Activa"]])
def test_a_header_names_a_vehicle_and_something_of_it(row: list[str]) -> None:
    assert header_of([(1, row)]) is None
    assert header_of([]) is None


@pytest.mark.parametrize(
    "text",
    [
        *("05/11/2026", "5/11/26", "05-11-2026", "5.11.2026", "5-Nov-26", "5 November 2026", "5th Nov 2026"),
        *("2026-11-05", "2026/11/5", "Nov 5, 2026", "2026-11-05 00:00:00", "46331", "5–Nov–2026", "05/11/2026 10:30"),
    ],
)
def test_days_are_read_the_indian_way(text: str) -> None:
    assert read_day(text) == date(2026, 11, 5)


@pytest.mark.parametrize("text", ["11/25/2026", "31/02/2026", "soon", "5 Foo 2026", "2026", "1", "Nov 2026", "99999"])
def test_a_day_that_cannot_be_is_refused_and_never_guessed(text: str) -> None:
    with pytest.raises(ValueError, match="day, month, year"):
        read_day(text)


@given(st.dates(date(2000, 1, 1), date(2099, 12, 31)))
def test_a_day_is_read_however_it_is_written(day: date) -> None:
    for form in ("%d/%m/%Y", "%d-%m-%y", "%d.%m.%Y", "%Y-%m-%d", "%d-%b-%y", "%d %B %Y", "%B %d, %Y"):
        assert read_day(day.strftime(form)) == day


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        *(
            ("1,20,000", "120000"),
            ("Rs 500", "500"),
            ("Rs. 500/-", "500"),
            ("₹1,450.50", "1450.50"),
            ("500/day", "500"),
        ),
        *(("500 per day", "500"), ("INR 2000", "2000"), ("500.0", "500.0"), ("Rs.500 (refundable)", "500"), ("0", "0")),
    ],
)
def test_amounts_are_read_as_people_write_them(text: str, amount: str) -> None:
    assert read_amount(text) == amount


@pytest.mark.parametrize("text", ["2k", "abc", "", "about 500", "500-600", "1,2,3", "=1+1", "5 lakh", "10%"])
def test_an_amount_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="rupees"):
        read_amount(text)


@given(st.integers(0, 10**9), st.sampled_from(["{}", "Rs {}", "₹{}/-", "{} per day", "INR {}"]))
def test_an_amount_is_the_same_grouped_or_not(rupees: int, written: str) -> None:
    for figure in (str(rupees), grouped(rupees), f"{rupees:,}"):
        assert Decimal(read_amount(written.format(figure))) == rupees


def test_kilometres_and_years_are_read() -> None:
    assert [read_kilometres(text) for text in ("12,000 km", "12000.0", "unlimited", "120/day")] == [
        *("12000", "12000", "0", "120")
    ]
    assert [read_year(text) for text in ("2021", "Mar 2021", "03/2021")] == ["2021"] * 3
    assert read_cell("speed_limit_kmph", "70 kmph") == "70"
    assert read_cell("rc_number", "ts-09 ea 1234") == "TS09EA1234"
    assert read_cell("color", "Sea green") == "Sea green"
    for read, text in ((read_kilometres, "12.5"), (read_kilometres, "x"), (read_year, "21")):
        with pytest.raises(ValueError, match="Enter"):
            read(text)


def test_dashes_are_blank_and_text_that_could_be_a_formula_is_text() -> None:
    assert [plain_text(cell) for cell in ("-", " — ", "NA", "N/A", "nil", "", " x ")] == ["", "", "", "", "", "", "x"]
    assert plain_text("=1+1") == plain_text("'=1+1") == "=1+1"
    assert plain_text("'twas") == "'twas"


def test_models_are_found_by_name_with_or_without_their_maker() -> None:
    def name(kind: str, maker: str, model: str) -> int:
        return model_of(MODELS, kind, maker, model).model_id

    assert name("", "", "Activa 6G") == name("Scooters", "HONDA", "activa-6g") == name("", "", "Honda Activa6G") == 1
    assert name("", "Honda", "Honda Activa 125") == 2
    assert name("", "", "Enfield Classic 350") == name("Bike", "Royal Enfield", "Classic 350") == 4
    assert name("Car", "", "Swift") == name("", "Maruti", "Swift") == 6
    for kind, maker, model in (("", "", "Activa"), ("", "", "Swift"), ("", "TVS", "Activa 6G"), ("", "", "Honda")):
        with pytest.raises(ValueError, match="choose it in the draft"):
            name(kind, maker, model)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("security_deposit", "." * 6_000),
        ("odometer_reading", f"1{' ' * 5_990}x"),
        ("speed_limit_kmph", f"1{' ' * 5_990}x"),
        ("color", "x" * 201),
    ],
)
def test_a_cell_that_is_too_long_is_refused_before_it_is_looked_at(field: str, text: str) -> None:
    with pytest.raises(ValueError, match="at most 200 characters"):
        read_cell(field, text)
    assert read_cell("terms", text) == text


def test_of_a_long_title_only_the_begin_is_read() -> None:
    row = ["Reg No", f"Model{' ' * 300}(as per RC)", "(" * 6_000]
    header = header_of([(1, row)])
    assert header
    assert header.fields == {0: "rc_number", 1: "model"}
    assert header.unknown == ["(" * 200]
    assert is_header_again(header, row)


def test_a_model_that_is_too_long_is_refused() -> None:
    for names in (("", "", "honda " * 40), ("", "honda " * 40, "Activa 6G"), ("Scooter " * 40, "", "Activa 6G")):
        with pytest.raises(ValueError, match="at most 200 characters"):
            model_of(MODELS, *names)
