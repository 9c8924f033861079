"""Dealing of listed hands in a replay: each card is an event that is played when its turn comes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ludex.grammar import Diagnostic

from ..record import Record
from ..structure import Deal, Gap
from ..tracking.dealing import Dealing, Hand
from ..tracking.event_findings import too_few_cards, undealt_cards
from ..tracking.tracker import Illegal, Taken
from .event_step import play_event
from .replay_state import Replay, Stop


def deal_hand(replay: Replay, deal: Deal, record: Record) -> None:
    """Deal the cards as far as they come next; those of other players may have to be listed first."""
    replay.dealing.add(deal, record)
    while replay.number != replay.until and replay.tracker.state is not None and replay.dealing.hands:
        at = _next_hand(replay)
        if at is None:
            return
        hand = replay.dealing.take_card(at)
        try:
            play_event(replay, hand.event, hand.record, hand.pointer)
        except Stop as stop:
            # The place is that of the card: its line has many.
            found = at_card(hand, stop.findings)
            raise Stop(*found, refusal=stop.refusal, record=hand.record, hand=hand) from stop
    if replay.tracker.state is None and replay.dealing.is_waiting:
        replay.dealing.divide(replay.tracker.belief)
        deal_out(replay)


def _next_hand(replay: Replay) -> int | None:
    """Return the number of the hand whose next card comes now, perhaps after a decline that was left out."""
    path, seat = replay.tracker.awaited_chance
    if path is not None:
        return replay.dealing.next_hand(path, seat)
    after = replay.tracker.after(replay.dealing.hands[0].event)
    declined: Taken | Illegal = Taken(replay.tracker)
    for decline in after.declines if isinstance(after, Taken) else ():
        assert isinstance(declined, Taken)
        declined = declined.tracker.after(decline)
    return replay.dealing.next_hand(*declined.tracker.awaited_chance) if isinstance(declined, Taken) else None


def deal_out(replay: Replay, gap: Gap | None = None) -> None:
    """Deal the cards in each of the possible games, in the course of a gap if one is given."""
    dealing, dealt = replay.dealing, len(replay.dealing.furthest.events)
    if gap is not None:
        dealing.pass_gap(gap.count, gap.only_chance, replay.at)
    else:
        dealing.deal_out(replay.at, None if replay.until is None else dealt + replay.until - replay.number)
    if not dealing.branches:
        raise _undealt(replay, dealing.pending)
    # The games with the most cards dealt stand for all of them, until it is known that other hands were listed.
    furthest = dealing.furthest
    replay.journal.events += furthest.events[dealt:]
    replay.journal.replayed += max(len(furthest.events) - dealt, 0)
    replay.tracker = replay.tracker_of(furthest.belief)
    if not any(each.hands for each in dealing.branches):
        check_dealt(replay)


def check_dealt(replay: Replay) -> None:
    """End the dealing. Raises Stop if cards could not be dealt."""
    dealing = replay.dealing
    if not dealing.is_waiting:
        replay.dealing = Dealing() if dealing.listed else dealing
        return
    if dealing.hands:
        dealing.divide(replay.tracker.belief)
    dealt = [each.belief for each in dealing.branches if not each.hands]
    if not dealt:
        _deal_missing(replay, dealing.pending, replay.lines[replay.at][0])
        dealt = [dealing.furthest.belief]
    replay.tracker, replay.dealing = replay.tracker_of(dealt[0].either(*dealt[1:])).settled(), Dealing()


def _deal_missing(replay: Replay, hands: Sequence[Hand], record: Record) -> None:
    """Deal the cards that are missing between those of the hands, and report them before the record.

    Raises Stop if the replay does not continue after missing lines, or none explain why the hands are not dealt.
    """
    options, dealing, dealt = replay.context.options, replay.dealing, len(replay.dealing.furthest.events)
    can_be_missing = not dealing.refused and (options.explains or options.fills)
    missing = dealing.deal_missing(replay.at) if can_be_missing else None
    if not missing:
        raise _undealt(replay, hands)
    counted = {each: missing.count(each) for each in missing}
    if not options.fills:
        first, count = next(iter(counted.items()))
        left_out = replay.context.unseen_hand(*first, count, hands[0].record)
        player = replay.context.table.player(first[1])
        finding = too_few_cards(hands[0], left_out.line, player, count, dealing.listed_as(*first))
        raise Stop(finding, record=hands[0].record)
    left_out_hands = [replay.context.unseen_hand(*each, count, record) for each, count in counted.items()]
    replay.journal.missing += [(replay.at, each) for each in left_out_hands]
    played = dealing.furthest.events[dealt:]
    replay.journal.events += played
    replay.journal.replayed += len(played)


def _undealt(replay: Replay, hands: Sequence[Hand]) -> Stop:
    """Report the hands of which cards could not be dealt: by the rules, or as something else is awaited."""
    if replay.dealing.refused:
        refusal, hand, before = replay.dealing.refused[0]
        finding = replay.tracker_of(before).finding(Illegal(refusal), hand.record)
        return Stop(*at_card(hand, (finding,)), record=hand.record, hand=hand)
    undealt = [undealt_cards(hand.record, hand.pointer, replay.tracker.awaited) for hand in hands]
    return Stop(*undealt, record=hands[0].record)


def at_card(hand: Hand, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings about the next card of a hand, with the place of that card."""
    return [replace(each, span=hand.record.place(hand.pointer), pointer=hand.pointer) for each in findings]
