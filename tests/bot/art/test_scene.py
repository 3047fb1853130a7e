"""How pictures are put together: shared parts, and pictures within pictures."""

from __future__ import annotations

import pytest

from bot.art import common
from bot.art.ink import PAPER, Part
from bot.art.rendering import pixels
from bot.art.scene import Scene


def test_an_id_means_the_same_part_in_all_pictures() -> None:
    first = Scene(100, 100).place(common.draw("money"), 0, 0).place(common.draw("arrow"), 0, 0).picture("x")
    second = Scene(100, 100).place(common.draw("arrow"), 0, 0).place(common.draw("money"), 0, 0).picture("y")
    assert first.parts == second.parts
    assert len(first.parts) == 2


def test_pictures_that_differ_in_a_parts_drawing_differ_in_their_keys() -> None:
    one, other = (
        Scene().place(Part("sign", 10, 10, f'<rect width="{width}" height="10"/>'), 5, 5).picture("a sign")
        for width in (9, 10)
    )
    assert one.key != other.key
    again = Scene().place(Part("sign", 10, 10, '<rect width="9" height="10"/>'), 5, 5).picture("ein Zeichen")
    assert one.key == again.key


def test_a_picture_is_its_parts_and_the_layers_that_refer_to_them() -> None:
    picture = Scene(100, 50).place(common.draw("money"), 0, 0, 40).figure(12, 60, 5, 30).picture("x")
    ((name, body),) = picture.parts.items()
    assert body == common.draw("money").body
    coin, figure = picture.layers
    assert f'href="#{name}"' in coin.element
    assert picture.svg == (
        '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50" viewBox="0 0 100 50">'
        f'<defs><g id="{name}">{body}</g></defs><rect width="100" height="50" fill="{PAPER}"/>'
        f"{coin.svg}{figure.svg}</svg>"
    )


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_a_picture_within_a_picture_looks_as_it_does_alone(scale: float) -> None:
    inner = Scene(100, 80).place(common.draw("money"), 5, 5, 60).place(common.die(3), 50, 20, 50).picture("x")
    outer = (
        Scene(200, 200).place(common.draw("money"), 100, 100).inset(inner, 20, 10, 100 * scale).picture("y")
    )
    shown = pixels(outer.svg).convert("RGB").crop((20, 10, 20 + round(100 * scale), 10 + round(80 * scale)))
    alone = pixels(inner.svg, round(100 * scale)).convert("RGB")
    pairs = zip(shown.tobytes(), alone.tobytes(), strict=True)
    assert sum(abs(here - there) for here, there in pairs) / len(alone.tobytes()) < 1
    assert set(inner.parts) <= set(outer.parts)


def test_two_insets_share_their_parts() -> None:
    inner = Scene(100, 80).place(common.draw("money"), 5, 5).picture("x")
    once = Scene(200, 200).inset(inner, 0, 0, 50).picture("y")
    twice = Scene(200, 200).inset(inner, 0, 0, 50).inset(inner, 60, 0, 50).picture("y")
    assert twice.parts == once.parts
    assert twice.svg.count(common.draw("money").body) == 1
