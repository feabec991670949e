"""A handover or return noted step by step: nothing is lost on the way, and nothing is half done at the end."""

from typing import Any

import pytest

from rental_app.domain.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from rental_app.domain.uploads import DAMAGE_GROUP, TRIP_GROUPS, trip_upload
from rental_app.infrastructure.db import read, write
from rental_app.models import TripDraft, UnclaimedFile
from rental_app.schemas.readings import MAX_DAMAGES, PAPERS, Noted, NotedDamage, ReadingKind
from rental_app.schemas.trips import TripView
from rental_app.schemas.validation import validated
from rental_app.services import throttle
from rental_app.services.files import uploads
from rental_app.services.trips import drafts
from tests.conftest import Clock
from tests.support.booking_steps import book, decide
from tests.support.races import at_once
from tests.support.shop import Shop, actor, add_user, count, open_shop, wanted
from tests.support.trips import at_pickup, at_return, lines, owed, pay, refusal, seen, send

PAPERS_SEEN = list(PAPERS)


def photos(shop: Shop) -> dict[str, Any]:
    """Return a photo for every group that a reading requires."""
    return {group: [send(shop, group)] for group in TRIP_GROUPS}


def note(shop: Shop, ref: object, kind: ReadingKind = "handover", **step: Any) -> Noted:
    """Save a step as the vendor."""
    return write(drafts.note, actor(shop.vendor), str(ref), kind, validated(Noted, step))


def damage(shop: Shop, ref: object, text: str, rupees: object, photo: dict[str, Any] | None = None) -> Noted:
    """Note a damage as the vendor."""
    told = {"note": text, "amount": rupees, "photo": photo or send(shop, DAMAGE_GROUP)}
    return write(drafts.add_damage, actor(shop.vendor), str(ref), validated(NotedDamage, told))


def hand_over(shop: Shop, ref: object) -> None:
    """Do every step of a handover, and complete it."""
    note(shop, ref, papersSeen=PAPERS_SEEN)
    note(shop, ref, odometer=1300, fuelEighths=8, helmets=1, photos=photos(shop))
    write(drafts.hand_over, actor(shop.vendor), str(ref), "Pays later")


@pytest.fixture
def trip(trip: TripView, stopped_clock: Clock) -> TripView:
    """A booking at its pickup."""
    at_pickup(stopped_clock, trip)
    return trip


def test_steps_add_up_in_any_order_and_become_the_handover(shop: Shop, trip: TripView) -> None:
    note(shop, trip.id, helmets=2)
    note(shop, trip.id, photos={"Front": [send(shop, "Front")]})
    note(shop, trip.id, odometer=1299)
    note(shop, trip.id, odometer="1300", fuelEighths=5, photos=photos(shop))
    noted = read(drafts.of, actor(shop.vendor), trip.reference, "handover")
    assert (noted.odometer, noted.fuel_eighths, noted.helmets, noted.papers_seen) == (1300, 5, 2, None)
    assert set(noted.photos) == set(TRIP_GROUPS)

    note(shop, trip.id, papersSeen=PAPERS_SEEN)
    out = write(drafts.hand_over, actor(shop.vendor), trip.reference, "Pays later")
    assert out.handover
    assert (out.stage, out.handover.odometer, out.handover.fuel_eighths, out.handover.helmets) == ("out", 1300, 5, 2)
    assert {photo.group for photo in out.handover.photos} == set(TRIP_GROUPS)
    # The front was photographed twice; the unused photo waits until it is swept.
    assert (count("trip_draft"), count("unclaimed_file")) == (0, 1)
    # A phone that is behind writes nothing into the return.
    for late in (lambda: note(shop, trip.id, odometer=1305), lambda: hand_over(shop, trip.id)):
        assert "handed over already" in refusal("wrong_stage", late).message
    assert "below the handover's" in refusal("odometer_below", note, shop, trip.id, "return", odometer=1299).message
    # At ₹5 a kilometre, one digit too many costs more than an account can hold.
    far = refusal("too_much", note, shop, trip.id, "return", odometer=1_300_000)
    assert "look at the odometer again" in far.message
    assert read(drafts.of, actor(shop.vendor), trip.reference, "return") == Noted()


def test_what_is_missing_is_told_and_what_is_noted_stays(shop: Shop, trip: TripView) -> None:

    def finish() -> InvalidInputError:
        with pytest.raises(InvalidInputError) as refused:
            write(drafts.hand_over, actor(shop.vendor), trip.reference, "Pays later")
        return refused.value

    assert set(finish().fields) == {"odometer", "fuelEighths"}
    note(shop, trip.id, odometer=1300, fuelEighths=8)
    assert set(finish().fields) == {"papersSeen"}
    note(shop, trip.id, papersSeen=PAPERS_SEEN)
    assert set(finish().fields) == set(TRIP_GROUPS)
    kept = photos(shop)
    note(shop, trip.id, photos=kept)
    write(uploads.drop, actor(shop.vendor), kept["Left"][0]["id"])
    assert set(finish().fields) == {trip_upload("Left")}
    assert count("unclaimed_file") == len(TRIP_GROUPS) - 1
    assert "below the vehicle's last reading" in refusal("odometer_below", note, shop, trip.id, odometer=1199).message
    noted = read(drafts.of, actor(shop.vendor), trip.reference, "handover")
    assert (noted.odometer, noted.papers_seen) == (1300, PAPERS_SEEN)
    assert seen(shop.customer, trip.id).stage == "booked"


def test_a_return_charges_what_was_shown_and_each_damage_keeps_its_photo(
    shop: Shop, trip: TripView, stopped_clock: Clock
) -> None:
    hand_over(shop, trip.id)
    pay(shop, trip.id, trip.price)
    pay(shop, trip.id, trip.deposit, "deposit")
    at_return(stopped_clock, trip, hours=1)
    early = send(shop, DAMAGE_GROUP)
    damage(shop, trip.id, "Mirror", "350.50")
    damage(shop, trip.id, "Scratch", 100, early)
    damage(shop, trip.id, "Mistake", 999)
    last = read(drafts.of, actor(shop.vendor), trip.reference, "return").damages[-1]
    write(drafts.drop_damage, actor(shop.vendor), trip.reference, last.photo.id)
    note(shop, trip.id, "return", odometer=1520, fuelEighths=7, helmets=1, speedings=1, photos=photos(shop))

    shown = read(drafts.preview, actor(shop.vendor), trip.reference)
    back = write(drafts.take_back, actor(shop.vendor), trip.reference)
    charged = {line.note: line for line in back.ledger if line.kind in ("late", "kilometres", "speeding", "damage")}
    assert sum(line.amount for line in charged.values()) == shown.total
    assert (charged["Mirror"].amount, charged["Scratch"].amount) == (35_050, 10_000)
    assert owed(back) == (shown.balance.rent, shown.balance.deposit)
    # Photos are claimed in the order they were uploaded, which was not that of the damages.
    assert charged["Scratch"].photo
    assert charged["Mirror"].photo
    assert int(charged["Scratch"].photo.rpartition("/")[2]) < int(charged["Mirror"].photo.rpartition("/")[2])
    assert ("deposit kept", shown.kept_of_deposit) in lines(back)


def test_a_step_is_its_vendors_alone_and_another_vendors_photo_is_not_taken(shop: Shop, trip: TripView) -> None:
    other = open_shop("Elsewhere")
    for user, kind in ((shop.customer, ForbiddenError), (add_user(), NotFoundError), (other.vendor, NotFoundError)):
        for call in (
            lambda who: read(drafts.of, who, trip.reference, "handover"),
            lambda who: write(drafts.note, who, trip.reference, "handover", Noted(helmets=1)),
            lambda who: write(drafts.hand_over, who, trip.reference),
            lambda who: write(drafts.take_back, who, trip.reference),
        ):
            with pytest.raises(kind):
                call(actor(user))
    note(shop, trip.id, papersSeen=PAPERS_SEEN, odometer=1300, fuelEighths=8)
    note(shop, trip.id, photos=photos(shop) | {"Back": [send(other, "Back")]})
    with pytest.raises(InvalidInputError) as refused:
        write(drafts.hand_over, actor(shop.vendor), trip.reference, "Pays later")
    assert set(refused.value.fields) == {trip_upload("Back")}
    # A photo does not count for another side either.
    front = send(shop, "Front")
    note(shop, trip.id, photos={"Back": [front]})
    with pytest.raises(InvalidInputError):
        write(drafts.hand_over, actor(shop.vendor), trip.reference, "Pays later")
    assert read(lambda session: session.get(UnclaimedFile, front["id"])) is not None
    assert read(lambda session: session.get(TripDraft, (trip.id, "handover"))) is not None


def test_nothing_is_noted_of_what_is_not_confirmed(shop: Shop) -> None:
    made = book(shop.customer, wanted(shop.vehicle, days=9))
    refusal("not_confirmed", note, shop, made.id, odometer=1300)
    decide(shop.vendor, made.id, "cancelled")
    refusal("not_confirmed", note, shop, made.id, odometer=1300)
    assert count("trip_draft") == 0


def test_what_no_step_can_say_leaves_what_was_noted(shop: Shop, trip: TripView, stopped_clock: Clock) -> None:
    at_pickup(stopped_clock, trip, hours=-3)
    front = send(shop, "Front")
    noted = note(shop, trip.id, papersSeen=PAPERS_SEEN, odometer=1300, fuelEighths=8, photos=photos(shop))
    for step in (
        *({"odometer": odometer} for odometer in (-1, 1.5, "1e9", 10**9, "many")),
        *({"fuelEighths": eighths} for eighths in (-1, 9, 0.5)),
        *({"helmets": helmets} for helmets in (-1, 51, 0.5)),
        {"papersSeen": ["passport"]},
        {"photos": {"Roof": [front]}},
        {"photos": {"Front": [front | {"id": -1}]}},
        {"photos": {"Front": [front] * 9}},
    ):
        with pytest.raises(InvalidInputError):
            note(shop, trip.id, **step)
    with pytest.raises(ConflictError, match="can be noted from"):
        write(drafts.hand_over, actor(shop.vendor), trip.reference, "Pays later")
    assert read(drafts.of, actor(shop.vendor), trip.reference, "handover") == noted
    assert seen(shop.vendor, trip.id).stage == "booked"

    at_pickup(stopped_clock, trip)
    write(drafts.hand_over, actor(shop.vendor), trip.reference, "Pays later")
    photo = send(shop, DAMAGE_GROUP)
    for text, amount in (*(("Mirror", amount) for amount in (-5, 0, "", 0.001, 500_001, "1e9", None)), ("", 100)):
        with pytest.raises(InvalidInputError):
            damage(shop, trip.id, text, amount, photo)
    for _ in range(MAX_DAMAGES):
        damage(shop, trip.id, "Scratch", 1, photo)
    with pytest.raises(ConflictError, match="At most 8 items of damage"):
        damage(shop, trip.id, "Scratch", 1, photo)


@pytest.mark.databases
def test_pressed_at_once_the_steps_become_one_reading(shop: Shop, trip: TripView) -> None:
    note(shop, trip.id, papersSeen=PAPERS_SEEN, odometer=1300, fuelEighths=8, helmets=1, photos=photos(shop))

    def finish() -> None:
        write(drafts.hand_over, actor(shop.vendor), trip.reference, "Pays later")

    *finished, late = at_once(finish, finish, lambda: note(shop, trip.id, helmets=2))
    assert sorted(finished) == ["", "wrong_stage"]
    out = seen(shop.vendor, trip.id)
    assert out.handover
    # A step from another phone is either part of it or refused.
    assert (late, out.handover.helmets) in (("", 2), ("wrong_stage", 1))
    assert sorted(photo.group for photo in out.handover.photos) == sorted(TRIP_GROUPS)
    assert count("trip_draft") == 0


def test_each_button_counts_once(shop: Shop, trip: TripView, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []
    note(shop, trip.id, papersSeen=PAPERS_SEEN, odometer=1300, fuelEighths=8, photos=photos(shop))
    at_the_return = photos(shop)
    monkeypatch.setattr(throttle, "count", lambda kind, _caller: counted.append(kind))
    write(drafts.hand_over, actor(shop.vendor), trip.reference, "Pays later")
    note(shop, trip.id, "return", odometer=1400, fuelEighths=8, photos=at_the_return)
    read(drafts.preview, actor(shop.vendor), trip.reference)
    write(drafts.take_back, actor(shop.vendor), trip.reference)
    assert counted == ["change", "change", "look", "change"]
