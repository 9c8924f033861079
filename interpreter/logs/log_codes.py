"""Diagnostic codes of logs, grouped by the stage that finds the fault.

Codes of the reading group make a log unreadable (exit code 2): part of its text could not be parsed. The others are
findings (exit code 1) or, where marked, warnings, which leave a log legal. Faults of files (F1xx) and of YAML (C20x)
belong to the modules that read files and YAML.
"""

from __future__ import annotations

from ludex.grammar import Code, Severity

# ---- reading: is it a log at all ------------------------------------------------------------------------------------

EMPTY_LOG = Code(
    "L402",
    "empty-log",
    "The log holds no line at all.",
    "Record at least the header line, which names the game and the players.",
)
BROKEN_JSON = Code(
    "L405",
    "broken-json",
    "The line is no JSON. Each line of a log is one JSON object of its own.",
    "Mend the line at the place shown; the lines before it are still judged.",
)
TRUNCATED_LINE = Code(
    "L406",
    "truncated-log",
    "The last line breaks off before its object is closed, as when a recorder was stopped in the middle of writing.",
    "Complete the line, or take it away; the lines before it are still judged.",
)
REPEATED_MEMBER = Code(
    "L407",
    "repeated-member",
    "One object names the same member twice, so nobody can tell which of the two values counts.",
    "Keep one of the two.",
)
BAD_NUMBER = Code(
    "L408",
    "bad-number",
    "NaN and Infinity are no numbers of JSON, and a number of more than twenty digits is none of any game.",
    "Write the number that was meant.",
)
TOO_DEEP = Code(
    "L409",
    "log-too-deep",
    "Lists and objects stand inside one another deeper than any game needs.",
    "Look for brackets that were opened and never closed.",
)
NOT_AN_OBJECT = Code(
    "L410",
    "not-an-object",
    "A line of a log is written in braces, as names with their values; this one is something else.",
    'Write the event in braces, such as {"player": 1, "action": "decline"}.',
)
BLANK_LINE = Code(
    "L414",
    "blank-line",
    "A blank line stands between the lines of the log. It is skipped.",
    "Take the blank line away.",
    Severity.WARNING,
)
HALF_CHARACTER = Code(
    "L415",
    "half-character",
    r"A text holds one half of a surrogate pair (\ud800 to \udfff) without the other, which is no character.",
    "Write the character itself.",
)
YAML_LOG_SHAPE = Code(
    "L416",
    "yaml-log-shape",
    "A YAML log is either a mapping (the fields of the header, and a list `events`) or a list whose first item is the"
    " header.",
    "Put the events in a list under `events:`.",
)

# ---- header: which game was played ----------------------------------------------------------------------------------

NO_HEADER = Code(
    "L420",
    "no-header",
    "The first line of a log is its header: it gives `ludex`, the version of the format, and says what was played.",
    'Begin the log with a line such as {"ludex": 1, "game": "tic_tac_toe", "players": 2}.',
)
FORMAT_VERSION = Code(
    "L421",
    "format-version",
    "The log is written in a version of the format that this program does not know.",
    'Write "ludex": 1, or validate the log with a newer program.',
)
HEADER_FIELD = Code(
    "L422",
    "header-unknown-field",
    "The header has a member that the format does not know. Nothing is skipped silently, as it may matter.",
    "Take it away, or put it into a `note`.",
)
HEADER_MISSING = Code(
    "L423",
    "header-missing-field",
    "The header must say which game was played and by whom.",
    "Add the member.",
)
HEADER_VALUE = Code(
    "L424",
    "header-wrong-value",
    "A member of the header has a value of the wrong kind.",
    "Write the value that the message asks for.",
)
UNKNOWN_GAME = Code(
    "L425",
    "log-unknown-game",
    "The log names a game that neither comes with Ludex nor lies beside the log or where the command runs. Nothing in"
    " it can be judged.",
    "Write the name as `ludex games` lists it, or the path of the game's folder or file; or say with `--game PATH`"
    " where the game of this name is.",
)
UNKNOWN_EDITION = Code(
    "L426",
    "log-unknown-edition",
    "The game has no such edition.",
    "Write the edition as `ludex games` lists it, or leave it out to mean the game's own first edition.",
)
UNKNOWN_OPTION = Code(
    "L427",
    "log-unknown-option",
    "The header sets an option that the game does not have, or to a value that the option cannot take.",
    "Write the option and its value as the game's specification declares them.",
)
UNKNOWN_READING = Code(
    "L428",
    "log-unknown-reading",
    "The header picks a reading of a fork that the game does not have, or a reading that the fork does not offer.",
    "Write the fork and the reading as the game's specification names them.",
)
WRONG_PLAYERS = Code(
    "L429",
    "log-wrong-players",
    "The game is not played by this number of players, or two players have the same name.",
    "Write the number of players, or the list of their names in the order of the seats.",
)
WRONG_FINGERPRINT = Code(
    "L430",
    "wrong-fingerprint",
    "The log was recorded under other rules or other component data than those at hand. It is replayed all the same,"
    " but a fault found below may come from that difference.",
    "Validate it with the specification that it was recorded with (`--game PATH`); or, if the log is to follow the"
    " rules at hand, take the fingerprint away.",
)
OTHER_GAME_BESIDE = Code(
    "L433",
    "other-game-beside",
    "The log names a game that comes with Ludex, and another game of this name lies beside the log. The log is judged"
    " by the one that comes with Ludex.",
    "Write the path (`./NAME`) if the one beside the log is meant, or give it with `--game PATH`.",
    Severity.WARNING,
)
SECOND_HEADER = Code(
    "L431",
    "second-log-header",
    "A second header stands in the middle of the log. One log holds one game.",
    "Cut the file in two before this line.",
)
GAME_AT_FAULT = Code(
    "L432",
    "game-at-fault",
    "The specification of the game has faults of its own, so that nothing can be judged by it.",
    "Run `ludex check` on the game and mend what it reports.",
)

# ---- structure: is each line one that the game knows ----------------------------------------------------------------

UNCLEAR_LINE = Code(
    "L440",
    "unclear-line",
    "A line is a move (it has an `action`), a chance event (it has a `chance`), a claim or a note. This one is none of"
    " them, or several at once.",
    "Write one event a line.",
)
UNKNOWN_ACTION = Code(
    "L441",
    "log-unknown-action",
    "The game has no move of this name.",
    "Write the name of an action as the game declares it (`ludex schema` lists all).",
)
UNKNOWN_FIELD = Code(
    "L442",
    "unknown-field",
    "The line has a member that does not belong to this event. Nothing is skipped silently, as it may matter.",
    "Take it away, or put it into a `note`.",
)
MISSING_FIELD = Code(
    "L443",
    "missing-field",
    "The line lacks a member without which the event is not fully stated.",
    "Add the member.",
)
WRONG_VALUE = Code(
    "L444",
    "wrong-value",
    "A value is of the wrong kind, or is none that the game knows.",
    "Write the value that the message asks for.",
)
UNKNOWN_CHANCE = Code(
    "L445",
    "log-unknown-chance",
    "The game has no chance event of this name.",
    "Write the path of the clause that raises the chance event (`ludex schema` lists all).",
)
UNKNOWN_PLAYER = Code(
    "L446",
    "log-unknown-player",
    "Nobody at this table has this name or seat.",
    "Write a seat number from 1, or a name that stands in the header.",
)
UNKNOWN_YET = Code(
    "L447",
    "unknown-not-supported",
    "What the recorder could not see may one day be written `unknown`. This version cannot judge such a log yet.",
    "Write what really happened, if it can be found out.",
)

# ---- play: could it happen ------------------------------------------------------------------------------------------

ILLEGAL_MOVE = Code(
    "L460",
    "illegal-move",
    "The rules forbid the move in this position. The clauses that it breaks stand with the finding.",
    "See the legal moves nearest to it. The replay stops here, as everything later rests on this move.",
)
NOT_OFFERED = Code(
    "L461",
    "not-offered",
    "The decision at hand does not offer this move: the rules have no place for it at this moment.",
    "See what was awaited; where one event more before this line would explain it, the report says which.",
)
CHANCE_AWAITED = Code(
    "L462",
    "chance-awaited",
    "Chance had to decide first, but the log goes on with a move.",
    "Record how the chance event came out.",
)
MOVE_AWAITED = Code(
    "L463",
    "move-awaited",
    "A player had to move, but the log goes on with a chance event, or with another one than the one awaited.",
    "Record the player's move, or take the chance event away.",
)
WRONG_PLAYER = Code(
    "L464",
    "wrong-player",
    "It is not this player's turn to decide.",
    "Correct the seat; where one event more before this line would explain it, the report says which.",
)
WRONG_OUTCOME = Code(
    "L465",
    "wrong-outcome",
    "The chance event cannot come out like this: what it names is not among what is left.",
    "Look whether the same piece was recorded twice.",
)
AFTER_THE_END = Code(
    "L466",
    "after-the-end",
    "The game was over before this event.",
    "Take the event away, or look whether an earlier event was recorded wrongly.",
)
RULES_AT_FAULT = Code(
    "L468",
    "rules-at-fault",
    "The specification of the game fails at this event: the log may be right.",
    "Mend the clause that the finding names, then validate the log again.",
)
AMBIGUOUS_DECLINE = Code(
    "L469",
    "ambiguous-decline",
    "The event fits only if somebody declined before it, and there is more than one moment at which it would fit then.",
    'Record each decline on a line of its own: {"player": 1, "action": "decline"}.',
)
CHANCE_ELSEWHERE = Code(
    "L470",
    "other-chance-awaited",
    "Another chance event had to come first.",
    "Record the chance event that was awaited.",
)

# ---- claims: does it agree with what the recorder says --------------------------------------------------------------

WRONG_SCORES = Code(
    "L480",
    "wrong-scores",
    "The recorder claims other scores than the rules give.",
    "Correct the claim; or look for the event that was recorded wrongly. The replay goes on.",
)
WRONG_WINNERS = Code(
    "L481",
    "wrong-winners",
    "The recorder claims other winners than the rules give.",
    "Correct the claim; or look for the event that was recorded wrongly. The replay goes on.",
)
WRONG_END = Code(
    "L482",
    "wrong-end",
    "The recorder claims that the game is over when it is not, or that it goes on when it is over.",
    "Correct the claim; or record the rest of the game. The replay goes on.",
)
WRONG_STATE = Code(
    "L483",
    "wrong-state",
    "The recorder claims that a state or zone holds something else than it does.",
    "Correct the claim; or look for the event that was recorded wrongly. The replay goes on.",
)
CLAIM_UNKNOWABLE = Code(
    "L484",
    "claim-unknowable",
    "The log does not settle what the claim is about: these pieces were never seen.",
    "Claim the `size` of the zone instead of its pieces.",
)

# ---- the whole log --------------------------------------------------------------------------------------------------

UNFINISHED = Code(
    "L490",
    "log-unfinished",
    "The log ends before the game does. All that it records is legal.",
    "Record the rest of the game, or leave it as a record of a game that was broken off.",
    Severity.WARNING,
)

UNREADABLE_CODES = (
    EMPTY_LOG,
    BROKEN_JSON,
    TRUNCATED_LINE,
    REPEATED_MEMBER,
    BAD_NUMBER,
    TOO_DEEP,
    NOT_AN_OBJECT,
    HALF_CHARACTER,
    YAML_LOG_SHAPE,
    NO_HEADER,
    FORMAT_VERSION,
)
"""A log with one of these is unreadable, in part or as a whole."""

UNFIT_CODES = (UNKNOWN_ACTION, UNKNOWN_FIELD, MISSING_FIELD, WRONG_VALUE, UNKNOWN_CHANCE)
"""The line is none that the game knows, with the options it is played with."""

REFUSED_CODES = (
    ILLEGAL_MOVE,
    NOT_OFFERED,
    CHANCE_AWAITED,
    MOVE_AWAITED,
    WRONG_PLAYER,
    WRONG_OUTCOME,
    AFTER_THE_END,
    CHANCE_ELSEWHERE,
)
"""The rules refuse an event."""

LOG_CODES = tuple(
    sorted(
        (
            *UNREADABLE_CODES,
            *REFUSED_CODES,
            BLANK_LINE,
            HEADER_FIELD,
            HEADER_MISSING,
            HEADER_VALUE,
            UNKNOWN_GAME,
            UNKNOWN_EDITION,
            UNKNOWN_OPTION,
            UNKNOWN_READING,
            WRONG_PLAYERS,
            WRONG_FINGERPRINT,
            SECOND_HEADER,
            GAME_AT_FAULT,
            OTHER_GAME_BESIDE,
            UNCLEAR_LINE,
            UNKNOWN_ACTION,
            UNKNOWN_FIELD,
            MISSING_FIELD,
            WRONG_VALUE,
            UNKNOWN_CHANCE,
            UNKNOWN_PLAYER,
            UNKNOWN_YET,
            RULES_AT_FAULT,
            AMBIGUOUS_DECLINE,
            WRONG_SCORES,
            WRONG_WINNERS,
            WRONG_END,
            WRONG_STATE,
            CLAIM_UNKNOWABLE,
            UNFINISHED,
        ),
        key=lambda code: code.code,
    )
)
