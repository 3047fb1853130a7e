"""Tiles: layers are rasterised once, and a picture composed of them looks like its whole SVG."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageColor

from bot.art import common, ink, rendering
from bot.art.ink import CLAY, SKY, Part
from bot.art.picture import Layer, Picture
from bot.art.rendering import Tiles, pixels
from bot.art.scene import Box, Pen, Scene
from tests.bot.art.composed import check_composed

BEYOND = Part(
    "beyond", 20, 20, f'<path d="M-90 10 L110 10 M10 -60 L10 70" stroke="{CLAY}" stroke-width="9"/>'
)

DRAWN: dict[str, Callable[[Scene], Scene]] = {
    "a part": lambda scene: scene.place(common.draw("money"), 20, 30),
    "between pixels": lambda scene: scene.place(common.draw("money"), 20.3, 30.7, 40.6),
    "turned": lambda scene: scene.place(common.draw("card-back"), 40, 20.5, 60, turn=33),
    "faint": lambda scene: scene.place(common.die(5), 10, 10).place(
        common.draw("card-back"), 30, 20, faint=0.4
    ),
    "on each other": lambda scene: scene.place(common.draw("card"), 30, 20).place(
        common.token(3), 42.5, 50, 60
    ),
    "across the edge": lambda scene: scene.place(common.draw("card"), -30.5, -20).place(
        common.draw("money"), 150, 120
    ),
    "beyond its box": lambda scene: scene.place(BEYOND, 90, 70),
    "a number": lambda scene: scene.figure("12/34", 100, 30, 40, anchor="end", pen=Pen(halo=SKY)),
    "a space": lambda scene: scene.figure(" ", 100, 30, 40).figure(1, 50, 30, 40),
    "a sheet": lambda scene: scene.panel(Box(15.5, 20, 120, 60.4), SKY).panel(
        Box(30, 40, 100, 80), None, line=5
    ),
    "a large sheet": lambda scene: scene.place(common.draw("money"), 20, 30).panel(
        Box(5.5, 4, 189, 150), SKY
    ),
    "a large frame": lambda scene: scene.place(common.draw("money"), 20, 30).panel(
        Box(5, 4, 190, 150), None, line=5
    ),
    "a sheet across the edge": lambda scene: scene.panel(Box(-60, -40, 220, 150), SKY),
    "a picture": lambda scene: scene.inset(
        Scene(80, 60).place(common.draw("money"), 10, 5).picture("x"), 20, 30, 120
    ),
}


@pytest.mark.parametrize("drawn", DRAWN)
def test_a_composed_picture_looks_like_its_whole_svg(drawn: str) -> None:
    check_composed(DRAWN[drawn](Scene(200, 160)).picture("x"))


@pytest.fixture
def rasterised(monkeypatch: pytest.MonkeyPatch) -> list[Layer]:
    """The layers that are rasterised, in their order."""
    made: list[Layer] = []
    real = rendering.rasterised

    def noted(layer: Layer, parts: dict[str, str]) -> rendering.Tile:
        made.append(layer)
        return real(layer, parts)

    monkeypatch.setattr(rendering, "rasterised", noted)
    return made


def coins(*places: float) -> Picture:
    scene = Scene(300, 100)
    for place in places:
        scene.place(common.draw("money"), place, 10, 40)
    return scene.picture("x")


def test_a_layer_is_rasterised_once_for_all_its_places_and_pictures(rasterised: list[Layer]) -> None:
    kept = Tiles()
    first = kept.compose(coins(10, 60, 110))
    assert len(rasterised) == 1
    assert kept.compose(coins(10, 60, 110)).tobytes() == first.tobytes()
    kept.compose(coins(200, 7))
    assert len(rasterised) == 1
    kept.compose(coins(10.5))
    assert len(rasterised) == 2, "its edges fall on other pixels"


def test_tiles_take_no_more_memory_than_they_may(rasterised: list[Layer]) -> None:
    kept = Tiles(20_000)
    large = Scene(300, 100).panel(Box(0, 0, 300, 100), CLAY).picture("x")
    for picture in (coins(1.1, 2.2, 3.3, 4.4), large, coins(5.5)):
        check_composed(picture, kept)
        assert kept.bytes <= 20_000
    kept.compose(coins(5.5))
    assert len(rasterised) == 6, "the tile that was used last is kept"
    kept.compose(coins(1.1))
    assert len(rasterised) == 7


def test_what_is_no_svg_is_refused() -> None:
    broken = Picture("x", 10, 10, CLAY, (Layer(0, 0, 5, 5, "<g>"),), {})
    with pytest.raises(ValueError, match=r"\S"):
        Tiles().compose(broken)
    with pytest.raises(ValueError, match=r"\S"):
        pixels("nothing")
    endless = Layer(0, 0, 5, 5, '<rect width="100%" height="100%"/>')
    with pytest.raises(ValueError, match="too far beyond"):
        Tiles().compose(Picture("x", 10, 10, CLAY, (endless,), {}))


def test_pixels_are_as_wide_as_said() -> None:
    assert pixels(coins(1).svg, 30).size == (30, 10)
    assert isinstance(pixels(coins(1).svg), Image.Image)


def file_of(scene: Scene) -> Image.Image:
    return Image.open(BytesIO(rendering.render(scene.picture("x")))).convert("RGB")


def test_a_file_has_the_colours_of_ink_exactly() -> None:
    scene = Scene(20 * len(ink.COLOURS), 20)
    for number, colour in enumerate(ink.COLOURS):
        scene.panel(Box(20 * number, 0, 20, 20), colour, line=0, corner=0)
    file = file_of(scene)
    shown = [file.getpixel((20 * number + 10, 10)) for number in range(len(ink.COLOURS))]
    assert shown == [ImageColor.getrgb(colour)[:3] for colour in ink.COLOURS]


@pytest.mark.parametrize("drawn", DRAWN)
def test_a_file_hardly_differs_from_its_picture(drawn: str) -> None:
    scene = DRAWN[drawn](Scene(200, 160))
    off = ImageChops.difference(file_of(scene), Tiles().compose(scene.picture("x"))).convert("L")
    assert sum(off.histogram()[12:]) <= off.width * off.height / 10
