"""Reader of the notation: turns a line into the members of a log's line, with the place of each.

What the reader makes is judged like any other line of a log (`../logs/structure/event_lines.py`), at the places that it
gives. It reports by itself only what no such line could say: texts that are not in the notation, values of another
form, and words that could mean several things.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ludex.grammar import Json, Message, enumerated, shown_text, suggested
from ludex.spec import model as m
from ludex.spec import show, to_json
from ludex.spec import types as t

from ..state.events import DECLINE
from . import notation_codes as codes
from .near_words import misspelt, near_record, near_word
from .spoken import in_each_language, term
from .syntax import NONE, UNKNOWN, UNSEEN, Node, NotationFault, Values, expected, split, tokens_of
from .vocabulary import Names, Vocabulary

_RUN = re.compile(r"[^\s;#]+")
_NUMBER = re.compile(r"-?[0-9]{1,20}")
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
    """Reads the events of one game. names: the players' names by seat; () if they have none.

    Every method raises NotationFault.
    """

    def __init__(self, game: m.Game, names: Sequence[str] = ()) -> None:
        self.game, self.vocabulary = game, Vocabulary(game, names)
        self.players = self.vocabulary.players
        actions = self.vocabulary.actions
        # Words behind an action are joined up to this length, so that a long line
        # is not joined to its end at every word.
        self._longest_action = max(map(len, (*actions.known, *actions.doubtful)), default=0)

    def event(
        self, text: str, start: int = 0, end: int | None = None, player: int | None = None, behind: str = ""
    ) -> Content:
        """Read an event from a part of a text.

        player: the seat whose move it is, if the text need not say so. behind: the action of the move before it, which
        decides what a word for several chance events means.
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
                self._chance(content, text, (start, token.start), Values(tokens[at + 1 :]), behind)
                return content
        if player is None:
            # A colon that was forgotten behind the name is the usual slip.
            named = next((name for name in self.players if re.match(rf"\s*{re.escape(name)}\s", text[start:end])), None)
            if named is not None:
                at = text.index(named, start) + len(named)
                raise NotationFault(at, at + 1, Message("notation-colon-behind", player=named))
            raise NotationFault(*content.places[""], self._two_forms(), Message("notation-colon"))
        content.data["player"] = player + 1
        self._move(content, text, start, end)
        return content

    def is_bare(self, text: str, start: int, end: int) -> bool:
        """Test whether a part of a text is no outcome, and names no player: it may be moves of whom the rules name."""
        return all(split(text, sign, start, end) == end for sign in ":=")

    def begins_move(self, text: str, start: int, end: int) -> bool:
        """Test whether a part of a text begins with an action, or a value of the one whose name may be left out."""
        run = self._run(text, start, end)
        actions = self.vocabulary.actions
        return self.vocabulary.nameless is not None or bool(actions.meanings(self._action(text, run, end)[0]))

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
        move = self._said(lambda language: f"{words.player(0)}: {words.shape(action, language)}")
        if chance is None:
            return Message("notation-move", move=move)
        path, of = chance, self.game.chances[chance].outcome
        outcome = self._said(lambda language: f"{words.chances.word(path, language)} = {words.form(of, language)}")
        return Message("notation-event", move=move, outcome=outcome)

    def _said(self, write: Callable[[str | None], str]) -> str:
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
        # `roll: 4` for `roll = 4`.
        if name not in self.players and self.vocabulary.chances.meanings("_".join(name.split())):
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
            raise NotationFault(end - 1, end, Message("notation-expected-end", expected=Message("notation-an-action")))
        return run

    def _move(self, content: Content, text: str, start: int, end: int, is_last: bool = True) -> int:
        """Read a move without its player; return where it ends. is_last: nothing may follow it."""
        run = self._run(text, start, end)
        actions = self.vocabulary.actions
        action, at = self._action(text, run, end)
        if action in actions.doubtful and action not in actions.known:
            raise _doubtful(action, actions, run.start())
        # A game may have an action of this name, which goes first.
        if action in (UNSEEN, UNKNOWN) and action not in self.game.moves:
            action = UNKNOWN
        elif action in actions.known:
            action = actions.known[action]
        elif self.vocabulary.nameless is not None:
            action, at = self.vocabulary.nameless, run.start()
        content.data["action"] = action
        # An action that is left out has no place of its own: what is wrong with it is wrong with the whole move.
        content.places["/action"] = (run.start(), at if at > run.start() else end)
        # Without the action's types the values cannot be read, and the judge refuses the action in any case.
        if action not in self.game.moves and action not in (DECLINE, UNKNOWN):
            return end
        values = Values(tokens_of(text, at, end))
        self._arguments(content, action, values, is_last)
        return values.next.start

    def _action(self, text: str, run: re.Match[str], end: int) -> tuple[str, int]:
        """Return the word for an action, and its end. It may be written with blanks if its first part means nothing."""
        actions, word = self.vocabulary.actions, run.group()
        longer, found = word, (word, run.end())
        if word in actions.known or word in actions.doubtful or word in (UNSEEN, UNKNOWN):
            return found
        for more in _RUN.finditer(text, run.end(), end):
            longer = f"{longer}_{more.group()}"
            if len(longer) > self._longest_action:
                break
            if longer in actions.known or longer in actions.doubtful:
                found = longer, more.end()
        return found

    def _arguments(self, content: Content, action: str, values: Values, is_last: bool) -> None:
        """Read values, each perhaps with its name before it; one without a name is that of the first still missing."""
        missing = dict(self.vocabulary.arguments(action))
        labels = self.vocabulary.labels(action)
        args: dict[str, Json] = {}
        begin = values.next.start
        # Behind a move that may be followed, what is not needed belongs to the next one.
        while values.next.kind and (missing or is_last):
            label, name = values.next, next(iter(missing), "")
            meant = labels.known.get(label.text) if label.kind == "word" else None
            if label.kind == "word" and label.text in labels.doubtful:
                raise _doubtful(label.text, labels, label.start)
            # A name has a blank behind it: `at(1,2)` and `at,2` are values.
            if meant is not None and meant in missing and values.tokens[values.at + 1].start > label.end:
                name = meant
                values.take()
                content.named[f"/args/{name}"] = (label.start, label.end)
            if not missing:
                raise self._too_many(action, values)
            try:
                args[name] = self._value(missing.pop(name), values.value(), f"/args/{name}", content)
            except NotationFault as fault:
                fault.hint = fault.hint or self._shape(action)
                raise
        if missing:
            raise self._too_few(action, missing, values)
        if args:
            # In the order of the signature, as all logs have them, whatever order was written.
            content.data["args"] = {name: args[name] for name, _ in self.vocabulary.arguments(action)}
            content.places["/args"] = (begin, values.tokens[values.at - 1].end)

    def _too_many(self, action: str, values: Values) -> NotationFault:
        count = len(self.vocabulary.arguments(action))
        found = shown_text(values.next.text)
        message = Message("notation-too-many", action=term(self.game, action), count=count, found=found)
        return NotationFault(values.next.start, values.tokens[-1].end, message, self._shape(action), codes.WRONG_FORM)

    def _too_few(self, action: str, missing: Mapping[str, t.Type], values: Values) -> NotationFault:
        forms = ((term(self.game, f"{action}.{name}", name), self._form(of)) for name, of in missing.items())
        needed = enumerated(Message("notation-needed", name=name, form=form) for name, form in forms)
        message = Message("notation-too-few", action=term(self.game, action), needed=needed)
        return NotationFault(values.next.start, values.next.end, message, self._shape(action), codes.WRONG_FORM)

    def _shape(self, action: str) -> str | None:
        shape = self._said(lambda language: self.vocabulary.shape(action, language))
        return Message("notation-write", form=shape) if self.vocabulary.arguments(action) else None

    # ---- chance

    def _chance(self, content: Content, text: str, place: tuple[int, int], values: Values, behind: str) -> None:
        written = text[slice(*place)]
        first = place[0] + len(written) - len(written.lstrip())
        chances, word = self.vocabulary.chances, "_".join(written.split())
        meant = chances.meanings(word)
        # Chance events of several actions may end alike, and belong to the move before them.
        if len(meant) > 1:
            meant = tuple(path for path in meant if behind and path.startswith(f"{behind}.")) or meant
        if len(meant) > 1:
            raise _doubtful(word, chances, first)
        name = meant[0] if meant else written.strip()
        content.data["chance"] = name
        content.places["/chance"] = (first, place[0] + len(written.rstrip()))
        # The type of the outcome is not known, and the judge refuses the event in any case.
        if name not in self.game.chances:
            content.data["outcome"] = None
            return
        content.data["outcome"] = self._value(self.game.chances[name].outcome, values.value(), "/outcome", content)
        if values.next.text == "via":
            values.take()
            content.places["/via"] = (values.next.start, values.tokens[-1].end)
            content.data["via"] = []
            while _NUMBER.fullmatch(values.next.text):
                content.data["via"].append(int(values.take().text))
        if values.next.kind:
            raise expected(Message("text-nothing-more"), values.next)

    # ---- values

    def value(self, type_: t.Type, node: Node, pointer: str, content: Content) -> Json:
        """Read a value of a log that is no part of an event. Its place is put into the content."""
        return self._value(type_, node, pointer, content)

    def _value(self, type_: t.Type, node: Node, pointer: str, content: Content, is_part: bool = False) -> Json:
        content.places[pointer] = (node.start, node.end)
        if node.kind == "word" and self._is_unseen(type_, node.text):
            return UNKNOWN
        match type_:
            case t.Optional(of=of):
                is_none = node.kind == "word" and node.text == NONE
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

    def _is_unseen(self, type_: t.Type, word: str) -> bool:
        inner = t.strip_optional(type_)
        # A game may have a card with this name.
        is_own = isinstance(inner, t.Words | t.ComponentType) and word in self.vocabulary.words(inner).known
        return word in (UNSEEN, UNKNOWN) and not is_own

    def _player(self, name: str, is_part: bool) -> Json:
        """Return a player, who is written by name only where the whole value is a player."""
        named = self._named(name)
        return self.players[name] + 1 if is_part and name in self.players else named

    def _known(self, names: Names, node: Node) -> str:
        """Return a thing's own name; a word that is not known stays as it is."""
        if node.kind == "text":
            return node.text
        if node.text in names.doubtful and node.text not in names.known:
            raise _doubtful(node.text, names, node.start)
        if node.text in names.known:
            return names.known[node.text]
        # Letters that look alike would be reported as a word that equals a known one.
        near = near_word(node.text, names.known) or misspelt(node.text, names.known)
        if near is not None:
            own = names.known[near]
            sign = names.signs(own)[0]
            message = Message("notation-unknown-word", word=node.text)
            hint = suggested(sign if sign != own else near)
            raise NotationFault(node.start, node.end, message, hint, codes.WRONG_FORM)
        return node.text

    def _word(self, type_: t.Words, node: Node, pointer: str, content: Content) -> Json:
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
            raise NotationFault(node.start, node.end, message, code=codes.WRONG_FORM)
        return {name: self._fields(fields, node.parts, f"{pointer}/{name}", content)}

    def _record(self, type_: t.Record, node: Node, pointer: str, content: Content) -> Json:
        terse, _ = self.vocabulary.terse(type_)
        if node.kind == "word" and node.text in terse:
            return to_json(type_, terse[node.text])
        is_called = node.kind == "call" and node.text == type_.name
        # A record of one field needs no brackets.
        parts = node.parts if node.kind == "parts" or is_called else (node,)
        if len(parts) != len(type_.fields):
            # The rest of the line, as `10 of spades` is several words.
            near = near_record(self.vocabulary, type_, content.text[node.start :])
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

        return Message("notation-parts", sign=sign, parts=self._said(parts))

    def _fields(
        self, fields: Sequence[tuple[str, t.Type]], parts: Sequence[Node], pointer: str, content: Content
    ) -> dict[str, Json]:
        pairs = zip(fields, parts, strict=True)
        return {name: self._value(of, part, f"{pointer}/{name}", content, True) for (name, of), part in pairs}

    def _items(self, type_: t.Collection, node: Node, pointer: str, content: Content) -> Json:
        if node.kind not in ("{", "["):
            raise self._wrong_form(type_, node)
        return [self._value(type_.of, part, f"{pointer}/{at}", content, True) for at, part in enumerate(node.parts)]

    def _form(self, type_: t.Type) -> str:
        return self._said(lambda language: self.vocabulary.form(type_, language))

    def _wrong_form(self, type_: t.Type, node: Node, hint: str | None = None) -> NotationFault:
        form = self._form(type_)
        if isinstance(type_, t.Record):
            in_fields = self._said(lambda language: self.vocabulary.fields_form(type_, language))
            forms = dict.fromkeys((form, in_fields))  # not every keyboard has the signs
            message = Message("notation-form-of", type=term(self.game, type_.name), form=enumerated(forms, "or"))
        else:
            message = Message("notation-form", form=form)
        return NotationFault(node.start, node.end, message, hint, codes.WRONG_FORM)


def _doubtful(word: str, names: Names, start: int) -> NotationFault:
    meanings = enumerated(f"`{name}`" for name in names.doubtful[word])
    message = Message("notation-doubtful", word=word, meanings=meanings)
    return NotationFault(start, start + len(word), message, Message("notation-write-one"), codes.DOUBTFUL_WORD)
