"""Logs written during play: new files, and lines appended to existing ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.interpreter.logs.record.log import LogForm, parse_log
from ludex.interpreter.logs.record.recording import LineData, continued, new_recording

HEADER: LineData = {"ludex": 1, "game": "pig", "players": ["Anna", "no"], "note": "12:30"}
ADDED: list[LineData] = [{"player": "no", "action": "roll"}, {"note": "a: b # c"}, {"claim": {"scores": [1, 1]}}]
FORMS: tuple[LogForm, ...] = ("json", "yaml")

BLOCK = """\
# ours
ludex: 1
players: [Anna, Boris]   # friends
events:
  - {player: Anna, action: roll}   # well
  - chance: roll.throw
    note: |
      off the table

  # thrown again

# the end
"""
LAYOUTS = {
    "block": BLOCK,
    "byte order mark": f"\ufeff{BLOCK}",
    "an end of its own": f"{BLOCK}...\n",
    "other members after them": "events:\n- {player: 1}\n# kept\nludex: 1\n",
    "list": "- {ludex: 1}\n- {player: 1}",
    "no events": "ludex: 1\ngame: pig\n",
    "no events in the list": "ludex: 1\nevents: []   # none\n",
    "brackets": "{ludex: 1, events: [{note: a}, {note: b},]}   # x\n",
    "array": '[\n  {"ludex": 1},\n  {"note": "x"}\n]\n',
}


def records(text: str, form: LogForm) -> list[object]:
    log = parse_log(text, form=form)
    assert not [fault for fault in log.faults if fault.is_error], log.faults
    return [record.data for record in (log.header, *log.events) if record]


@pytest.mark.parametrize("form", FORMS)
def test_a_new_log_holds_its_lines(form: LogForm) -> None:
    assert records(new_recording(HEADER, form).text([]), form) == [HEADER]
    assert records(new_recording(HEADER, form).text(ADDED), form) == [HEADER, *ADDED]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_lines_are_appended_in_any_layout(layout: str, ends: str) -> None:
    text = LAYOUTS[layout].replace("\n", ends)
    recording = continued(text, "yaml")
    assert recording is not None
    assert recording.text([]) == text
    longer = recording.text(ADDED)
    assert records(longer, "yaml") == [*records(text, "yaml"), *ADDED]
    assert longer.startswith(recording.before)
    assert longer.endswith(recording.after)
    assert longer.count("\r\n") in (0, longer.count("\n")), "all line ends must be of one kind"


@pytest.mark.parametrize(
    "text", ["{ludex: 1}\n", "ludex: 1\n...\n", "ludex: 1\nevents:\n  - note: |\n      no end", "a"]
)
def test_nothing_is_appended_where_the_place_is_unsure(text: str) -> None:
    assert continued(text, "yaml") is None


@pytest.mark.parametrize("note", ("0E0", "08", "1e5", ".5", "null", "yes", "0x1F", "1_000"))
def test_a_text_that_looks_like_a_number_stays_a_text(note: str) -> None:
    assert records(new_recording(HEADER, "yaml").text([{"note": note}]), "yaml") == [HEADER, {"note": note}]


remarks = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), max_size=8)
notes = st.fixed_dictionaries({"note": st.text(st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp")))})


@given(st.lists(st.tuples(notes, remarks)), st.lists(notes, min_size=1), st.sampled_from(FORMS), st.booleans())
def test_handwritten_content_is_kept(
    lines: list[tuple[LineData, str]], added: list[LineData], form: LogForm, is_ended: bool
) -> None:
    """Every byte is kept, comments included, and the appended lines are read after the old ones."""
    text = new_recording(HEADER, form).text([line for line, _ in lines])
    if form == "yaml":
        rows = text.split("\n")[:-1]
        told = [*("header" for _ in range(len(rows) - len(lines))), *(remark for _, remark in lines)]
        text = "".join(f"{row}  # {remark}\n  # {remark}\n" for row, remark in zip(rows, told, strict=True))
    text = text if is_ended else text.removesuffix("\n")
    recording = continued(text, form)
    assert recording is not None
    assert recording.text([]) == text
    assert recording.text(added).startswith(text)
    assert records(recording.text(added), form) == [HEADER, *(line for line, _ in lines), *added]
