"""Reader of the notation: turns a line into the members of a log's line, with the place of each.

What the reader makes is judged like any other line of a log (`../logs/structure/event_lines.py`), at the places that it
gives. It reports by itself only what no such line could say: texts that are not in the notation, values of another
form, and words that could mean several things.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ludex.grammar import Json, Message, enumerated, shown_text, suggested
from ludex.spec import model as m
from ludex.spec import show, to_json
from ludex.spec import types as t

from ..state.events import DECLINE
from . import notation_codes
from .near_words import misspelt, near_record, near_several, near_word
from .spoken import in_each_language, term
from .syntax import NONE_WORD, UNKNOWN_WORD, UNSEEN, NotationFault, NotationNode, Values, expected, split_at, tokens_of
from .vocabulary import Names, Vocabulary

_RUN = re.compile(r"[^\s;#]+")
_NUMBER = re.compile(r"-?[0-9]{1,20}")
_BEGINNING = Message("notation-colon")
_BOOL = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(slots=True)
class Content:
    """The members of a line, and their places in its text.

    Attributes:
        text: the text of the line.
        places: the place of the value at each JSON pointer, as start and end from 0.
        named: the places of the names of members.
    """

    data: dict[str, Json]
    text: str = ""
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    named: dict[str, tuple[int, int]] = field(default_factory=dict)


class NotationReader:
    """Reads the events of one game. Every method raises NotationFault.

    names: the players' names by seat; () if they have none. beginnings: the hint for a line that is not an event.
    """

    def __init__(self, game: m.Game, names: Sequence[str] = (), beginnings: str = _BEGINNING) -> None:
        self.game, self.vocabulary, self._beginnings = game, Vocabulary(game, names), beginnings
        self.players = self.vocabulary.players

    def event(
        self, text: str, start: int = 0, end: int | None = None, player: int | None = None, after: str | None = ""
    ) -> Content:
        """Read an event from a part of a text. Raises NotationFault for a text that is not an event.

        player: the seat whose move it is, if the text need not say so. after: the action of the move before it, which
        decides what a word for several chance events means; None if that move could not be read.
        """
        end = len(text) if end is None else end
        tokens = tokens_of(text, start, end)
        # The blanks around an event are not its own, and would be underlined in reports.
        content = Content({}, text, {"": (tokens[0].start, max(start, len(text[:end].rstrip())))})
        depth = 0
        for at, token in enumerate(tokens):
            # In brackets these signs belong to a value.
            depth += (token.kind in tuple("({[")) - (token.kind in tuple(")}]"))
            if token.kind == ":" and depth == 0:
                self._mover(content, text, start, token.start)
                self._move(content, text, token.end, end)
                return content
            if token.kind == "=" and depth == 0:
                self._chance(content, text, (start, token.start), Values(tokens[at + 1 :]), after)
                return content
        if player is None:
            # A colon that was forgotten after the name is the usual slip.
            named = next((name for name in self.players if re.match(rf"\s*{re.escape(name)}\s", text[start:end])), None)
            if named is not None:
                at = text.index(named, start) + len(named)
                raise NotationFault(at, at + 1, Message("notation-colon-missing", player=named))
            chances = self.vocabulary.chances
            if chances.begun(self._begun(chances, text, self._run(text, start, end), end)[0]):
                raise NotationFault(*content.places[""], Message("notation-outcome-sign"))
            raise NotationFault(*content.places[""], self._two_forms(), self._beginnings)
        content.data["player"] = player + 1
        self._move(content, text, start, end)
        return content

    def is_bare(self, text: str, start: int, end: int) -> bool:
        """Test whether a text may be moves without player names."""
        return all(split_at(text, sign, start, end) == end for sign in ":=")

    def begins_move(self, text: str, start: int, end: int) -> bool:
        """Test whether a text begins with an action, or with a value of the action whose name may be left out."""
        run = self._run(text, start, end)
        words, nameless = self.vocabulary, self.vocabulary.nameless
        is_value = nameless is not None and words.takes(nameless, run.group())
        return is_value or bool(words.actions.begun(self._action(text, run, end)[0]))

    def bare_move(self, text: str, start: int, end: int, player: int, is_last: bool) -> tuple[Content, int]:
        """Read a move of this player, who is not named; return it with its end. is_last: nothing may follow it."""
        begin = self._run(text, start, end).start()
        content = Content({"player": player + 1}, text)
        stop = self._move(content, text, begin, end, is_last)
        content.places[""] = (begin, len(text[:stop].rstrip()))
        return content, stop

    def _two_forms(self) -> str:
        """Say how a move and an outcome are written, by the first that take a value."""
        words, chance = self.vocabulary, next(iter(self.game.chances), None)
        action = next((name for name in self.game.moves if words.arguments(name)), next(iter(self.game.moves), DECLINE))
        move = self._in_each_language(lambda language: f"{words.player(0)}: {words.shape(action, language)}")
        if chance is None:
            return Message("notation-move", move=move)
        path, of = chance, self.game.chances[chance].outcome
        outcome = self._in_each_language(
            lambda language: f"{words.chances.word(path, language)} = {words.form(of, language)}"
        )
        return Message("notation-event", move=move, outcome=outcome)

    def _in_each_language(self, write: Callable[[str | None], str]) -> str:
        return in_each_language(self.game, write)

    # ---- moves

    def _mover(self, content: Content, text: str, start: int, end: int) -> None:
        words = text[start:end]
        first = start + len(words) - len(words.lstrip())
        content.places["/player"] = (first, start + len(words.rstrip()))
        name = words.strip()
        tokens = tokens_of(text, start, end)
        if len(tokens) == 2 and tokens[0].kind == "text":
            name = tokens[0].text
        elif not name:
            raise NotationFault(start, end, Message("notation-no-player"))
        elif _NUMBER.fullmatch(name):
            content.data["player"] = int(name)
            return
        # `roll: 4` is a slip for `roll = 4`.
        if name not in self.players and self.vocabulary.chances.begun("_".join(name.split())):
            raise NotationFault(end, end + 1, Message("notation-outcome-sign"))
        content.data["player"] = self._named(name)

    def _named(self, name: str) -> Json:
        """Return a player as a log has one: by the name in the log, else by seat; an unknown name stays as it is."""
        seat = self.players.get(name)
        return name if name in self.vocabulary.names or seat is None else seat + 1

    def _run(self, text: str, start: int, end: int) -> re.Match[str]:
        """Match the first word of a move."""
        run = _RUN.match(text, len(text) - len(text[start:].lstrip()), end)
        if run is None:
            raise NotationFault(
                max(end - 1, 0), end, Message("notation-expected-end", expected=Message("notation-an-action"))
            )
        return run

    def _move(self, content: Content, text: str, start: int, end: int, is_last: bool = True) -> int:
        """Read a move without its player; return where it ends. is_last: nothing may follow it."""
        run = self._run(text, start, end)
        actions = self.vocabulary.actions
        action, at = self._action(text, run, end)
        meant = actions.begun(action)
        # A game may have an action of this name, which goes first.
        if action in (UNSEEN, UNKNOWN_WORD) and action not in self.game.moves:
            action = UNKNOWN_WORD
        elif len(meant) > 1:
            raise self._doubtful(action, meant, actions, (run.start(), at))
        elif meant:
            (action,) = meant
        elif self.vocabulary.nameless is not None:
            action, at = self.vocabulary.nameless, run.start()
        content.data["action"] = action
        # An action that is left out has no place of its own: what is wrong with it is wrong with the whole move.
        content.places["/action"] = (run.start(), at if at > run.start() else end)
        # Without the action's types the values cannot be read, and the judge refuses the action in any case.
        if action not in self.game.moves and action not in (DECLINE, UNKNOWN_WORD):
            return end
        values = Values(tokens_of(text, at, end))
        self._arguments(content, action, values, is_last)
        return values.next.start

    def _action(self, text: str, run: re.Match[str], end: int) -> tuple[str, int]:
        """Return the word for an action, and its end. It may be written with blanks, and end before its last words.

        A first word that is an action by itself is that one, unless no such move can continue with the second.
        """
        longer, stop = self._begun(self.vocabulary.actions, text, run, end)
        words = text[run.start() : stop].split()
        own = self.vocabulary.actions.meanings(run.group())
        if len(words) > 1 and any(self.vocabulary.takes(action, words[1]) for action in own):
            return run.group(), run.end()
        return longer, stop

    def _begun(self, names: Names, text: str, run: re.Match[str], end: int) -> tuple[str, int]:
        """Return the most words that mean something or begin with it, as one word, and where they end."""
        word, stop = run.group(), run.end()
        for more in _RUN.finditer(text, run.end(), end):
            longer = f"{word}_{more.group()}"
            if not names.begun(longer):
                break
            word, stop = longer, more.end()
        return word, stop

    def _arguments(self, content: Content, action: str, values: Values, is_last: bool) -> None:
        """Read values, each perhaps with its name before it; one without a name is that of the first still missing."""
        missing = dict(self.vocabulary.arguments(action))
        labels = self.vocabulary.labels(action)
        args: dict[str, Json] = {}
        begin = values.next.start
        # After a move that may be followed, what is not needed belongs to the next one.
        while values.next.kind and (missing or is_last):
            _join(values, labels)
            label, name = values.next, next(iter(missing), "")
            meant = labels.known.get(label.text) if label.kind == "word" else None
            if label.kind == "word" and label.text in labels.doubtful:
                raise self._doubtful(label.text, labels.doubtful[label.text], labels, (label.start, label.end))
            # A name has a blank after it: `at(1,2)` and `at,2` are values.
            if meant is not None and meant in missing and values.tokens[values.at + 1].start > label.end:
                name = meant
                values.take()
                content.named[f"/args/{name}"] = (label.start, label.end)
            if not missing:
                raise self._too_many(action, values)
            of = missing.pop(name)
            try:
                args[name] = self._value(of, self._next(of, values), f"/args/{name}", content)
            except NotationFault as fault:
                raise fault.with_hint(self._shape(action)) from None
        if missing:
            raise self._too_few(action, missing, values)
        if args:
            # The arguments are in the order of the signature, as in all logs, whatever order was written.
            content.data["args"] = {name: args[name] for name, _ in self.vocabulary.arguments(action)}
            content.places["/args"] = (begin, values.tokens[values.at - 1].end)

    def _too_many(self, action: str, values: Values) -> NotationFault:
        count = len(self.vocabulary.arguments(action))
        found = shown_text(values.next.text)
        message = Message("notation-too-many", action=term(self.game, action), count=count, found=found)
        hint = self._shape(action) or self._outcome_after(action)
        return NotationFault(values.next.start, values.tokens[-1].end, message, hint, notation_codes.WRONG_FORM)

    def _outcome_after(self, action: str) -> str | None:
        """Say how the outcome is written that an action asks for; None if it asks for none."""
        path = next((path for path in self.game.chances if path.startswith(f"{action}.")), None)
        if path is None:
            return None
        of = self.game.chances[path].outcome

        def written(language: str | None) -> str:
            return f"{self.vocabulary.chances.word(path, language)} = {self.vocabulary.form(of, language)}"

        return Message("notation-outcome-line", form=self._in_each_language(written))

    def _too_few(self, action: str, missing: Mapping[str, t.Type], values: Values) -> NotationFault:
        forms = ((term(self.game, f"{action}.{name}", name), self._form(of)) for name, of in missing.items())
        needed = enumerated(Message("notation-needed", name=name, form=form) for name, form in forms)
        message = Message("notation-too-few", action=term(self.game, action), needed=needed)
        return NotationFault(
            values.next.start, values.next.end, message, self._shape(action), notation_codes.WRONG_FORM
        )

    def _shape(self, action: str) -> str | None:
        shape = self._in_each_language(lambda language: self.vocabulary.shape(action, language))
        return Message("notation-write", form=shape) if self.vocabulary.arguments(action) else None

    # ---- chance

    def chance_named(self, text: str, start: int, end: int, after: str | None) -> tuple[str, tuple[int, int]]:
        """Return the chance event that a part of a text names, and where the name is; an unknown name stays as it is.

        after: as for `event`.
        """
        written = text[start:end]
        first = start + len(written) - len(written.lstrip())
        place = (first, max(first, start + len(written.rstrip())))
        chances, word = self.vocabulary.chances, "_".join(written.split())
        # Chance events of several actions may end alike, and belong to the move before them.
        meant = chances.begun(word)
        if len(meant) > 1:
            meant = tuple(path for path in meant if after and path.startswith(f"{after}.")) or meant
        # After a move that was not read any of them may be right; that move is reported.
        if len(meant) > 1 and after is not None:
            raise self._doubtful(written.strip(), meant, chances, place)
        return meant[0] if meant else written.strip(), place

    def _chance(self, content: Content, text: str, place: tuple[int, int], values: Values, after: str | None) -> None:
        name, content.places["/chance"] = self.chance_named(text, *place, after)
        content.data["chance"] = name
        # The type of the outcome is not known, and the judge refuses the event in any case.
        if name not in self.game.chances:
            content.data["outcome"] = None
            return
        written = text[values.next.start : values.tokens[-1].end]
        try:
            self._outcome(content, self.game.chances[name].outcome, values)
        except NotationFault as fault:
            raise fault.with_hint(_dealt(text[slice(*content.places["/chance"])], written)) from None

    def _outcome(self, content: Content, type_: t.Type, values: Values) -> None:
        content.data["outcome"] = self._value(type_, self._next(type_, values), "/outcome", content)
        if values.next.text == "via":
            values.take()
            content.places["/via"] = (values.next.start, values.tokens[-1].end)
            content.data["via"] = []
            while _NUMBER.fullmatch(values.next.text):
                content.data["via"].append(int(values.take().text))
        if values.next.kind:
            raise expected(Message("text-nothing-more"), values.next)

    # ---- values

    def _next(self, type_: t.Type, values: Values) -> NotationNode:
        """Parse a value of this type. Blanks may be in its name, and between the fields of a record."""
        inner = t.strip_optional(type_)
        if isinstance(inner, t.Words | t.ComponentType):
            _join(values, self.vocabulary.words(inner))
        if isinstance(inner, t.Record) and self._are_fields(inner, values.words(len(inner.fields))):
            return values.parts(len(inner.fields))
        return values.value()

    def _are_fields(self, type_: t.Record, words: Sequence[str]) -> bool:
        """Test whether words are the fields of a record, and the first of them no record by itself."""
        if not 1 < len(words) == len(type_.fields) or words[0] in self.vocabulary.terse(type_)[0]:
            return False
        return all(self._is_word(of, word) for (_, of), word in zip(type_.fields, words, strict=True))

    def _is_word(self, type_: t.Type, word: str) -> bool:
        if isinstance(type_, t.Words | t.ComponentType):
            return word in self.vocabulary.words(type_).known
        return isinstance(type_, t.Range) and _NUMBER.fullmatch(word) is not None

    def value(self, type_: t.Type, node: NotationNode, pointer: str, content: Content) -> Json:
        """Read a value of a log that is not part of an event. Its place is put into the content."""
        return self._value(type_, node, pointer, content)

    def _value(self, type_: t.Type, node: NotationNode, pointer: str, content: Content, is_part: bool = False) -> Json:
        content.places[pointer] = (node.start, node.end)
        if node.kind == "words":
            node = self._of_words(type_, node)
        if node.kind == "word" and self._is_unseen(type_, node.text):
            return UNKNOWN_WORD
        match type_:
            case t.Optional(of=of):
                is_none = node.kind == "word" and node.text == NONE_WORD
                return None if is_none else self._value(of, node, pointer, content, is_part)
            case t.SetOf() | t.BagOf() | t.ListOf():
                return self._items(type_, node, pointer, content)
            case t.Record():
                return self._record(type_, node, pointer, content)
            case t.Words():
                return self._word(type_, node, pointer, content)
            case t.ComponentType() if node.kind in ("word", "text"):
                return self._known(self.vocabulary.words(type_), node)
            case t.PlayerType() if node.kind == "text" or (node.kind == "word" and not _NUMBER.fullmatch(node.text)):
                return self._player(node.text, is_part)
            case t.PlayerType() if node.kind == "call" and f"seat({node.parts[0].text})" in self.players:
                return self.players[f"seat({node.parts[0].text})"] + 1
            case t.Bool() if node.kind == "word":
                return _BOOL.get(node.text, node.text)
        if node.kind == "word":
            return int(node.text) if _NUMBER.fullmatch(node.text) else node.text
        if node.kind == "text":
            return node.text
        raise self._wrong_form(type_, node)

    def _of_words(self, type_: t.Type, node: NotationNode) -> NotationNode:
        """Make one value of several words inside of brackets: a name with blanks, or the fields of a record."""
        inner, second = t.strip_optional(type_), node.parts[1]
        if isinstance(inner, t.Words | t.ComponentType) and self.vocabulary.words(inner).meanings(node.text):
            return replace(node, kind="word", parts=())
        if isinstance(inner, t.Record) and self._are_fields(inner, [part.text for part in node.parts]):
            return replace(node, kind="parts")
        if isinstance(inner, t.Record) and (near := near_record(self.vocabulary, inner, node.text.replace("_", " "))):
            raise self._wrong_form(inner, node, suggested(near))
        message = Message("notation-expected", expected=Message("notation-sign", sign=","), found=second.text)
        raise NotationFault(second.start, second.end, message)

    def _is_unseen(self, type_: t.Type, word: str) -> bool:
        inner = t.strip_optional(type_)
        # A game may have a card with this name.
        is_own = isinstance(inner, t.Words | t.ComponentType) and word in self.vocabulary.words(inner).known
        return word in (UNSEEN, UNKNOWN_WORD) and not is_own

    def _player(self, name: str, is_part: bool) -> Json:
        """Return a player, who is written by name only where the whole value is a player."""
        named = self._named(name)
        return self.players[name] + 1 if is_part and name in self.players else named

    def _known(self, names: Names, node: NotationNode) -> str:
        """Return a thing's own name; a word that is not known stays as it is."""
        if node.kind == "text":
            return node.text
        if len(meant := names.meanings(node.text)) > 1:
            raise self._doubtful(node.text, meant, names, (node.start, node.end))
        if node.text in names.known:
            return names.known[node.text]
        # Letters that look alike would be reported as a word that equals a known one.
        near = near_word(node.text, names.known) or misspelt(node.text, names.known)
        if near is not None:
            own = names.known[near]
            sign = names.signs(own)[0]
            message = Message("notation-unknown-word", word=node.text)
            hint = suggested(sign if sign != own else near)
            raise NotationFault(node.start, node.end, message, hint, notation_codes.WRONG_FORM)
        return node.text

    def _word(self, type_: t.Words, node: NotationNode, pointer: str, content: Content) -> Json:
        if node.kind not in ("word", "text", "call"):
            raise self._wrong_form(type_, node)
        name = self._known(self.vocabulary.words(type_), node)
        case = type_.case(name)
        fields = case.fields if case is not None else ()
        if case is None or (node.kind != "call" and not fields):
            return name
        if len(node.parts) != len(fields):
            form = f"{name}({','.join(field for field, _ in fields)})"
            message = Message("notation-form", form=form) if fields else Message("notation-alone", word=name)
            raise NotationFault(node.start, node.end, message, code=notation_codes.WRONG_FORM)
        return {name: self._fields(fields, node.parts, f"{pointer}/{name}", content)}

    def _record(self, type_: t.Record, node: NotationNode, pointer: str, content: Content) -> Json:
        terse, _ = self.vocabulary.terse(type_)
        if node.kind == "word" and node.text in terse:
            return to_json(type_, terse[node.text])
        is_called = node.kind == "call" and node.text == type_.name
        # A record of one field needs no brackets.
        parts = node.parts if node.kind == "parts" or is_called else (node,)
        if len(parts) != len(type_.fields):
            # The rest of the line is read, as `10 of spades` is several words.
            near = near_several(self.vocabulary, type_, node.text) or near_record(
                self.vocabulary, type_, content.text[node.start :]
            )
            hint = suggested(near) or self._in_parts(type_, terse)
            raise self._wrong_form(type_, node, hint)
        return self._fields(type_.fields, parts, pointer, content)

    def _in_parts(self, type_: t.Record, terse: Mapping[str, int]) -> str | None:
        """Say how a record with a sign is written without it, by an example."""
        if not terse:
            return None
        sign, position = next(iter(terse.items()))
        pairs = [(of, show(of, part)) for (_, of), part in zip(type_.fields, type_.members[position], strict=True)]

        def parts(language: str | None) -> str:
            words = (self.game.word(f"{of}.{name}", language) or name for of, name in pairs)
            return ",".join("_".join(word.split()) for word in words)

        return Message("notation-parts", sign=sign, parts=self._in_each_language(parts))

    def _fields(
        self, fields: Sequence[tuple[str, t.Type]], parts: Sequence[NotationNode], pointer: str, content: Content
    ) -> dict[str, Json]:
        pairs = zip(fields, parts, strict=True)
        return {name: self._value(of, part, f"{pointer}/{name}", content, True) for (name, of), part in pairs}

    def _items(self, type_: t.Collection, node: NotationNode, pointer: str, content: Content) -> Json:
        if node.kind not in ("{", "["):
            raise self._wrong_form(type_, node)
        return [self._value(type_.of, part, f"{pointer}/{at}", content, True) for at, part in enumerate(node.parts)]

    def _form(self, type_: t.Type) -> str:
        return self._in_each_language(lambda language: self.vocabulary.form(type_, language))

    def _wrong_form(self, type_: t.Type, node: NotationNode, hint: str | None = None) -> NotationFault:
        form = self._form(type_)
        if isinstance(type_, t.Record):
            in_fields = self._in_each_language(lambda language: self.vocabulary.fields_form(type_, language))
            forms = dict.fromkeys((form, in_fields))  # not every keyboard has the signs
            message = Message("notation-form-of", type=term(self.game, type_.name), form=enumerated(forms, "or"))
        else:
            message = Message("notation-form", form=form)
        return NotationFault(node.start, node.end, message, hint, notation_codes.WRONG_FORM)

    def _doubtful(self, word: str, meant: Iterable[str], names: Names, place: tuple[int, int]) -> NotationFault:
        """Make the fault for a word that means several things, which are listed as they can be written."""

        def written(name: str, language: str | None) -> str:
            return f"`{names.word(name, language)}`"

        listed = enumerated(self._in_each_language(partial(written, name)) for name in meant)
        message = Message("notation-doubtful", word=word, meanings=listed)
        return NotationFault(*place, message, Message("notation-write-one"), notation_codes.DOUBTFUL_WORD)


def _join(values: Values, names: Names) -> None:
    """Make one word of the next ones if they are a name with blanks, and the first of them is none by itself."""
    ahead = values.words(names.most)
    known = [count for count in range(1, len(ahead) + 1) if names.meanings("_".join(ahead[:count]))]
    if known and known[0] > 1:
        values.join(known[-1])


def _dealt(chance: str, outcomes: str) -> str | None:
    """Say how several outcomes are written in one line, if there are several."""
    cards = re.findall(r"[\w?]+", outcomes)
    plainly = len(cards) > 1 and re.fullmatch(r"[\w?\s,]+", outcomes)
    return Message("notation-several-outcomes", deal=f"deal {chance} = {{{', '.join(cards)}}}") if plainly else None
