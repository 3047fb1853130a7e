"""Drawings in files: what a file means, and that all files of the product keep to it."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bot.art import ink
from bot.art.drawings import Drawings, read
from bot.art.ink import Sketch

ROOT = Path(__file__).parents[3]
FILES = sorted(file for top in ("bot", "cogs") for file in ROOT.glob(f"{top}/**/drawings/*.svg"))
PALETTE = {value for name, value in vars(ink).items() if name.isupper() and str(value).startswith("#")}


def drawn(folder: Path, elements: str, name: str = "thing") -> str:
    file = folder / f"{name}.svg"
    file.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 80">{elements}</svg>')
    return read(file).body


def test_elements_of_a_file_are_the_shapes_of_a_sketch(tmp_path: Path) -> None:
    sketch = Sketch("thing", 100, 80)
    sketch.path("M1 2 L3 4", ink.CLAY, beside=False)
    sketch.polygon([(1, 2), (3, 4), (5, 6)], ink.SKY, line=0)
    sketch.blob([(1, 2), (3, 4), (5, 6)], line=2, ink=ink.OLIVE)
    sketch.box(1, 2, 30, 40, ink.BONE)
    sketch.oval(50, 40, 20, 10, ink.GOLD)
    sketch.line([(1, 2), (3, 4)], width=ink.FINE, smooth=True)
    sketch.hatch(((1, 2), (30, 40)), 9, 4, slant=20)
    sketch.dots([(5, 6)], 3, ink.CREAM)
    assert sketch.part().body == drawn(
        tmp_path,
        f'<title>A thing.</title><path class="exact" fill="{ink.CLAY}" d="M1 2 L3 4"/>'
        f'<polygon fill="{ink.SKY}" stroke="none" points="1,2 3,4 5,6"/>'
        f'<polygon class="smooth" stroke="{ink.OLIVE}" stroke-width="2" points="1,2 3,4 5,6"/>'
        f'<rect x="1" y="2" width="30" height="40" fill="{ink.BONE}"/>'
        f'<ellipse cx="50" cy="40" rx="20" ry="10" fill="{ink.GOLD}"/>'
        '<polyline class="smooth" stroke-width="1.8" points="1,2 3,4"/>'
        '<line class="hatch" x1="1" y1="2" x2="30" y2="40" data-count="4" data-length="9" data-slant="20"/>'
        f'<circle cx="5" cy="6" r="3" fill="{ink.CREAM}"/>',
    )


def test_a_drawing_within_another_is_placed_or_trembles_with_it(tmp_path: Path) -> None:
    line = '<polyline points="1,2 30,40"/>'
    within = drawn(tmp_path, line, "small")
    assert drawn(tmp_path, '<image href="small.svg" transform="scale(2)"/>', "a") == (
        f'<g transform="scale(2)">{within}</g>'
    )
    assert drawn(tmp_path, '<image href="small.svg"/>', "b") == drawn(tmp_path, line, "b") != within


def test_a_name_is_looked_up_in_the_folders_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "common").mkdir()
    (tmp_path / "game").mkdir()
    common = Drawings(tmp_path / "common")
    draw = Drawings(tmp_path / "game", common)
    drawn(tmp_path / "common", "", "a-tree")
    assert draw("a-tree") is common("a-tree")
    assert (draw("a-tree").name, draw("a-tree").width, draw("a-tree").height) == ("a tree", 100, 80)
    drawn(tmp_path / "game", "<circle cx='1' cy='1' r='1' fill='#000'/>", "a-tree")
    assert Drawings(tmp_path / "game", common)("a-tree") is not common("a-tree")
    assert [part.name for part in draw.all()] == ["a tree"]
    with pytest.raises(FileNotFoundError):
        draw("no-tree")


@pytest.mark.parametrize("wrong", ["<text/>", "<path/>", '<rect x="1"/>'])
def test_an_element_that_no_drawing_has_is_an_error(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(KeyError):
        drawn(tmp_path, wrong)


def test_all_drawings_have_a_title_and_the_colours_of_the_palette() -> None:
    assert len(FILES) > 200
    for file in FILES:
        root = ElementTree.parse(file).getroot()
        title = root.find("{http://www.w3.org/2000/svg}title")
        assert title is not None, file
        assert title.text, file
        colours = set(re.findall(r"#[0-9a-f]{3,8}", file.read_text()))
        assert colours <= PALETTE, file


def test_every_drawing_is_asked_for() -> None:
    """A name stands in the code, or in another drawing, or is put together of a key."""
    sources = "".join(file.read_text() for top in ("bot", "cogs") for file in ROOT.glob(f"{top}/**/*.py"))
    keys = "".join(file.read_text() for file in ROOT.glob("engine/**/*.py"))
    keys += "".join(file.read_text() for file in ROOT.glob("engine/**/cards.json"))
    asked = {
        *re.findall(r'"([A-Za-z0-9-]+)"', sources),
        *(key.replace("_", "-") for key in re.findall(r'"(\w+)"', keys)),
    }
    placed = set(
        re.findall(r'href="(?:[./\w]*/)?([^"/]+)\.svg"', "".join(file.read_text() for file in FILES))
    )
    made = re.compile(r"token-\d|die-\d|member-\d+|museum-\w+|card-\w+-[12]|peril-(of|in)-[\w-]+|small-\w+")
    assert not [
        file.stem for file in FILES if file.stem not in asked | placed and not made.fullmatch(file.stem)
    ]
