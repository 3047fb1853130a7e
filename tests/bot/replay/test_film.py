"""Films of matches: what they show and to whom, how long and how large they are."""

from __future__ import annotations

import io
import itertools
from random import Random
from typing import Any

import pytest
from PIL import Image, ImageColor

from bot.art import common, ink
from bot.art.picture import Picture
from bot.art.rendering import Tiles, pixels
from bot.art.scene import WIDTH, Box, Scene, place_deeds
from bot.replay import film
from bot.replay.film import FRAMES, LARGEST, LONGEST, Frame, NoFilm, durations, frames_of, make_film, thinned
from bot.replay.page import make_page
from bot.replay.turns import moments
from bot.ui.screens.game_screens import SeenEvent, has_pictures
from engine.record import Record, verify
from tests.bot.art.composed import check_composed
from tests.bot.replay.data import data_of
from tests.bot.replay.records import ENGINES, PLAYED, SCREENS, played
from tests.cogs.painted_screens import PaintedScreens
from tests.sampling import amount

SEED_WITH_GAPS = 1
"""Of the matches of the treasure games with this seed, some moments have an empty hand beside full ones."""
DRAWN = [key for key in PLAYED if has_pictures(SCREENS[key])]
EACH_DRAWN = pytest.mark.parametrize("key", DRAWN)
PAINTED = {"archaeology": PaintedScreens(ENGINES["archaeology"])}


def painted(
    record: Record,
    *,
    everything: bool = True,
    line_counts: list[tuple[int, int]] | None = None,
    largest: int = LARGEST,
) -> film.Film:
    """A film of Archaeology that is quickly drawn."""
    reports = [] if line_counts is None else line_counts
    return make_film(
        record,
        ENGINES,
        PAINTED,
        everything=everything,
        report=lambda drawn, of: reports.append((drawn, of)),
        largest=largest,
    )


def seen(data: bytes) -> tuple[int, float, tuple[int, int]]:
    """A film's frames, its seconds, and its size."""
    image: Any = Image.open(io.BytesIO(data))
    seconds = 0.0
    for number in range(image.n_frames):
        image.seek(number)
        seconds += image.info["duration"] / 1000
    return image.n_frames, seconds, image.size


# -- what it shows


def shown_in_film(key: str, views: list[Any]) -> tuple[Picture | None, ...]:
    """The seats' own pictures in a film, from their views; none if the table's picture shows the same."""
    if not SCREENS[key].own_in_film:
        return ()
    return tuple(SCREENS[key].own_picture(view) for view in views)


def pictured(key: str, view: Any, owner: int | None) -> Picture:
    """The table's picture in a film, from a spectator's view of the state after a turn."""
    picture = SCREENS[key].table_picture(view if owner is None else SCREENS[key].view_of_turn(view, owner))
    assert picture is not None
    return picture


@EACH_DRAWN
def test_there_is_a_frame_for_the_set_up_and_for_each_turn_as_it_ended(key: str) -> None:
    record = played(key)
    frames = list(frames_of(record, ENGINES, SCREENS, everything=True))
    ends = {moment.turn: moment.step.move for moment in moments(record, ENGINES)}
    assert [frame.turn for frame in frames] == list(ends)
    wanted = {move: turn for turn, move in ends.items()}
    for moment in moments(record, ENGINES):
        if moment.step.move in wanted:
            game, state, frame = ENGINES[key], moment.step.state, frames[wanted[moment.step.move]]
            assert frame.table == pictured(key, game.view(state, None), moment.owner)
            assert frame.own == shown_in_film(key, [game.view(state, seat) for seat in range(3)])
            assert frame.owner == moment.owner


@EACH_DRAWN
def test_film_of_a_running_match_shows_only_a_spectators_view(key: str) -> None:
    """The frames are those of another match, which a spectator cannot tell from this one."""
    record = played(key, moves=40)
    game, rng = ENGINES[key], Random(3)
    frames = {frame.turn: frame for frame in frames_of(record, ENGINES, SCREENS, everything=False)}
    compared = 0
    for moment in moments(record, ENGINES):
        view = game.view(moment.step.state, None)
        other = game.view(game.determinize(view, rng), None)
        picture = pictured(key, other, moment.owner)
        if moment.step.move in (40, 0):
            assert frames[moment.turn].table.svg == picture.svg
            compared += 1
    assert compared == 2
    assert all(frame.own == () for frame in frames.values())


@EACH_DRAWN
def test_films_and_pages_show_each_seat_what_it_had_at_that_moment(key: str) -> None:
    """Seat by seat against the views, with players among them who have nothing to show while others do."""
    record, game, screens = played(key, seats=4, seed=SEED_WITH_GAPS), ENGINES[key], SCREENS[key]
    page = data_of(make_page(verify(record, ENGINES), "found", ENGINES, SCREENS, "en"))
    frames = {frame.turn: frame for frame in frames_of(record, ENGINES, SCREENS, everything=True)}
    ends = {moment.turn: moment.step.move for moment in moments(record, ENGINES)}
    gaps = 0
    for moment in moments(record, ENGINES):
        own = [screens.own_picture(game.view(moment.step.state, seat)) for seat in range(4)]
        step = page["steps"][moment.step.move]
        line_counts = [
            None if number < 0 else page["texts"][page["pictures"][number][2]] for number in step["own"]
        ]
        assert line_counts == [picture and picture.alt for picture in own]
        if ends[moment.turn] == moment.step.move:
            views = [game.view(moment.step.state, seat) for seat in range(4)]
            assert frames[moment.turn].own == shown_in_film(key, views)
        gaps += None in own[:-1] and own[-1] is not None
    assert gaps or not key.startswith(("archaeology", "expedition")), "nobody had an empty hand"


@EACH_DRAWN
def test_a_frame_has_the_picture_of_what_was_memorable_in_its_turn(key: str) -> None:
    record = played(key, moves=60)
    frames = list(frames_of(record, ENGINES, SCREENS, everything=True))
    events: dict[int, list[SeenEvent]] = {}
    for moment in moments(record, ENGINES):
        line_counts = events.setdefault(moment.turn, [])
        line_counts += [
            SeenEvent(event.kind, event.seat, {**event.facts, **event.secret}) for event in moment.step.events
        ]
    first, *others = frames
    assert [frame.memorable for frame in others] == [
        SCREENS[key].vignette(events[frame.turn]) for frame in others
    ]
    assert any(frame.memorable for frame in others)
    assert first.memorable is None


@EACH_DRAWN
def test_each_frame_says_whose_turn_it_was_and_what_happened(key: str) -> None:
    """By the same token in the caption and in the table's picture, which marks nobody else."""
    for everything in (True, False):
        first, *others = frames_of(played(key), ENGINES, SCREENS, everything=everything)
        assert first.deeds == tuple([common.token(seat)] for seat in range(3))
        assert all(deed for frame in others for deed in frame.deeds)
        for frame in others:
            assert frame.owner is not None
            assert frame.deeds
            picture = film._Layout.of([frame]).scene(frame)
            token = common.token(frame.owner).id
            below = [layer for layer in picture.layers if layer.y >= frame.table.height]
            assert any(f'href="#{token}"' in layer.element and layer.width == 64 for layer in below)
    game = ENGINES[key]
    for moment in moments(played(key), ENGINES):
        view = game.view(moment.step.state, None)
        if moment.owner is not None and view.outcome is None:
            marked = SCREENS[key].view_of_turn(view, moment.owner)
            assert marked.active == moment.owner


def test_captions_are_laid_in_rows_and_none_leaves_its_box() -> None:
    for number in (1, 4, 12, 40):
        scene = Scene(WIDTH, 100)
        deed = [common.draw("card-back"), "×2", common.draw("arrow"), "$30"]
        place_deeds(scene, [deed] * number, Box(20, 10, 500, 80))
        layers = scene.picture("signs").layers
        assert layers
        for layer in layers:
            assert layer.x >= 20
            assert layer.x + layer.width <= 521
            assert layer.y >= 9
            assert layer.y + layer.height <= 91


def test_a_seat_without_a_picture_keeps_its_place_in_the_frame() -> None:
    def drawn(*own: Picture | None) -> Image.Image:
        frame = Frame(1, 1, 0, Scene(WIDTH, 40).picture("A table."), own)
        layout = film._Layout.of([frame])
        return pixels(layout.scene(frame).svg, WIDTH).convert("RGB")

    hand = Scene(200, 60).panel(Box(0, 0, 200, 60), ink.CLAY).picture("A hand.")
    clay = ImageColor.getrgb(ink.CLAY)[:3]
    large = film._Layout.of([Frame(1, 1, 0, Scene(WIDTH, 40).picture("A table."), (hand,))]).large
    for own, where in (((None, hand), 1), ((hand, None), 0), ((None, None, hand), 2)):
        image = drawn(*own)
        y = 40 + film.CAPTION + 50
        cells = [(WIDTH // 2, y), (WIDTH // 4, y + large), (3 * WIDTH // 4, y + large)]
        assert [image.getpixel(cell) == clay for cell in cells[: len(own)]] == [
            seat == where for seat in range(len(own))
        ]
    assert drawn(None, None).height == drawn().height, "nobody has anything to show"


@pytest.mark.parametrize("mover", [0, 1, 2, 3])
def test_hand_of_the_mover_is_as_wide_as_the_frame_so_that_a_phone_shows_its_cards(mover: int) -> None:
    hands = tuple(
        Scene(WIDTH, 200).panel(Box(0, 0, WIDTH, 200), colour).picture("A hand.")
        for colour in (ink.CLAY, ink.BONE, ink.CREAM, ink.PAPER)
    )
    frame = Frame(1, 1, mover, Scene(WIDTH, 40).picture("A table."), hands)
    picture = film._Layout.of([frame]).scene(frame)
    widths = {
        seat: max(layer.width for layer in picture.layers if layer.element.count(f'"{colour}"'))
        for seat, colour in enumerate((ink.CLAY, ink.BONE, ink.CREAM, ink.PAPER))
        if seat == mover
    }
    assert widths[mover] >= 0.9 * WIDTH


@pytest.mark.system
@EACH_DRAWN
def test_each_frame_has_the_pixels_of_its_whole_drawing(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Frame by frame, of parts that are rasterised once for the film, against one SVG that nests the pictures."""
    frames = thinned(list(frames_of(played(key, 4, moves=40), ENGINES, SCREENS, everything=True)), 6)
    frames, tiles = film._marked(frames), Tiles()
    layout = film._Layout.of(frames)
    composed = [layout.scene(frame) for frame in frames]
    monkeypatch.setattr(Scene, "spread", Scene.inset)
    for frame, picture in zip(frames, composed, strict=True):
        check_composed(picture, tiles, layout.scene(frame))


def test_no_frame_is_rasterised_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only those from which the palette is chosen are, however many frames there are."""
    whole: list[str] = []

    def noted(svg: str, width: int | None = None) -> Image.Image:
        whole.append(svg)
        return pixels(svg, width)

    monkeypatch.setattr(film, "pixels", noted)
    assert painted(played("archaeology", moves=24)).frames > film._SAMPLED
    assert len(whole) == film._SAMPLED


@pytest.mark.system
def test_hands_are_shown_once_all_may_know_them() -> None:
    record = played("archaeology")
    (_, *_, last) = frames_of(record, ENGINES, PAINTED, everything=True)
    assert len(last.own) == 3
    hidden = seen(painted(record, everything=False).data)
    shown = seen(painted(record).data)
    assert hidden[0] == shown[0]
    assert hidden[2][1] < shown[2][1]


def test_a_match_that_cannot_be_played_again_has_no_film() -> None:
    record = played("archaeology")
    for changed in (
        record.model_copy(update={"version": 999}),
        record.model_copy(update={"moves": (*record.moves[:20], record.moves[0], *record.moves[20:])}),
    ):
        with pytest.raises(NoFilm) as refused:
            painted(changed)
        assert refused.value.code == "other-rules"


def test_a_game_without_pictures_has_no_film(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PaintedScreens, "table_picture", lambda _self, _view: None)
    with pytest.raises(NoFilm) as refused:
        painted(played("archaeology"))
    assert refused.value.code == "no-pictures"


# -- how long, and how large


@pytest.mark.parametrize("frames", [1, 2, 20, FRAMES - 1, FRAMES])
def test_no_film_is_longer_than_a_minute_and_no_frame_too_short_to_be_seen(frames: int) -> None:
    times = durations(frames)
    assert len(times) == frames
    assert sum(times) <= LONGEST * 1000
    assert min(times) >= 890
    assert times[-1] >= times[0] + 4000 * (frames > 1)


@pytest.mark.parametrize("turns", [1, FRAMES, FRAMES + 1, 300])
def test_film_of_a_long_match_samples_turns_with_first_and_last(turns: int) -> None:
    (one, *_others) = frames_of(played("archaeology"), ENGINES, PAINTED, everything=False)
    every = [Frame(turn, turn, None, one.table) for turn in range(turns)]
    shown = [frame.turn for frame in thinned(every)]
    assert len(shown) == min(turns, FRAMES)
    assert shown == sorted(set(shown))
    assert (shown[0], shown[-1]) == (0, turns - 1)
    gaps = {later - earlier for earlier, later in itertools.pairwise(shown)}
    assert not gaps or max(gaps) - min(gaps) <= 1


@pytest.mark.sampled
def test_film_has_its_frames_and_reports_progress() -> None:
    line_counts: list[tuple[int, int]] = []
    record = played("archaeology", moves=amount(200, 24))
    made = painted(record, line_counts=line_counts)
    frames, seconds, size = seen(made.data)
    assert frames == made.frames == made.turns + 1
    assert seconds <= LONGEST
    assert size[0] == 720
    assert line_counts == [(number, frames) for number in range(frames + 1)]
    assert len(made.data) <= LARGEST


@pytest.mark.system
def test_too_large_film_is_scaled_down_or_fails() -> None:
    record = played("archaeology", moves=12)
    whole = painted(record)
    smaller = painted(record, largest=len(whole.data) - 1)
    assert len(smaller.data) < len(whole.data)
    assert seen(smaller.data)[2][0] < 720
    assert smaller.frames == whole.frames
    with pytest.raises(NoFilm) as refused:
        painted(record, largest=100)
    assert refused.value.code == "failed"


@pytest.mark.system
@EACH_DRAWN
def test_a_real_film_keeps_the_colours_of_the_tokens(key: str) -> None:
    """One turn of the largest table: as it is drawn in a film, no seat's colour turns into another's."""
    record = played(key, ENGINES[key].max_seats, moves=6)
    made = make_film(record, ENGINES, SCREENS, everything=True, report=lambda *_: None)
    frames, _seconds, (width, height) = seen(made.data)
    assert frames == made.frames
    assert (width, height <= 1280) == (720, True)
    image = Image.open(io.BytesIO(made.data)).convert("RGB")
    colours = {colour for _count, colour in image.getcolors(1 << 20) or []}
    for seat in range(ENGINES[key].max_seats):
        wanted = film.ImageColor.getrgb(film.common.SEAT_COLOURS[seat])
        assert wanted in colours, f"the colour of seat {seat}"
