"""Refusals and spec faults in words, with the clauses that decide and their citations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ludex.grammar import Authority, Diagnostic, Message, Note, Reason, Span, Why, enumerated, in_language, or_meant
from ludex.spec import OVER_BUDGET, Origin, OverBudget, words_of
from ludex.spec import model as m
from ludex.spec import types as t

from ..event_notation.spoken import glossed, in_each_language, line_in_each_language, term, terms
from ..event_notation.writing import NotationWriter
from ..play_codes import SPEC_FAULT
from ..state.api_arguments import checked, checked_names
from ..state.events import DECLINE, ChanceEvent, Event, Move, Refusal, RefusalKind, SpecFault


@dataclass(frozen=True, slots=True)
class Explanation:
    """A refusal in words. why: the clauses that decide, with their authority."""

    message: str
    why: tuple[Why, ...]


@checked(refusal=Refusal, game=m.Game)
def explain(refusal: Refusal, game: m.Game, names: Sequence[str] = ()) -> Explanation:
    """Explain why an event was refused. names: the players' names by seat, if they have any."""
    paths = refusal.clauses or ((refusal.awaited,) if refusal.awaited else ())
    return Explanation(_message(refusal, game, checked_names(names, game.players)), why(game, paths))


def fault_diagnostic(fault: SpecFault, game: m.Game, span: Span | None = None) -> Diagnostic:
    """Make the diagnostic of a spec fault. span: where it was detected, if the fault is elsewhere."""
    paths = (fault.path,) if fault.path else ()
    notes = () if span is None else (Note(Message("fault-is-here"), fault.span),)
    code, hint = (OVER_BUDGET, fault.hint) if isinstance(fault, OverBudget) else (SPEC_FAULT, None)
    return Diagnostic(code, fault.message, span or fault.span, hint, notes, why(game, paths))


def why(game: m.Game, paths: Iterable[str]) -> tuple[Why, ...]:
    """Return the clauses of these paths with their authority; a clause without one has that of the nearest clause
    around it."""
    return tuple(_why(game, path) for path in dict.fromkeys(paths))


def _why(game: m.Game, path: str) -> Why:
    clause, holder = game.clauses.get(path), _holder(game, path)
    lender = holder.stated_by if holder and holder.origin is Origin.BORROWED else None
    span, authority = clause.span if clause else None, authority_words(game, holder.authority) if holder else ""
    return Why(path, authority, span, lender, holder.authority.citations if holder else ())


def _holder(game: m.Game, path: str) -> m.ClauseInfo | None:
    """Find the clause on whose authority this one rests: itself, or the nearest around it."""
    while path:
        clause = game.clauses.get(path)
        if clause and clause.authority:
            return clause
        path = path.rpartition(".")[0]
    return None


def authority_words(game: m.Game, authority: Authority) -> str:
    """Write an authority as in the spec, `[ru 113, 120-124]`, `ruling "..."`, with the game's terms for its reasons."""
    cited = [citation.term for citation in authority.citations]

    def write(language: str | None) -> str:
        reasons = (_reason_words(game, reason, language) for reason in authority.reasons)
        return " ".join([*cited, *reasons])

    return in_each_language(game, write)


def _reason_words(game: m.Game, reason: Reason, language: str | None) -> str:
    own = reason.term
    word = game.word(own, language)
    return in_language(Message(f"reason-{reason.kind}", text=word), language) if word and language else own


def _argument_types(game: m.Game, move: Move) -> dict[str, t.Type]:
    signature = game.moves.get(move.action)
    return {name: of for name, of, _ in signature.arguments} if signature else {}


def _written(game: m.Game, event: Event, names: Sequence[str], quote: str = "") -> str:
    """Write an event in the notation, between quotes."""
    return line_in_each_language(
        game, lambda language: f"{quote}{NotationWriter(game, names, language).event(event)}{quote}"
    )


def player_words(player: int, names: Sequence[str] = ()) -> str:
    """Name a player, or write the seat as the language does: `seat(1)`."""
    return names[player] if 0 <= player < len(names) else Message("seat", number=player + 1)


# ---- one sentence for each kind


def _message(refusal: Refusal, game: m.Game, names: Sequence[str]) -> str:
    event = refusal.event
    if isinstance(event, ChanceEvent):
        return CHANCE_MESSAGES[refusal.kind](refusal, event, game, names)
    return MOVE_MESSAGES[refusal.kind](refusal, event, game, names)


def _over(refusal: Refusal, event: Event, game: m.Game, names: Sequence[str]) -> str:
    return Message("refused-over")


def _move_awaited(refusal: Refusal, event: ChanceEvent, game: m.Game, names: Sequence[str]) -> str:
    return Message("refused-move-awaited", awaited=_awaited(refusal, game, names))


def _wrong_chance(refusal: Refusal, event: ChanceEvent, game: m.Game, names: Sequence[str]) -> str:
    return Message("refused-other-chance", awaited=glossed(game, str(refusal.awaited)), found=glossed(game, event.path))


def _wrong_outcome(refusal: Refusal, event: ChanceEvent, game: m.Game, names: Sequence[str]) -> str:
    return Message("refused-outcome", event=_written(game, event, names))


def _chance_awaited(refusal: Refusal, event: Move, game: m.Game, names: Sequence[str]) -> str:
    return Message("refused-chance-awaited", awaited=glossed(game, str(refusal.awaited)))


def _wrong_player(refusal: Refusal, event: Move, game: m.Game, names: Sequence[str]) -> str:
    return Message("refused-player", player=player_words(event.player, names), awaited=_awaited(refusal, game, names))


def _unknown_action(refusal: Refusal, event: Move, game: m.Game, names: Sequence[str]) -> str:
    return or_meant(Message("refused-unknown-action", action=event.action), event.action, game.moves)


def _not_offered(refusal: Refusal, event: Move, game: m.Game, names: Sequence[str]) -> str:
    if event.action == DECLINE:
        return Message("refused-decline", offered=terms(game, refusal.offered))
    return Message("refused-not-offered", action=term(game, event.action), offered=terms(game, refusal.offered))


def _missing(refusal: Refusal, event: Move, game: m.Game, names: Sequence[str]) -> str:
    return Message("refused-missing-argument", action=event.action, argument=str(refusal.argument))


def _extra(refusal: Refusal, event: Move, game: m.Game, names: Sequence[str]) -> str:
    return Message("refused-extra-argument", action=event.action, argument=str(refusal.argument))


def _wrong_argument(refusal: Refusal, event: Move, game: m.Game, names: Sequence[str]) -> str:
    type_ = _argument_types(game, event).get(refusal.argument or "")
    expected = words_of(type_) if type_ else Message("stated-once")
    return Message("refused-wrong-argument", argument=str(refusal.argument), action=event.action, expected=expected)


def _out_of_domain(refusal: Refusal, event: Move, game: m.Game, names: Sequence[str]) -> str:
    value = dict(event.arguments).get(refusal.argument or "")
    type_ = _argument_types(game, event).get(refusal.argument or "")
    shown = in_each_language(game, lambda language: NotationWriter(game, names, language).value(type_, value))
    argument = term(game, f"{event.action}.{refusal.argument}", refusal.argument)
    return Message("refused-choice", value=shown, argument=argument, action=term(game, event.action))


def _requirement(refusal: Refusal, event: Move, game: m.Game, names: Sequence[str]) -> str:
    clauses = enumerated(glossed(game, clause) for clause in refusal.clauses)
    return Message("refused-requirement", event=_written(game, event, names, "`"), clauses=clauses)


def _awaited(refusal: Refusal, game: m.Game, names: Sequence[str]) -> str:
    players = enumerated(player_words(player, names) for player in refusal.players)
    return Message("awaited-of", players=players, offered=terms(game, refusal.offered))


CHANCE_MESSAGES: dict[RefusalKind, Callable[[Refusal, ChanceEvent, m.Game, Sequence[str]], str]] = {
    RefusalKind.OVER: _over,
    RefusalKind.MOVE_AWAITED: _move_awaited,
    RefusalKind.WRONG_CHANCE: _wrong_chance,
    RefusalKind.WRONG_OUTCOME: _wrong_outcome,
}
MOVE_MESSAGES: dict[RefusalKind, Callable[[Refusal, Move, m.Game, Sequence[str]], str]] = {
    RefusalKind.OVER: _over,
    RefusalKind.CHANCE_AWAITED: _chance_awaited,
    RefusalKind.WRONG_PLAYER: _wrong_player,
    RefusalKind.UNKNOWN_ACTION: _unknown_action,
    RefusalKind.NOT_OFFERED: _not_offered,
    RefusalKind.MISSING_ARGUMENT: _missing,
    RefusalKind.EXTRA_ARGUMENT: _extra,
    RefusalKind.WRONG_ARGUMENT: _wrong_argument,
    RefusalKind.OUT_OF_DOMAIN: _out_of_domain,
    RefusalKind.REQUIREMENT: _requirement,
}
