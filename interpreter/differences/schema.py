"""The JSON Schema of what `ludex diff --format json` prints."""

from __future__ import annotations

from typing import Any, get_args

from ludex.grammar import Severity
from ludex.spec import HintKind, Kind

from .findings import Effect, Verdict

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "integer", "minimum": 1}
SECONDS: Schema = {"type": "number", "minimum": 0}


def difference_schema() -> Schema:
    """JSON Schema 2020-12. Readers have to take fields that it does not name: later versions may add some."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What `ludex diff --format json` prints",
        **_object(
            game=TEXT,
            editions=_list(TEXT, "those compared, in the game's order", minItems=2),
            divergences=_list(_ref("divergence"), "where editions part, in the order of the texts"),
            agreements=_list(_ref("agreement"), "clauses that at least two editions state, and state alike"),
            hints=_list(_ref("hint"), "with --sources: places where a transcriber may have erred; no findings"),
            left_out=_list(TEXT, "with --sources: the files of the texts of which no words are used, nor hints made"),
            notices=_list(_ref("notice"), "warnings of the run: why texts are left out, which rulings lapsed"),
            bounds=_ref("all_bounds"),
        ),
        "$defs": {
            "divergence": _divergence(),
            "statement": _statement(),
            "citation": _object(source=TEXT, lines=_list(NUMBER, "first and last", minItems=2, maxItems=2)),
            "agreement": _agreement(),
            "hint": _hint(),
            "notice": _notice(),
            "witness": _witness(),
            "side": _side(),
            "bounds": _bounds(),
            "all_bounds": _all_bounds(),
        },
    }


def _divergence() -> Schema:
    return _object(
        id=_told(TEXT, "the same as long as nobody says anything else"),
        clause=_told(TEXT, "its path in the first edition that states it"),
        kind={"enum": list(get_args(Kind))},
        verdict=_told({"enum": list(get_args(Verdict))}, "of the second group against the first"),
        effect=_told({"enum": list(get_args(Effect))}, "on play, as far as it is known"),
        internal=_told(FLAG, "a text and a summary of its own contradict each other"),
        groups=_list(_list(TEXT), "the editions that say one thing, side by side; the silent ones last"),
        odd=_told(_or_null(TEXT), "the edition that stands alone against several; nobody is called right"),
        gap=_told(_or_null(_gap()), "the first clause of a stretch of a text of which editions say nothing"),
        under=_told(_list(TEXT), "clauses that go with this one: in the same stretch, or inside of it"),
        statements=_told(_by_edition(_or_null(_ref("statement"))), "null of an edition that is silent"),
        near=_told(
            _by_edition(_list(_ref("citation"))), "where silent editions would state it, as far as that is marked"
        ),
        witness=_told(_or_null(_ref("witness")), "a game on which the editions disagree"),
        others=_list(_ref("witness"), "games for the other pairs of readings, where editions say three things or more"),
        candidate=_told(FLAG, "it could matter in play, and no log shows it"),
        through=_list(TEXT, "the clauses through which alone it matters: what is known of them is told of it too"),
        reason=_told(TEXT, "how verdict and effect were found, or why they were not"),
        decision=_told(_or_null(_decision()), "how the first two groups were compared without play"),
        bounds=_told(_or_null(_ref("bounds")), "how far a game was searched for"),
        says=_told(_by_edition(TEXT), "the fingerprint of what each edition says, for rulings"),
        ruling=_or_null(_object(decision=_told(TEXT, "`accept`, or the edition that is followed"), reason=TEXT)),
    )


def _decision() -> Schema:
    case = _object(
        allowed_by=_told(
            {"enum": ["left", "right", "neither"]},
            "the group that alone allows what is named; neither: other things follow",
        ),
        players=NUMBER,
        place=_told(TEXT, "the path of the action or clause where they part"),
        state=_told(_list(TEXT), "what lies where and what names stand for, as far as they look at it"),
    )
    return _object(
        by=_told(TEXT, "`form`, `enumeration` or `solver`; empty if nothing decided it"),
        reason=_told(TEXT, "what differs, why it is unknown, or what `equal` rests on"),
        cases=_told(_list(case), "small states that tell the two apart"),
    )


def _gap() -> Schema:
    return _object(
        editions=_told(_list(TEXT), "those that say nothing of it"),
        of=_told(TEXT, "the edition whose text was gone through"),
        source=_told(TEXT, "the file of its text"),
        lines=_list(NUMBER),
        at_end=_told(FLAG, "the text of the first of `editions` has ended before; else it goes on behind the stretch"),
    )


def _agreement() -> Schema:
    return _object(
        clause=TEXT,
        by=_told(
            TEXT, "`form`: in the same words, once they are put in order; else what showed that they mean the same"
        ),
        together=_list(TEXT, "clauses that say the same together with it, though not each by itself"),
        citations=_told(_by_edition(_list(_ref("citation"))), "of all of them"),
    )


def _statement() -> Schema:
    return _object(
        clause=_told(TEXT, "its path in this edition"),
        formal=_told(TEXT, "the clause in the language of specs"),
        citations=_list(_ref("citation")),
        rulings=_list(TEXT, "why the house decided so, where the text is silent"),
        file=TEXT,
        line=NUMBER,
    )


def _hint() -> Schema:
    return _object(
        kind=_told({"enum": list(get_args(HintKind))}, "of what sort the words are that tell it"),
        clause=_told(TEXT, "its path in the first edition that states it"),
        editions=_list(TEXT, "those whose lines are to be read again"),
        citations=_told(_by_edition(_list(_ref("citation"))), "the lines that were compared"),
        words=_told(_by_edition(_list(TEXT)), "those that tell it; none of an edition where they are missing"),
        why=_told(TEXT, "in a sentence"),
    )


def _notice() -> Schema:
    return _object(
        code=_told(TEXT, "an entry of `docs/errors.md`"),
        name=TEXT,
        severity=_told({"enum": [each.value for each in Severity]}, "of the code; neither changes the exit code here"),
        message=TEXT,
        file=TEXT,
        line=NUMBER,
        column=NUMBER,
        end_line=NUMBER,
        end_column=NUMBER,
        hint=_told(TEXT, "how to mend it"),
    )


def _witness() -> Schema:
    return _object(
        log=_told(_or_null(TEXT), "the file to which the log was written"),
        players=NUMBER,
        line=_told(NUMBER, "of the log, on which the editions disagree; behind the last where the ends differ"),
        lines=_list({"type": "object"}, "the log, header first"),
        left=_ref("side"),
        right=_ref("side"),
        apart=_list(_apart(), "in what the two tables differ before the last events; nothing where they are the same"),
    )


def _apart() -> Schema:
    cell = _object(
        name=_told(TEXT, "of the state or zone"),
        at=_told(TEXT, "its indices in words, empty if it has none"),
        left=_told({}, "what it holds on the left"),
        right={},
    )
    return _object(after=_told(COUNT, "so many events"), cells=_list(cell))


def _side() -> Schema:
    return _object(
        edition=_told(TEXT, "whose reading it is"),
        where=_told(TEXT, "the game it was played in, where that is no edition as it stands; else empty"),
        allowed=_told(_or_null(FLAG), "whether it allows the event; null where both go on"),
        clauses=_list(_object(clause=TEXT, citations=_list(TEXT)), "those that say so"),
        told=_told(TEXT, "in a sentence"),
        scores=_told(_or_null(_list({"type": "integer"})), "by seat, where the play is over"),
    )


def _bounds() -> Schema:
    return _object(
        seeds=_told(COUNT, "random plays, besides going through all from the beginning"),
        events=_told(COUNT, "played under each of the two editions"),
        states=_told(COUNT, "distinct ones that were looked at; one that both games stand in is one"),
        depth=_told(COUNT, "of the longest play, in events"),
        seconds=SECONDS,
        timed_out=_told(FLAG, "stopped by the clock, so another run may go further"),
        tables=_list(NUMBER, "the numbers of players it was tried with"),
        reached=_told(FLAG, "a play came to where the clause could matter"),
        faults=_told(COUNT, "plays that ended because the rules do not say what happens"),
    )


# ---- parts ------------------------------------------------------------------------------------------------------


OPTIONAL = frozenset({"near", "hint"})
"""What may be missing: the place is told only where a transcriber marked it, and not every notice has a hint."""


def _object(**properties: Schema) -> Schema:
    required = [name for name in properties if name not in OPTIONAL]
    return {"type": "object", "properties": properties, "required": required}


def _told(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description}


def _list(items: Schema, description: str | None = None, **bounds: int) -> Schema:
    return {"type": "array", "items": items, **({"description": description} if description else {}), **bounds}


def _by_edition(schema: Schema) -> Schema:
    return {"type": "object", "additionalProperties": schema}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _all_bounds() -> Schema:
    effort = _object(events=NUMBER, seconds=SECONDS, seed={"type": "integer"}, players=_list(NUMBER))
    return _object(
        searches=_told(COUNT, "divergences for which a game was looked for"),
        seeds=_told(COUNT, "random plays"),
        events=_told(COUNT, "played under each of the two"),
        states=_told(COUNT, "the sum over the searches: a state that two of them came to counts twice"),
        depth=_told(COUNT, "of the longest play"),
        seconds=SECONDS,
        tables=_list(NUMBER, "the numbers of players that were tried"),
        faults=_told(COUNT, "plays that ended where the rules do not say what happens"),
        timed_out=COUNT,
        late=_list(TEXT, "the clauses whose search the clock stopped"),
        not_reached=COUNT,
        unreached=_list(TEXT, "the clauses that no play came to"),
        effort=_told(_or_null(effort), "what each search was allowed; null: nothing was played"),
    )
