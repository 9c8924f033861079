"""Diagnostic codes of logs, grouped by the stage that finds the fault.

Codes of the reading group make a log unreadable (exit code 2): part of its text could not be parsed. The others are
findings (exit code 1) or, where marked, warnings, which leave a log legal. Faults of files (F1xx) and of YAML (C20x)
belong to the modules that read files and YAML.
"""

from __future__ import annotations

from ludex.grammar import Code, Severity, codes_in

from ..event_notation.notation_codes import HEADER_LINE, NOT_NOTATION, NOTATION_CODES

# ---- reading: is it a log at all ------------------------------------------------------------------------------------

EMPTY_LOG = Code(
    "L402",
    "empty-log",
    "The log has no lines.",
    "Record at least the header line, which names the game and the players.",
)
BROKEN_JSON = Code(
    "L405",
    "broken-json",
    "The line is not JSON.",
    "Mend the line at the marked place; the lines before it are still judged.",
    explanation="Each line of a log is one JSON object.",
)
TRUNCATED_LINE = Code(
    "L406",
    "truncated-log",
    "The last line breaks off before its object is closed, as when a recorder was stopped in the middle of writing.",
    "Complete the line, or remove it; the lines before it are still judged.",
)
REPEATED_MEMBER = Code(
    "L407",
    "repeated-member",
    "One object has two members of the same name, so it is not clear which of the two values counts.",
    "Keep one of the two members.",
)
BAD_NUMBER = Code(
    "L408",
    "bad-number",
    "NaN and Infinity are not JSON numbers, and numbers of more than twenty digits are not supported.",
    "Write the number that was meant.",
)
LOG_TOO_DEEP = Code(
    "L409",
    "log-too-deep",
    "Lists and objects are nested more than 64 levels deep.",
    "Look for brackets that were opened and never closed.",
)
NOT_AN_OBJECT = Code(
    "L410",
    "not-an-object",
    "A line of a log is a JSON object, which is written in braces; this line is another kind of value.",
    'Write the event in braces, such as {"player": 1, "action": "decline"}.',
)
BLANK_LINE = Code(
    "L414",
    "blank-line",
    "The log has a blank line between other lines.",
    "Remove the blank line.",
    Severity.WARNING,
    explanation="It is skipped.",
)
HALF_CHARACTER = Code(
    "L415",
    "half-character",
    r"A text has one half of a surrogate pair (\ud800 to \udfff) without the other, which is not a character.",
    "Write the character itself.",
)
YAML_LOG_SHAPE = Code(
    "L416",
    "yaml-log-shape",
    "A YAML log is either a mapping (the fields of the header, and a list `events`) or a list whose first item is the"
    " header.",
    "Put the events in a list under `events:`.",
)

PACKED_DAMAGED = Code(
    "L540",
    "packed-log-damaged",
    "The compressed file is damaged or breaks off.",
    "Restore the file from a good copy, or compress the logs again.",
    explanation="It is judged up to the damage.",
)
PACKED_TOO_FAR = Code(
    "L541",
    "packed-log-too-large",
    "The compressed file unpacks to far more bytes or logs than recorded games do: it may be an attempt to exhaust "
    "the machine.",
    "Check that this is the right file; if it is, unpack it: a file that is not compressed has no such limit.",
    explanation="It is judged up to the limit.",
)
PACKED_UNKNOWN = Code(
    "L542",
    "packed-log-needs-package",
    "The file is compressed with Zstandard, which needs a Python package that is not installed.",
    "Install the package that the message names, or unpack the file with `zstd -d`.",
)
PACKED_CODES = (PACKED_DAMAGED, PACKED_TOO_FAR, PACKED_UNKNOWN)
"""Codes of compressed files."""

# ---- header: which game was played ----------------------------------------------------------------------------------

NO_HEADER = Code(
    "L420",
    "no-header",
    "The log does not begin with a header, which gives `ludex`, the version of the format, and the game.",
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
    "The header has a member that the format does not know.",
    "Remove it, or put it into a `note`.",
    explanation="It might matter, so it is not ignored.",
)
HEADER_MISSING = Code(
    "L423",
    "header-missing-field",
    "The header must name the game and the players.",
    "Add the member.",
)
HEADER_VALUE = Code(
    "L424",
    "header-wrong-value",
    "A member of the header has a value of the wrong type.",
    "Write the value that the message asks for.",
)
LOG_UNKNOWN_GAME = Code(
    "L425",
    "log-unknown-game",
    "The log names a game that does not come with Ludex, and is neither in the log's folder nor in the folder where "
    "the command runs.",
    "Write the name as `ludex games` lists it, or the path of the game's folder or file; or give the"
    " game of this name with `--game PATH`.",
    explanation="Nothing in the log can be judged.",
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
    "The header sets an option that the game does not have, or sets an option to a value that it cannot have.",
    "Write the option and its value as the game's specification declares them.",
)
UNKNOWN_READING = Code(
    "L428",
    "log-unknown-reading",
    "The header selects a reading of a fork that the game does not have, or a reading that the fork does not offer.",
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
    "The log was recorded with other rules or other component data than those it is judged by.",
    "Validate it with the specification that it was recorded with (`--game PATH`); or, if the log should follow the"
    " present rules, remove the fingerprint.",
    explanation="It is replayed anyway, but this difference may be the reason for faults that are reported later.",
)
OTHER_GAME_BESIDE = Code(
    "L433",
    "other-game-beside",
    "The log names a game that comes with Ludex, and its folder has another game of this name.",
    "To mean the game in the folder, write its path (`./NAME`), or give it with `--game PATH`.",
    Severity.WARNING,
    explanation="The log is judged by the one that comes with Ludex.",
)
FORBIDDEN_FILE = Code(
    "L434",
    "forbidden-file",
    "The log names a file, as its game or its position, that logs may not name where it is judged.",
    "Name a game that comes with Ludex, write the position itself into `from`, or allow the files of a folder"
    " (`--files FOLDER`).",
    explanation="The file is not looked at, so the report does not say whether it exists.",
)
DOUBTFUL_TAG = Code(
    "L570",
    "doubtful-tag",
    "A tag only describes where and when the game was played: it changes no rule.",
    "Write the setting in the form that the hint gives; in a text log, `Tag NAME: ...` says that a tag is meant. Name"
    " one of the languages in the hint, or leave the tag out.",
    Severity.WARNING,
    explanation="The name of this tag is almost that of a setting, or is that of an option or a fork of the game; or "
    "it names a language in which the game has no words.",
)
SECOND_LOG_HEADER = Code(
    "L431",
    "second-log-header",
    "The log has a second header.",
    "Split the file before this line.",
    explanation="One log records one game, and only `ludex validate` reads many logs from one file.",
)
GAME_AT_FAULT = Code(
    "L432",
    "game-at-fault",
    "The specification of the game has errors, so it cannot judge a log.",
    "Run `ludex check` on the game and mend what it reports.",
)

# ---- structure: is each line one that the game knows ----------------------------------------------------------------

UNCLEAR_LINE = Code(
    "L440",
    "unclear-line",
    "A line is a move (with `action`), a chance event (with `chance`), a claim or a note.",
    "Write one event on each line.",
    explanation="This line is not one of them, or more than one.",
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
    "The line has a member that this event does not have.",
    "Remove it, or put it into a `note`.",
    explanation="It might matter, so it is not ignored.",
)
MISSING_FIELD = Code(
    "L443",
    "missing-field",
    "The line lacks a member that the event needs.",
    "Add the member.",
)
WRONG_VALUE = Code(
    "L444",
    "wrong-value",
    "A value has the wrong type, or the game does not have it.",
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
    "Write a seat number from 1, or a name from the header.",
)
MISPLACED_UNKNOWN = Code(
    "L447",
    "misplaced-unknown",
    "`unknown` is written for what the recorder could not see: the action of a move, a whole argument or outcome, or "
    "items of a list.",
    "Write `unknown` for the whole value, or leave the claim out.",
    explanation="It is not allowed as part of another value or in a claim.",
)
NO_PLAYER = Code(
    "L590",
    "no-player",
    "A move of a text log does not name its player, and the rules do not determine the player: several players choose"
    " at the same time, or the game before this line is not known.",
    "Write the player before the move, `Anna: e2 e4`; if a line before it has a fault, mend that first.",
)
NUMBER_OUT_OF_ORDER = Code(
    "L591",
    "number-out-of-order",
    "The number of a move is neither that of the numbered move before it nor the next one.",
    "Write the missing lines, or number the moves again.",
    Severity.WARNING,
    explanation="Numbers are not judged, but if one is missing, a line may be missing, too.",
)

# ---- play: could it happen ------------------------------------------------------------------------------------------

ILLEGAL_MOVE = Code(
    "L460",
    "illegal-move",
    "The rules forbid the move in this position.",
    "Compare it with the nearest legal moves. The replay stops here, because all later lines depend on this move.",
    explanation="The finding names the clauses that it breaks.",
)
NOT_OFFERED = Code(
    "L461",
    "not-offered",
    "The current decision does not offer this move.",
    "Compare it with the awaited event; if one more event before this line would make it legal, the report names it.",
)
CHANCE_AWAITED = Code(
    "L462",
    "chance-awaited",
    "A chance event was awaited, but the log continues with a move.",
    "Record the outcome of the chance event before this line.",
)
MOVE_AWAITED = Code(
    "L463",
    "move-awaited",
    "A player's move was awaited, but the log continues with a chance event.",
    "Record the player's move, or remove the chance event.",
)
WRONG_PLAYER = Code(
    "L464",
    "wrong-player",
    "It is not this player's turn to decide.",
    "Correct the seat; if one more event before this line would make it legal, the report names it.",
)
WRONG_OUTCOME = Code(
    "L465",
    "wrong-outcome",
    "The chance event cannot have this outcome, such as a piece that is not in the bag.",
    "Check whether the same piece was recorded twice: a note shows the other line.",
)
AFTER_THE_END = Code(
    "L466",
    "after-the-end",
    "The game was over before this event.",
    "Remove the event, or check whether an earlier event was recorded wrongly.",
)
RULES_AT_FAULT = Code(
    "L468",
    "rules-at-fault",
    "The specification of the game has an error that shows at this event.",
    "Mend the clause that the finding names, then validate the log again.",
    explanation="The log may be right.",
)
AMBIGUOUS_DECLINE = Code(
    "L469",
    "ambiguous-decline",
    "The event is legal only after a decline, and several declines are possible.",
    'Record each decline on a line of its own: {"player": 1, "action": "decline"}.',
)
CHANCE_ELSEWHERE = Code(
    "L470",
    "other-chance-awaited",
    "Another chance event was awaited.",
    "Record the outcome of the awaited chance event before this line.",
)
WRONG_RESULT = Code(
    "L472",
    "wrong-result",
    "The log ends with a result that the rules do not give, such as a resignation, but this result is"
    " impossible: the game was over by its rules, or the player who resigned is among the winners.",
    "Remove the result, or correct it.",
)
AFTER_THE_RESULT = Code(
    "L473",
    "after-the-result",
    "The players had ended the game before this line.",
    "Remove the line, or write the result after it.",
)
UNDEALT = Code(
    "L474",
    "undealt-cards",
    "A deal lists more cards than its clause deals to this player before another event must follow.",
    "List only the cards of this deal, and write the later events after it.",
)
OTHER_STATE = Code(
    "L476",
    "other-state",
    "A position that the log records is not the state of the play at this line.",
    "Look for the first line after which the two differ; `ludex show --at N` shows the play.",
)
MISSING_LINES = Code(
    "L475",
    "missing-lines",
    "Events are missing before this line: it is legal only after them.",
    "Write the lines that the report shows, as far as they are known; or mark the place with a gap.",
    explanation="`ludex validate --fill` lists them all.",
)
TOO_MUCH_UNKNOWN = Code(
    "L471",
    "too-much-unknown",
    "So much is unknown at this line, or is missing before it, that there are too many games to follow.",
    "Record more information: for example, claim the contents of a hand when it is shown.",
    Severity.WARNING,
    explanation="The lines before it are possible; for this line and those after it only the structure is judged. The "
    "verdict is `unjudged`, and the exit code 1: the log is neither legal nor illegal.",
)

# ---- claims: are the recorder's claims true --------------------------------------------------------------

WRONG_SCORES = Code(
    "L480",
    "wrong-scores",
    "The claimed scores differ from those that the rules give.",
    "Correct the claim, or look for an event that was recorded wrongly. The replay continues.",
)
WRONG_WINNERS = Code(
    "L481",
    "wrong-winners",
    "The claimed winners differ from those that the rules give.",
    "Correct the claim, or look for an event that was recorded wrongly. The replay continues.",
)
WRONG_END = Code(
    "L482",
    "wrong-end",
    "The log claims that the game is over when it is not, or that it goes on when it is over.",
    "Correct the claim, or record the rest of the game. The replay continues.",
)
WRONG_STATE = Code(
    "L483",
    "wrong-state",
    "The claimed contents of a state or zone differ from its contents in the play.",
    "Correct the claim, or look for an event that was recorded wrongly. The replay continues.",
)
CLAIM_UNKNOWABLE = Code(
    "L484",
    "claim-unknowable",
    "The claim names pieces that nobody has seen, so the log can neither confirm nor contradict it.",
    "Claim the `size` of the zone instead of its pieces.",
)

# ---- positions: where a play begins in the middle of a game --------------------------------------------------------

POSITION_MEMBER = Code(
    "L520",
    "position-unknown-member",
    "The position names something that the game does not have there: a state, a zone, a place in one, or a name at its"
    " place in the flow.",
    "Write the name as the message suggests, or remove it.",
)
POSITION_VALUE = Code(
    "L521",
    "position-wrong-value",
    "The position has a value that is impossible in its state or zone.",
    "Write a value that the message asks for.",
)
POSITION_ROWS = Code(
    "L522",
    "position-wrong-rows",
    "The rows of signs do not fit the board: there are too many or too few rows, or a sign is not one of its pieces.",
    "Write the board as `ludex show` draws it: a text for each row, a space between two signs, `.` for nothing.",
)
POSITION_CREATED = Code(
    "L523",
    "position-piece-created",
    "The position has more pieces of a kind than the game.",
    "Remove the repeated pieces; write a piece that nobody has seen in a pool of `unseen`.",
)
POSITION_LOST = Code(
    "L524",
    "position-piece-lost",
    "The position lacks pieces of a kind that never leaves the game.",
    "Put them in their places; write a piece that nobody has seen in a pool of `unseen`.",
)
POSITION_POOLS = Code(
    "L525",
    "position-wrong-pools",
    "The unseen pieces do not match the pools: each `?` in a hidden zone is one piece of a pool in `unseen`, and a pool"
    " has exactly one piece for each of its `?`.",
    "Write one `?` for each piece of the pool, `?2` for those of the second pool.",
)
POSITION_PLACE = Code(
    "L526",
    "position-wrong-place",
    "The position's place in the flow does not exist, or lacks something that is needed to continue from there.",
    "Write one of the places in the message. `ludex show --format position` writes the place of any event of a log.",
)
POSITION_PASSED = Code(
    "L527",
    "position-passed-over",
    "No event is awaited at the position's place in the flow: the rules continue from there without one.",
    "Write the place at which the next event is awaited, or leave out `flow` to begin with the first turn.",
)

POSITION_IMPOSSIBLE = Code(
    "L519",
    "position-breaks-invariant",
    "The position breaks an invariant of the game: a condition that holds in every state that a play can reach.",
    "Correct the contents that the message names; if the position is right, the spec's author has to correct the"
    " invariant.",
)
NO_POSITION = Code(
    "L528",
    "not-a-position",
    "The header's `from` names a file without a position, or one that also contains events.",
    "Name a position file: a header with the position in `from`, and no events. `ludex show --format position` writes"
    " one.",
)
OTHER_POSITION = Code(
    "L529",
    "position-of-another-game",
    "The position file is of another game, edition or number of players, or has other options or readings.",
    "Name a position of the same game at the same table, or give the log the same settings as the position.",
)

# ---- logs under changed rules -------------------------------------------------------------------------------------

CHANGE_REFUSES = Code(
    "L530",
    "change-refuses",
    "The log is legal by the old rules but not by the changed ones, so it cannot be migrated.",
    "Keep the log with the old rules; if the change should not affect it, write the change in another way.",
)
CHANGE_DIFFERS = Code(
    "L531",
    "change-differs",
    "Every event of the log is legal by the changed rules, but the play differs from that by the old rules: in a"
    " state, in the points, or in the awaited event.",
    "Keep the log with the old rules; if the change should not affect it, write the change in another way.",
)
NOT_OF_OLD_RULES = Code(
    "L532",
    "not-of-the-old-rules",
    "The log was not recorded by the given old rules: it has another fingerprint, or it is not legal by them.",
    "Give the rules by which it was recorded with `--from-spec`, or leave this option out.",
)
CHANGE_UNKNOWN = Code(
    "L533",
    "change-unknown",
    "The log is legal by the changed rules.",
    "Give the rules by which it was recorded with `--from-spec`; claim the old values in the log.",
    Severity.WARNING,
    explanation="Without the old rules, or if the log leaves things unknown, it is unknown whether everything that it "
    "does not claim is unchanged.",
)

# ---- the whole log --------------------------------------------------------------------------------------------------

LOG_UNFINISHED = Code(
    "L490",
    "log-unfinished",
    "The log ends before the game does.",
    "Record the rest of the game, or leave it as a record of a game that was broken off.",
    Severity.WARNING,
    explanation="All its events are legal.",
)

FAULT_OF_LUDEX = Code(
    "L491",
    "fault-of-ludex",
    "Ludex itself failed while it judged the log.",
    "Please report it with the log and the places in the code that the report names. Other logs are judged as usual.",
    explanation="Nothing is known about the log: its verdict is `fault`, and the exit code 4.",
)

UNREADABLE_CODES = (
    *PACKED_CODES,
    EMPTY_LOG,
    BROKEN_JSON,
    TRUNCATED_LINE,
    REPEATED_MEMBER,
    BAD_NUMBER,
    LOG_TOO_DEEP,
    NOT_AN_OBJECT,
    HALF_CHARACTER,
    YAML_LOG_SHAPE,
    NO_HEADER,
    FORMAT_VERSION,
    NOT_NOTATION,
    HEADER_LINE,
)
"""Codes that make a log unreadable, in part or as a whole."""

UNFIT_CODES = (UNKNOWN_ACTION, UNKNOWN_FIELD, MISSING_FIELD, WRONG_VALUE, UNKNOWN_CHANCE)
"""The game does not know the line with these options: the header may lack options."""

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
"""Codes of events that the rules refuse: the log names a state in which they are illegal."""

LOG_CODES = tuple(sorted({*codes_in(globals()), *NOTATION_CODES}, key=lambda code: code.code))
