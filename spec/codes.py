"""The catalogue of what can be wrong with a spec once it parses. Each entry has a page in `docs/errors.md`.

A warning is about what every play would be the same without. Whatever can change a play, or leaves open what is meant,
is an error, and `load` refuses it.
"""

from __future__ import annotations

from ludex.grammar import Code, Severity

UNKNOWN_NAME = Code(
    "N101", "unknown-name",
    "A word stands where a name is used, and nothing of that name is declared that could be seen from there.",
    "Write the name as it is declared, or declare it. The nearest known name is suggested.",
)  # fmt: skip
DUPLICATE_NAME = Code(
    "N102", "duplicate-name",
    "Two things that are looked up alike have one name, so that a reader could not tell which is meant.",
    "Rename one of them. Labels need to be unique only within their parent.",
)  # fmt: skip
OUT_OF_SCOPE = Code(
    "N103", "name-not-visible-here",
    "The name exists, but not at this place: a clause sees the shared nouns and its action's own names, "
    "never a name that another clause introduced; `me` exists only where somebody acts.",
    "Compute the value again in this clause, or make it a local `state` of the action; for `me`, say which player is "
    "meant.",
)  # fmt: skip
AMBIGUOUS_WORD = Code(
    "N104", "ambiguous-word",
    "A word belongs to several types and the place does not tell which is meant.",
    "Put the type before it: `Sex.man`.",
)  # fmt: skip
UNKNOWN_TERM = Code(
    "N105", "term-names-nothing",
    "A line of `terms` gives words to something that no file of the game declares.",
    "Write the path of what is meant: a declaration (`drop`), a part of one (`Card.jack`, `drop.column`), a clause "
    "(`turn.first.earn`).",
    Severity.WARNING,
)  # fmt: skip
WORD_TWICE = Code(
    "N106", "two-words-for-one-thing",
    "One file calls one thing by two words in one language, so that a reader could not tell which is its name.",
    "Keep one of them.",
    Severity.WARNING,
)  # fmt: skip
BAD_WORD = Code(
    "N107", "no-word",
    "A word of `terms` has no letters, or the tag before it is none that languages have.",
    "Write a tag such as `en`, `ru` or `pt_br` and the word; leave the language out where there is no word yet.",
    Severity.WARNING,
)  # fmt: skip
SILENT_IN_GAME = Code(
    "N108", "silent-in-game",
    "A declaration `silent PATH` stands in a game. It belongs into a transcription, which is of one text: a game has "
    "several, and nothing here says which of them is silent.",
    "Below the clause, name the text that is silent: `silent en [en 12]`.",
    Severity.WARNING,
)  # fmt: skip
UNKNOWN_TEXT = Code(
    "V101", "unknown-text",
    "A line of the apparatus names a text that the game does not have.",
    "Use a siglum of the header's `document:` entry, or name the text's document there.",
)  # fmt: skip
TOLD_TWICE = Code(
    "V102", "two-things-of-one-text",
    "Two things are said of one text at one clause: that it states it, that it has a variant, or that it is silent.",
    "Keep what its lines bear out.",
)  # fmt: skip
NO_LINES = Code(
    "V103", "no-lines-of-the-text",
    "A variant, a mark of silence, a ruling or an order is said to be that of a text, and none of its lines is cited.",
    "Cite its lines; for a silence those near which the clause would stand.",
)  # fmt: skip
SAME_WORDS = Code(
    "V104", "variant-of-the-same-words",
    "A variant says what the clause itself, or another variant of it, says already.",
    "Cite the text's lines there; a variant is for what a text says otherwise.",
)  # fmt: skip
BAD_ORDER = Code(
    "V105", "bad-order",
    "An `order` names a clause that the block does not have, or names one twice.",
    "Name clauses of the block by their labels, each once.",
)  # fmt: skip
NO_GAME_ALONE = Code(
    "V106", "no-game-alone",
    "Played to the letter (`--silence literal`), a text has only what it states itself. This one asks for what only "
    "other texts state, or has no course of play: it makes no complete game alone.",
    "Play it with `--silence borrow`, which takes what it leaves out from the other texts. If the text does say it, "
    "cite its lines at the clauses that the message names.",
)  # fmt: skip
WRONG_TYPE = Code(
    "T201", "wrong-type",
    "A value of one kind stands where another kind is needed.",
    "Compare the two kinds named in the message, and give a value of the second.",
)  # fmt: skip
OUT_OF_RANGE = Code(
    "T202", "out-of-range",
    "The value can never lie in the range that is needed here.",
    "Change the value, or widen the declared range.",
)  # fmt: skip
MAY_BE_EMPTY = Code(
    "T203", "may-be-empty",
    "A value that may be `none` stands where there must be one.",
    "Guard it to the left or above: `x is not empty and ...`, `where x is not empty`, or an earlier `require`.",
)  # fmt: skip
WRONG_ARGUMENTS = Code(
    "T204", "wrong-arguments",
    "What stands in the brackets does not agree with what the name asks for.",
    "Give exactly the arguments named in the message, in their order or by name.",
)  # fmt: skip
NEEDS_ELSE = Code(
    "T205", "needs-else",
    "The largest or smallest of what may be nothing has no value.",
    "Say what it is worth then: `max(... for ... else 0)`.",
)  # fmt: skip
INCOMPLETE_MATCH = Code(
    "T206", "incomplete-match",
    "A `match` leaves out values that its subject can have.",
    "Add the arms named in the message, or an `otherwise`.",
)  # fmt: skip
DEAD_ARM = Code(
    "T207", "arm-never-matches",
    "This arm of a `match` can never be taken: its value is no value of the subject, or an earlier arm has it.",
    "Remove the arm or correct its pattern.",
)  # fmt: skip
DOMAIN_TOO_LARGE = Code(
    "T208", "domain-too-large",
    "A type has more values than can be listed before play.",
    "Narrow the ranges, or split the record.",
)  # fmt: skip
ENDLESS_DEFINE = Code(
    "T209", "define-reaches-itself",
    "A define needs its own value to compute its value, and nothing says what it is worth when it is met again.",
    "Give its type and `cycle VALUE` in its head, or break the loop.",
)  # fmt: skip
HIDDEN_CONTENT = Code(
    "T210", "hidden-content-read",
    "A rule reads what lies in a hidden zone. Nobody at the table could know it.",
    "Ask only for its size or whether it is empty, or draw the pieces to where somebody sees them.",
)  # fmt: skip
NOT_CONSTANT = Code(
    "T211", "not-known-before-play",
    "A size, a fact or an option's default must be known before play; this depends on the course of play.",
    "Use numbers, facts, options and `player_count` only, or make the fact a `define`.",
)  # fmt: skip
NO_SUCH_FIELD = Code(
    "T212", "no-such-field",
    "The value has no part of that name.",
    "Use one of the parts named in the message.",
)  # fmt: skip
WRONG_PLACE = Code(
    "T213", "wrong-kind-of-place",
    "A statement was given a place that it cannot work on: zones hold pieces, states hold values.",
    "Use `:=` for states and `move`, `draw`, `put`, `fill`, `swap` for zones.",
)  # fmt: skip
NOT_A_COLLECTION = Code(
    "T214", "not-a-collection",
    "A set, bag, list, zone or type is needed here to go through.",
    "Name a collection, a range such as `1..6`, or a type.",
)  # fmt: skip
MIXED_CHANCE = Code(
    "T215", "two-kinds-of-chance",
    "One clause raises chance events with outcomes of different kinds, so that a log could not name them apart.",
    "Give each its own label.",
)  # fmt: skip
DECIDED = Code(
    "T216", "comparison-decided",
    "A comparison with a written number, or with `none`, comes out the same whatever is played: the value on the other "
    "side can never lie there.",
    "Correct the number or the declared range; where nothing is compared in truth, leave the comparison out.",
    Severity.WARNING,
)  # fmt: skip
SHUFFLED_IN_SIGHT = Code(
    "T217", "shuffled-in-sight",
    "A pile that somebody sees is shuffled: he would know the order all the same.",
    "Declare the pile `hidden`, or shuffle the cards before they come to where they are seen.",
)  # fmt: skip
UNUSED = Code(
    "E301", "unused-declaration",
    "Nothing reads or uses this declaration.",
    "Use it, remove it, or, if it is a fact of the rulebook that does not touch play, make it a `note`.",
    Severity.WARNING,
)  # fmt: skip
NEVER_OFFERED = Code(
    "E302", "action-never-offered",
    "Nobody can ever take this action: no `choose`, call or open window leads to it, or a requirement can never hold.",
    "Offer it in the flow, declare it `during` a window that is opened, or mend the requirement.",
    Severity.WARNING,
)  # fmt: skip
CANNOT_END = Code(
    "E303", "flow-cannot-end",
    "The game would go on for ever: a `repeat` has no `until` that can come true and nothing in it ends the game.",
    "Add `until CONDITION`, or `end game` where the rulebook ends it.",
)  # fmt: skip
UNREACHABLE = Code(
    "E304", "unreachable",
    "The flow never comes to this statement.",
    "Move it before what ends the flow, or remove it.",
    Severity.WARNING,
)  # fmt: skip
LATE_REQUIREMENT = Code(
    "E305", "requirement-too-late",
    "This requirement is reached only after a decision or a chance event, when the move it belongs to cannot "
    "be refused any more.",
    "Put it before the first decision or draw of the action, or write it as a condition.",
)  # fmt: skip
IDLE_REPEAT = Code(
    "E306", "repeat-without-event",
    "A `repeat` may go round without any decision or chance event and without an `until`, so that it would never stop.",
    "Put a decision in it, or say `until` when it stops.",
)  # fmt: skip
NO_PLAY = Code(
    "E307", "no-play",
    "The game has no `play`, so nothing ever happens.",
    "Add `play` with the course of the game.",
)  # fmt: skip
EVENT_IN_SIMULTANEOUS = Code(
    "E308", "event-in-simultaneous-step",
    "After players have chosen unseen, the rest of an `all players` block must run without further decisions "
    "or chance.",
    "Move what needs a decision behind the block.",
)  # fmt: skip
UNUSED_FORK = Code(
    "E309", "fork-without-effect",
    "No clause asks for this fork, or it has one reading only, so that its readings make no difference.",
    "Ask for it where the readings differ: `if FORK = READING`, or an `except ... when FORK = READING`.",
    Severity.WARNING,
)  # fmt: skip
NO_CHOICE_HERE = Code(
    "E310", "nobody-to-decide",
    "Somebody must decide or act here, and the place does not say who.",
    "Put it under `each player in ...` or `as PLAYER`.",
)  # fmt: skip
ENDLESS_ACTION = Code(
    "E311", "action-performs-itself",
    "An action performs itself whatever happens in it, perhaps by way of others, so that it would never come to an "
    "end.",
    "Put the call under a condition, or repeat the steps with `repeat ... until`.",
)  # fmt: skip
BAD_EXAMPLE = Code(
    "E312", "example-out-of-order",
    "An example names its players, then may write a position, then plays and checks. A position is written down as it "
    "is: nobody decides in it, and nothing is left to chance.",
    "Put the lines into that order; what is to be played or rolled goes into `after` lines.",
)  # fmt: skip
NEVER_CHANGED = Code(
    "E313", "state-never-changed",
    "Rules read this state, and none gives it another value than the one it begins with: what depends on it is dead. "
    "What is stored is worked out as far as it is known before play: `n += 0`, or two states that are only given each "
    "other.",
    "Add the step that sets it (perhaps it was deleted), or make it a `fact`, `define` or `let`.",
    Severity.WARNING,
)  # fmt: skip
NEVER_READ = Code(
    "E314", "state-never-read",
    "Rules store values in this state, and nothing ever asks for them: no rule, no score, no example.",
    "Add the rule that asks for it (perhaps it was deleted), or remove the state and the steps that set it.",
    Severity.WARNING,
)  # fmt: skip
NEVER_FILLED = Code(
    "E315", "zone-never-filled",
    "Rules ask for pieces of this zone or take them from it, and no piece ever comes to it.",
    "Fill it in `setup`, or add the step that moves pieces to it.",
    Severity.WARNING,
)  # fmt: skip
NO_CAPACITY = Code(
    "E316", "no-capacity",
    "A list, a bag or a set of these grows from itself, or new pieces enter a zone again and again, so that nothing "
    "says how many it may hold in the end. What a game stores is bounded before play.",
    "Write how many it may hold where it is declared: `state seen: list of Card up to 20 = ...`, "
    "`zone dice: bag of Die up to 4, open`.",
)  # fmt: skip
NO_AUTHORITY = Code(
    "A101", "no-authority",
    "A clause rests on nothing: it cites no line, and is not marked as a ruling or a convention.",
    "Cite the text (`[ru 12]`), or add `ruling \"why\"` (the text is silent) or `convention \"why\"` (there is "
    "no text). A whole file can rest on `convention:` in its header.",
    Severity.WARNING,
)  # fmt: skip
BAD_HEADER = Code(
    "H101", "bad-header",
    "The header of the file lacks an entry, or has one that is not understood.",
    "A game has title, players, document, convention; a text has title, lines, lacuna, summary.",
)  # fmt: skip
TRANSCRIPTION_BESIDE = Code(
    "H104", "transcription-beside-game",
    "A transcription of one text stands beside a game. Nothing that it says is in the game before it is collated.",
    "Collate it (`ludex collate GAME FILE`), then keep it in the folder `transcriptions`.",
    Severity.WARNING,
)  # fmt: skip
MISSING_DATA = Code(
    "C101", "missing-component-data",
    "A component's table is declared but its data is missing.",
    "Name the file (`component Card from \"components.yaml\"`) and give the table a row for every piece.",
)  # fmt: skip
BAD_SETTING = Code(
    "U101", "bad-setting",
    "A number of players, edition, option, or fork reading was asked for that the game does not have.",
    "Choose one of those named in the message (`ludex games` lists them).",
)  # fmt: skip
UNKNOWN_GAME = Code(
    "U102", "unknown-game",
    "No shipped game has this name, and no spec stands at this path.",
    "Use a name that `ludex games` lists, or the path of a game's folder or file.",
)  # fmt: skip

OVER_BUDGET = Code(
    "B101", "over-budget",
    "A spec asks for more work or memory than it is allowed, so that it cannot be checked or played on. The clause is "
    "named at which it was stopped; the work is counted, so it is the same clause on every machine.",
    "Let the clause go through fewer values, or allow it more with `--budget`.",
)  # fmt: skip

SPEC_CODES = (
    UNKNOWN_NAME,
    DUPLICATE_NAME,
    OUT_OF_SCOPE,
    AMBIGUOUS_WORD,
    UNKNOWN_TERM,
    WORD_TWICE,
    BAD_WORD,
    SILENT_IN_GAME,
    UNKNOWN_TEXT,
    TOLD_TWICE,
    NO_LINES,
    SAME_WORDS,
    BAD_ORDER,
    NO_GAME_ALONE,
    WRONG_TYPE,
    OUT_OF_RANGE,
    MAY_BE_EMPTY,
    WRONG_ARGUMENTS,
    NEEDS_ELSE,
    INCOMPLETE_MATCH,
    DEAD_ARM,
    DOMAIN_TOO_LARGE,
    ENDLESS_DEFINE,
    HIDDEN_CONTENT,
    NOT_CONSTANT,
    NO_SUCH_FIELD,
    WRONG_PLACE,
    NOT_A_COLLECTION,
    MIXED_CHANCE,
    DECIDED,
    SHUFFLED_IN_SIGHT,
    UNUSED,
    NEVER_OFFERED,
    CANNOT_END,
    UNREACHABLE,
    LATE_REQUIREMENT,
    IDLE_REPEAT,
    NO_PLAY,
    EVENT_IN_SIMULTANEOUS,
    UNUSED_FORK,
    NO_CHOICE_HERE,
    ENDLESS_ACTION,
    BAD_EXAMPLE,
    NEVER_CHANGED,
    NEVER_READ,
    NEVER_FILLED,
    NO_CAPACITY,
    NO_AUTHORITY,
    BAD_HEADER,
    TRANSCRIPTION_BESIDE,
    MISSING_DATA,
    BAD_SETTING,
    UNKNOWN_GAME,
    OVER_BUDGET,
)
