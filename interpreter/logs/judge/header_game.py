"""Loader of the game that a log's header names; on failure it reports the member of the header at fault."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from ludex.grammar import (
    Code,
    Diagnostic,
    Failure,
    Json,
    Message,
    Note,
    Span,
    Word,
    did_you_mean,
    enumerated,
    escaped,
    in_language,
    is_suggestion,
    is_there,
    languages,
    meanings_of_code,
    shown_text,
    suggested,
)
from ludex.spec import JsonFault, from_json, hidden_by_shipped, no_such_game, shipped_games
from ludex.spec import model as m

from .. import log_codes
from ..record import GROUPS, TAG_MEMBERS, TAGS, HeaderLayout, Record
from ..structure import (
    ANY_FILE,
    Header,
    NamedFiles,
    Problem,
    allowed_files,
    few,
    it_has,
    quoted,
    read_log_header,
    value_problem,
)


class Load(Protocol):
    """Loads the game for one table; raises Failure, with diagnostics, if it cannot (`ludex.spec.load` does)."""

    def __call__(
        self,
        name_or_path: str,
        /,
        players: int | None = None,
        edition: str | None = None,
        options: Mapping[str, object] | None = None,
        readings: Mapping[str, str] | None = None,
        silence: str = "borrow",
    ) -> m.Game: ...


def located(header: Header, record: Record, given: Iterable[str] = (), files: NamedFiles = ANY_FILE) -> Header:
    """Resolve the game's name to a path, first beside the log, then in the working directory.

    A name is a path (`hex` the folder, or `hex.ludex`) if it is not among the given names and no game of that name is
    shipped. files: other files are not looked at.
    """
    if header.game in given:
        return header
    names = [header.game] if _is_path(header.game) else [header.game, f"{header.game}.ludex"]
    for folder in (Path(record.file).parent, Path()):
        for name in names:
            # A shipped game goes before a file of its name, so that a log means the same game in every folder.
            if not _is_path(header.game) and header.game in shipped_games():
                continue
            if files.allow(folder / name) and is_there(folder / name):
                return replace(header, game=str(folder / name))
    return header


def is_other_beside(header: Header, record: Record, given: Iterable[str] = (), files: NamedFiles = ANY_FILE) -> bool:
    """Test whether the log names a shipped game while its folder has another game of this name."""
    name, folder = header.game, Path(record.file).parent
    is_shipped = name not in given and name in shipped_games()
    return is_shipped and files.allow(folder / name) and hidden_by_shipped(name, folder)


def confined(load: Load, given: Iterable[str], files: NamedFiles) -> Load:
    """Return what loads the games that logs name, but raises Failure for one with a file that a log may not name."""
    if files.is_any:
        return load
    from ludex.spec import are_files_allowed  # it loads the parser, which most logs do not need

    known = frozenset(given)

    def load_confined(name_or_path: str, /, *table: Any, **settings: Any) -> m.Game:
        if name_or_path not in known and name_or_path not in shipped_games():
            if not files.allow(Path(name_or_path)):
                raise _forbidden(name_or_path) if _is_path(name_or_path) else no_such_game(name_or_path)
            if not are_files_allowed(name_or_path, files.allow):
                raise _forbidden(name_or_path)
        return load(name_or_path, *table, **settings)

    return load_confined


def _forbidden(name: str) -> Failure:
    # `game_of` gives it the place of the name in the log.
    message, hint = Message("game-forbidden", name=quoted(name)), Message("game-forbidden-hint")
    return Failure([Diagnostic(log_codes.FORBIDDEN_FILE, message, Span("", 1, 1, 1, 1), hint)])


def beside_finding(header: Header, record: Record) -> Diagnostic:
    """Make the warning for such a log."""
    message = Message("game-beside", name=quoted(header.game))
    hint = Message("game-beside-hint", name=f'"./{header.game}"')
    return Diagnostic(log_codes.OTHER_GAME_BESIDE, message, record.place("/game"), hint, pointer="/game")


def _is_path(game: str) -> bool:
    return game.endswith(".ludex") or "/" in game or "\\" in game


def game_of(header: Header, record: Record, load: Load, given: Iterable[str] = ()) -> m.Game | tuple[Diagnostic, ...]:
    """Load the game that the header names, or return the faults of the header.

    given: names of games that `load` knows besides the shipped ones, for the message.
    """
    silence = header.silence or "borrow"
    try:
        return load(header.game, header.players, header.edition, header.options, header.readings, silence)
    except Failure as failure:
        cause = failure
    try:
        # Which member is at fault is asked of the game at its defaults: without a game no member can be judged.
        plain = load(header.game)
    except Failure as failure:
        return (_no_game(header, record, failure, tuple(given)),)
    judged = _with_good_options(header, load, plain)
    problems = tuple(problem.at(record) for problem in _setting_problems(header, judged))
    # All settings are good, so it is the game itself that has faults at this table.
    return problems or (_at_fault(header, record, cause),)


def faults_of_other_members(
    record: Record, problems: Iterable[Problem], load: Load, given: Iterable[str], files: NamedFiles
) -> tuple[Diagnostic, ...]:
    """Judge the members of a header that is not readable as a whole by its game: those without a fault of their own.

    problems: the faults that were found without the game.
    """
    data: dict[str, Json] = dict(record.data or {})
    for problem in problems:
        name, *inside = problem.pointer.split("/")[1:] or [""]
        held = data.get(name)
        # A wrong reading leaves the others to be judged.
        if inside and isinstance(held, dict) and inside[0] in map(escaped, held):
            data[name] = {each: value for each, value in held.items() if escaped(each) != inside[0]}
        else:
            data.pop(name, None)
    header = read_log_header({**data, "players": data.get("players", 1)})[0]
    if header is None:
        return ()
    header = located(header, record, given, files)
    try:
        plain = load(header.game)
    except Failure as failure:
        return (_no_game(header, record, failure, tuple(given)),)
    found = _setting_problems(header, _with_good_options(header, load, plain))
    return tuple(each.at(record) for each in found if "players" in data or each.pointer != "/players")


def _with_good_options(header: Header, load: Load, game: m.Game) -> m.Game:
    """Load the game with those options of the header that it accepts.

    They are added one by one, as the values that one option may have can depend on another.
    """
    taken: dict[str, object] = {}
    while True:
        types = {option.name: option.type for option in game.options if option.name not in taken}
        for name in (name for name, type_ in types.items() if name in header.options):
            if isinstance(from_json(types[name], header.options[name]), JsonFault):
                continue
            try:
                game = load(header.game, options={**taken, name: header.options[name]})
            except Failure:
                continue
            taken[name] = header.options[name]
            break
        else:
            return game


def _no_game(header: Header, record: Record, failure: Failure, given: tuple[str, ...]) -> Diagnostic:
    first = failure.diagnostics[0]
    place = record.place("/game")
    if first.code in (log_codes.LOG_UNKNOWN_GAME, log_codes.FORBIDDEN_FILE):
        return replace(first, span=place, pointer="/game")
    # The code is compared by name, as it is one of specs.
    if first.code.name != "unknown-game":
        return _at_fault(header, record, failure)
    if _is_path(header.game):
        hint = Message("game-path-hint")
        return Diagnostic(log_codes.LOG_UNKNOWN_GAME, first.message, place, first.hint or hint, pointer="/game")
    message = Message("game-unknown", name=quoted(header.game))
    hint = Message("game-have-spec-hint", beginning=f"`game {shown_text(header.game)}`")
    if given:
        message = Message("both", first=message, second=Message("game-given", names=enumerated(map(quoted, given))))
        hint = Message("game-given-hint")
    if first.hint:
        hint = Message("question-and" if is_suggestion(first.hint) else "both", first=first.hint, second=hint)
    return Diagnostic(log_codes.LOG_UNKNOWN_GAME, message, place, hint, pointer="/game")


def not_this_engine(message: str, hint: str) -> Failure:
    """Make the Failure that a `Load` raises if the given engine cannot judge the log."""
    # The caller knows no place; `game_of` gives it that of the name in the log.
    return Failure([Diagnostic(log_codes.LOG_UNKNOWN_GAME, message, Span("", 1, 1, 1, 1), hint)])


def _at_fault(header: Header, record: Record, failure: Failure) -> Diagnostic:
    notes = tuple(_fault_of_game(header.game, fault) for fault in failure.diagnostics[:3])
    message = Message("game-at-fault", name=quoted(header.game))
    return Diagnostic(log_codes.GAME_AT_FAULT, message, record.place("/game"), notes=notes, pointer="/game")


def _fault_of_game(game: str, fault: Diagnostic) -> Note:
    """Make the note on a fault of a game; no part of a file is shown that is outside the folder of its spec."""
    path = Path(game)
    home = allowed_files(path if path.is_dir() else path.parent)
    if game in shipped_games() or home.allow(Path(fault.span.file)):
        return Note(Message("game-fault", code=fault.code.code, message=_in_all_languages(fault)), fault.span)
    return Note(Message("game-fault-elsewhere", code=fault.code.code, file=fault.span.file))


def _in_all_languages(fault: Diagnostic) -> str:
    """Return the message of a fault; if it is in English only, the meaning of its code takes its place elsewhere."""
    is_message = isinstance(fault.message, Message)
    return fault.message if is_message else Word(fault.message, meanings_of_code(fault.code.code))


def _setting_problems(header: Header, game: m.Game) -> Iterator[Problem]:
    """Enumerate the settings of the header that the game does not have."""
    editions = game.editions or (game.edition,)
    if header.edition is not None and header.edition not in editions:
        message = Message("game-no-edition", game=game.name, name=quoted(header.edition))
        yield _unknown(log_codes.UNKNOWN_EDITION, "/edition", header.edition, message, editions)
    if header.players not in game.player_counts:
        low, high = game.player_counts[0], game.player_counts[-1]
        allowed = str(low) if low == high else Message("number-to", low=low, high=high)
        message = Message("game-players", game=game.name, allowed=allowed, players=header.players)
        yield Problem(log_codes.WRONG_PLAYERS, "/players", message)
    types = {option.name: option.type for option in game.options}
    yield from _strangers(header.options, log_codes.UNKNOWN_OPTION, "/options", "game-no-option", game, types)
    for name in (name for name in types if name in header.options):
        data = header.options[name]
        if isinstance(fault := from_json(types[name], data), JsonFault):
            problem = value_problem(fault, data, f"/options/{escaped(name)}")
            yield Problem(log_codes.UNKNOWN_OPTION, problem.pointer, problem.message, problem.hint, problem.at_name)
    yield from _reading_problems(header, game)


def _reading_problems(header: Header, game: m.Game) -> Iterator[Problem]:
    forks = {fork.name: tuple(name for name, _ in fork.readings) for fork in game.forks}
    yield from _strangers(header.readings, log_codes.UNKNOWN_READING, "/readings", "game-no-fork", game, forks)
    for name in (name for name in forks if name in header.readings):
        pointer, reading = f"/readings/{escaped(name)}", header.readings[name]
        if reading not in forks[name]:
            message = Message("game-no-reading", fork=name, name=quoted(reading))
            yield _unknown(log_codes.UNKNOWN_READING, pointer, reading, message, forks[name])


def _strangers(
    given: Iterable[str], code: Code, pointer: str, entry: str, game: m.Game, known: Mapping[str, object]
) -> list[Problem]:
    """List the names that the game does not know. entry: of the message that says so of one."""

    def problem(name: str) -> Problem:
        message = Message(entry, game=game.name, name=quoted(name))
        return _unknown(code, f"{pointer}/{escaped(name)}", name, message, known, at_name=True)

    return few([name for name in given if name not in known], problem)


def _unknown(
    code: Code,
    pointer: str,
    word: str,
    message: str,
    known: Mapping[str, object] | tuple[str, ...],
    at_name: bool = False,
) -> Problem:
    hint = did_you_mean(word, known) or it_has(known)
    return Problem(code, pointer, message, hint, at_name)


def fingerprint_finding(header: Header, record: Record, game: m.Game) -> Diagnostic | None:
    """Make the finding for a log whose fingerprint is not the game's: other rules or component data."""
    # A log need not have one.
    if header.fingerprint in (None, game.fingerprint):
        return None
    message = Message("game-fingerprint", fingerprint=game.fingerprint, claimed=quoted(header.fingerprint or ""))
    hint = Message("game-fingerprint-hint")
    place = record.place("/fingerprint")
    return Diagnostic(log_codes.WRONG_FINGERPRINT, message, place, hint, pointer="/fingerprint")


def at_misnamed_tags(record: Record, problems: Sequence[Problem]) -> tuple[list[Problem], frozenset[str]]:
    """Place each member that a header lacks at the tag that is probably meant as it; return the problems, and the
    names of these tags."""
    is_text = isinstance(record.layout, HeaderLayout)
    # Most headers lack nothing, and to compare names takes long.
    near = {f"/{_near_setting(tag)}": tag for tag in _own_tags(record)} if any(each.lacks for each in problems) else {}
    placed = list[Problem]()
    for problem in problems:
        tag = near.get(problem.lacks)
        hint = None if tag is None else _meant_setting(tag, None, is_text)
        if tag is not None:
            pointer = f"/tags/{escaped(tag)}"
            placed.append(replace(problem, pointer=pointer, at_name=True, hint=hint, tag_hint=None))
        else:
            placed.append(problem)
    return placed, frozenset(near[each.lacks] for each in problems if each.lacks in near)


def _own_tags(record: Record) -> list[str]:
    """List the tags that are not known, and not written as such with the word `Tag`."""
    tags = (record.data or {}).get("tags")
    named = tags if isinstance(tags, dict) else ()
    bare = record.layout.bare_tags if isinstance(record.layout, HeaderLayout) else named
    return [name for name in bare if name not in TAGS]


def doubtful_tags(record: Record, game: m.Game | None, reported: Collection[str] = frozenset()) -> Iterator[Diagnostic]:
    """Yield a warning for each tag that is probably meant as a setting, and for a language that the game does not
    have. A text log may say that it means a tag.

    game: None if the header does not say which is played; then no option, fork or language is known. reported: tags
    that have a report.
    """
    tags = (record.data or {}).get("tags")
    language = tags.get("language") if isinstance(tags, dict) else None
    if game is not None and isinstance(language, str) and language not in game.languages:
        message = Message("tag-language-unknown", game=game.name, name=quoted(language))
        place = record.place("/tags/language")
        yield Diagnostic(log_codes.DOUBTFUL_TAG, message, place, it_has(game.languages), pointer="/tags/language")
    is_text = isinstance(record.layout, HeaderLayout)
    for name in _own_tags(record):
        hint = None if name in reported else _meant_setting(name, game, is_text)
        if hint is not None:
            pointer = f"/tags/{escaped(name)}"
            message = Message("tag-doubtful", name=quoted(name))
            yield Diagnostic(log_codes.DOUBTFUL_TAG, message, record.place(pointer, True), hint, pointer=pointer)


def _meant_setting(tag: str, game: m.Game | None, is_text: bool) -> str | None:
    """Return how the setting is written that a tag is meant as; None if it is meant as a tag."""
    named = "_".join(tag.lower().split())
    if game is not None and any(option.name == named for option in game.options):
        return Message("write", text=f"Option {named}: ..." if is_text else f'"options": {{"{named}": ...}}')
    if game is not None and any(fork.name == named for fork in game.forks):
        return Message("write", text=f"Reading {named}: ..." if is_text else f'"readings": {{"{named}": ...}}')
    if tag.lower() == "result":
        result = '{"result": {"by": "resigned", "player": ...}}'
        return Message("tag-result-hint") if is_text else Message("tag-result-line-hint", line=f"`{result}`")
    setting = _near_setting(tag)
    if setting is None:
        return None
    if is_text or setting in TAGS:
        return suggested(setting.capitalize() if is_text else setting)
    return Message("tag-member-hint", member=f'`"{_MEMBER_OF.get(setting, setting)}": ...`', tags='`"tags"`')


def _near_setting(tag: str) -> str | None:
    """Return the setting or the known tag that has almost this name, in some language."""
    called = _tag_names()
    # With difflib's default cutoff of 0.6 the common tags `Opening` and `Termination` would be doubted.
    near = get_close_matches(tag.lower(), called, n=1, cutoff=0.8)
    return called[near[0]] if near else None


_POSITIONS = {"fen": "from", "setup": "from", "position": "from"}
"""Names in other records for the position in which the play begins."""


_MEMBER_OF = {"option": "options", "reading": "readings", "id": "ids"}
"""The header's members that have other names in JSON than in a text log."""


@cache
def _tag_names() -> Mapping[str, str]:
    """Return the tags that mean a setting, by their names and what they are called in other languages; those that do
    not, by the latter only."""
    settings = (*TAG_MEMBERS, *GROUPS, "players")
    foreign = [language for language in languages() if language != "en"]
    called = {
        in_language(Message(f"tag-{name}"), language).lower(): name
        for name in (*settings, *TAGS)
        # `Tag` needs a name after it and has no word in other languages.
        if name != "tag"
        for language in foreign
    }
    return {**called, **{name: name for name in settings}, **_POSITIONS}
