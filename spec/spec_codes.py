"""Catalogue of the diagnostics for specs that parse. `docs/errors.md` has a section for each.

A fault that cannot change any play is a warning. A fault that can, or that makes the spec ambiguous, is an error, and
`load` refuses the spec.
"""

from __future__ import annotations

from ludex.grammar import Code, Severity, codes_in

UNKNOWN_NAME = Code(
    "N101", "unknown-name",
    "A name is used that is not declared, or not visible there.",
    "Write the name as it is declared, or declare it. The nearest known name is suggested.",
)  # fmt: skip
DUPLICATE_NAME = Code(
    "N102", "duplicate-name",
    "Two declarations in one namespace have the same name, so a reference to it is ambiguous.",
    "Rename one of them. Labels need to be unique only within their parent.",
)  # fmt: skip
OUT_OF_SCOPE = Code(
    "N103", "name-not-visible-here",
    "The name is out of scope here: a clause sees the declarations of the game and its action's own names, "
    "never a name that another clause introduced; `me` exists only where somebody acts.",
    "Compute the value again in this clause, or make it a local `state` of the action; for `me`, say which player is "
    "meant.",
)  # fmt: skip
AMBIGUOUS_WORD = Code(
    "N104", "ambiguous-word",
    "A word belongs to several types, and its context does not decide between them.",
    "Put the type before it: `Sex.man`.",
)  # fmt: skip
UNKNOWN_TERM = Code(
    "N105", "term-names-nothing",
    "A line of `terms` names a thing that the game does not declare.",
    "Write the path of a declaration (`drop`), a part of one (`Card.jack`, `drop.column`), a clause "
    "(`turn.first.earn`).",
    Severity.WARNING,
)  # fmt: skip
WORD_TWICE = Code(
    "N106", "two-words-for-one-thing",
    "One file gives one thing two words in the same language, so its name is ambiguous.",
    "Keep one of them.",
    Severity.WARNING,
)  # fmt: skip
BAD_WORD = Code(
    "N107", "no-word",
    "A word of `terms` has no letters, or the tag before it is not a language tag.",
    "Write a tag such as `en`, `ru` or `pt_br`, then the word. Leave out a language that has no word yet.",
    Severity.WARNING,
)  # fmt: skip
SILENT_IN_GAME = Code(
    "N108", "silent-in-game",
    "A game contains a declaration `silent PATH`.",
    "Below the clause, name the text that is silent: `silent en [en 12]`.",
    Severity.WARNING,
    explanation="It belongs in a transcription, which has one text: a game has several, and the declaration does not "
    "name the silent one.",
)  # fmt: skip
UNKNOWN_TEXT = Code(
    "V101", "unknown-text",
    "A line of the apparatus names a text that the game does not have.",
    "Use a siglum of the header's `document:` entry, or name the text's document there.",
)  # fmt: skip
TOLD_TWICE = Code(
    "V102", "two-things-of-one-text",
    "The apparatus has two entries for one text at one clause.",
    "Keep the entry that its lines support.",
    explanation="A text attests the clause, has a variant, or is silent.",
)  # fmt: skip
NO_LINES = Code(
    "V103", "no-lines-of-the-text",
    "An entry of the apparatus (a variant, a silence, a ruling or an order) cites no line of the text that it names.",
    "Cite its lines; for a silence, the lines near which the clause would be written.",
)  # fmt: skip
SAME_WORDS = Code(
    "V104", "variant-of-the-same-words",
    "A variant repeats the words of the clause itself or of another variant.",
    "Cite the text's lines there; a variant is for different words.",
)  # fmt: skip
BAD_ORDER = Code(
    "V105", "bad-order",
    "An `order` names a clause that the block does not have, or names one twice.",
    "Name clauses of the block by their labels, each once.",
)  # fmt: skip
NO_GAME_ALONE = Code(
    "V106", "no-game-alone",
    "With `--silence literal` a text has only what it states itself.",
    "Play it with `--silence borrow`, which takes what it leaves out from the other texts. If the text does say it, "
    "cite its lines at the clauses that the message names.",
    explanation="This one uses declarations that only other texts state, or has no `play`, so it is not a complete "
    "game alone.",
)  # fmt: skip
WRONG_TYPE = Code(
    "T201", "wrong-type",
    "A value has another type than the required one.",
    "Compare the two types in the message, and write a value of the second.",
)  # fmt: skip
OUT_OF_RANGE = Code(
    "T202", "out-of-range",
    "The value can never be in the required range.",
    "Change the value, or widen the declared range.",
)  # fmt: skip
MAY_BE_EMPTY = Code(
    "T203", "may-be-empty",
    "A value that may be `none` is used where a value is required.",
    "Guard it to the left or above: `x is not empty and ...`, `where x is not empty`, or an earlier `require`.",
)  # fmt: skip
WRONG_ARGUMENTS = Code(
    "T204", "wrong-arguments",
    "The arguments do not agree with the parameters.",
    "Give exactly the arguments named in the message, in their order or by name.",
)  # fmt: skip
NEEDS_ELSE = Code(
    "T205", "needs-else",
    "`max` or `min` of a possibly empty collection needs an `else`.",
    "Give the value for an empty collection: `max(... for ... else 0)`.",
)  # fmt: skip
INCOMPLETE_MATCH = Code(
    "T206", "incomplete-match",
    "A `match` leaves out values that its subject can have.",
    "Add the arms named in the message, or an `otherwise`.",
)  # fmt: skip
DEAD_ARM = Code(
    "T207", "arm-never-matches",
    "This arm of a `match` is unreachable: the subject cannot have its value, or an earlier arm takes it.",
    "Remove the arm or correct its pattern.",
)  # fmt: skip
DOMAIN_TOO_LARGE = Code(
    "T208", "domain-too-large",
    "A type has more values than can be listed before play.",
    "Narrow the ranges, or split the record.",
)  # fmt: skip
ENDLESS_DEFINE = Code(
    "T209", "define-reaches-itself",
    "A define is recursive, and has no value for the recursive call.",
    "Declare its type and `cycle VALUE`, or break the cycle.",
)  # fmt: skip
HIDDEN_CONTENT = Code(
    "T210", "hidden-content-read",
    "A rule reads the contents of a hidden zone, which no player can know.",
    "Read only its size or whether it is empty, or draw the pieces to a zone that somebody sees.",
)  # fmt: skip
NOT_CONSTANT = Code(
    "T211", "not-known-before-play",
    "A size, a fact or an option's default must be a constant; this value changes during play.",
    "Use numbers, facts, options and `player_count` only, or make the fact a `define`.",
)  # fmt: skip
NO_SUCH_FIELD = Code(
    "T212", "no-such-field",
    "The value has no field of that name.",
    "Use one of the fields named in the message.",
)  # fmt: skip
WRONG_PLACE = Code(
    "T213", "wrong-kind-of-place",
    "A statement cannot be applied to this place: zones hold pieces, states hold values.",
    "Use `:=` for states and `move`, `draw`, `put`, `fill`, `swap` for zones.",
)  # fmt: skip
NOT_A_COLLECTION = Code(
    "T214", "not-a-collection",
    "A collection to iterate over is needed here: a set, bag, list, zone or type.",
    "Name a collection, a range such as `1..6`, or a type.",
)  # fmt: skip
MIXED_CHANCE = Code(
    "T215", "two-kinds-of-chance",
    "One clause raises chance events with outcomes of different types, so a log could not distinguish them.",
    "Give each its own label.",
)  # fmt: skip
DECIDED_TEST = Code(
    "T216", "comparison-decided",
    "A comparison with a constant number, or with `none`, always has the same result: the range of the other side "
    "decides it.",
    "Correct the number or the declared range, or remove the comparison.",
    Severity.WARNING,
)  # fmt: skip
SHUFFLED_IN_SIGHT = Code(
    "T217", "shuffled-in-sight",
    "A visible pile is shuffled, although players who see it would know the new order.",
    "Declare the pile `hidden`, or shuffle the cards before they are moved to the visible pile.",
)  # fmt: skip
UNUSED = Code(
    "E301", "unused-declaration",
    "This declaration is never used.",
    "Use it, remove it, or, if it is a fact of the rulebook that does not affect play, make it a `note`.",
    Severity.WARNING,
)  # fmt: skip
NEVER_OFFERED = Code(
    "E302", "action-never-offered",
    "This action can never be taken: no `choose`, call or open window reaches it, or a requirement can never hold.",
    "Offer it in the flow, declare it `during` a window that is opened, or correct the requirement.",
    Severity.WARNING,
)  # fmt: skip
CANNOT_END = Code(
    "E303", "flow-cannot-end",
    "The game never ends: a `repeat` has no `until` that can become true, and no statement in it ends the game.",
    "Add `until CONDITION`, or `end game` where the rulebook ends it.",
)  # fmt: skip
UNREACHABLE = Code(
    "E304", "unreachable",
    "This statement is never reached.",
    "Move it before the statement that ends the flow, or remove it.",
    Severity.WARNING,
)  # fmt: skip
LATE_REQUIREMENT = Code(
    "E305", "requirement-too-late",
    "This requirement comes after a decision or a chance event, when its move can no longer "
    "be refused.",
    "Put it before the first decision or chance event of the action, or write it as a condition.",
)  # fmt: skip
IDLE_REPEAT = Code(
    "E306", "repeat-without-event",
    "A `repeat` without an `until` may loop without any decision or chance event, so it would never stop.",
    "Put a decision in it, or add an `until`.",
)  # fmt: skip
NO_PLAY = Code(
    "E307", "no-play",
    "The game has no `play`, so nothing happens.",
    "Add `play` with a block of steps.",
)  # fmt: skip
EVENT_IN_SIMULTANEOUS = Code(
    "E308", "event-in-simultaneous-step",
    "After the simultaneous choices, the rest of an `all players` block must run without further decisions "
    "or chance events.",
    "Move steps with decisions or chance events after the block.",
)  # fmt: skip
UNUSED_FORK = Code(
    "E309", "fork-without-effect",
    "No clause uses this fork, or it has only one reading, so its readings make no difference.",
    "Test it where the readings differ: `if FORK = READING`, or an `except ... when FORK = READING`.",
    Severity.WARNING,
)  # fmt: skip
NO_CHOICE_HERE = Code(
    "E310", "nobody-to-decide",
    "A decision or action here has no acting player.",
    "Put it under `each player in ...` or `as PLAYER`.",
)  # fmt: skip
ENDLESS_ACTION = Code(
    "E311", "action-performs-itself",
    "An action calls itself unconditionally, perhaps through others, so it would never "
    "end.",
    "Put the call under a condition, or repeat the steps with `repeat ... until`.",
)  # fmt: skip
BAD_EXAMPLE = Code(
    "E312", "example-out-of-order",
    "An example names its players, then may give a position, then plays moves and checks results.",
    "Put the lines into that order; write moves and chance events as `after` lines.",
    explanation="A position contains neither decisions nor chance events.",
)  # fmt: skip
NEVER_CHANGED = Code(
    "E313", "state-never-changed",
    "Rules read this state, and no rule changes its first value, so code that depends on another value is dead.",
    "Add the step that sets it (perhaps it was deleted), or make it a `fact`, `define` or `let`.",
    Severity.WARNING,
    explanation="The check evaluates stored values as far as they are known before play, so it also finds `n += 0` "
    "and two states that are only assigned to each other.",
)  # fmt: skip
NEVER_READ = Code(
    "E314", "state-never-read",
    "Dead store: rules store values in this state, and no rule, score or example reads them.",
    "Add the rule that reads it (perhaps it was deleted), or remove the state and the steps that set it.",
    Severity.WARNING,
)  # fmt: skip
NEVER_FILLED = Code(
    "E315", "zone-never-filled",
    "Rules read this zone or take pieces from it, and no rule puts a piece into it.",
    "Fill it in `setup`, or add the step that moves pieces to it.",
    Severity.WARNING,
)  # fmt: skip
NO_CAPACITY = Code(
    "E316", "no-capacity",
    "A list, bag or set grows from its own value, or pieces are added to a zone repeatedly, so its size has no upper "
    "bound.",
    "Declare its capacity: `state seen: list of Card up to 20 = ...`, "
    "`zone dice: bag of Die up to 4, open`.",
    explanation="Everything that a game stores must be bounded before play.",
)  # fmt: skip
CAPTURED_OPERAND = Code(
    "E317", "captured-operand",
    "A quantifier reaches to the end of its expression, so it includes a condition that does not use its variables.",
    "Put brackets around the quantifier, or write the condition in front of it.",
    Severity.WARNING,
    explanation="With brackets around the quantifier, the expression would have another meaning.",
)  # fmt: skip
NO_AUTHORITY = Code(
    "A101", "no-authority",
    "A clause has no authority: it cites no line, and is not marked as a ruling or a convention.",
    "Cite the text (`[ru 12]`), or add `ruling \"why\"` (the text is silent) or `convention \"why\"` (there is "
    "no text). A whole file can rest on `convention:` in its header.",
    Severity.WARNING,
)  # fmt: skip
BAD_HEADER = Code(
    "H101", "bad-header",
    "The header of the file lacks an entry, or has an unknown or malformed one.",
    "Write the entry as the message says. A game has `title`, `players`, `document` and `convention`; a text has "
    "`title`, `lines`, `lacuna` and `summary`.",
)  # fmt: skip
TRANSCRIPTION_BESIDE = Code(
    "H104", "transcription-beside-game",
    "A transcription of one text is in the folder of a game.",
    "Collate it (`ludex collate GAME FILE`), then keep it in the folder `transcriptions`.",
    Severity.WARNING,
    explanation="It has no effect on the game before it is collated.",
)  # fmt: skip
MISSING_DATA = Code(
    "C101", "missing-component-data",
    "A component's table is declared but its data is missing.",
    "Name the file (`component Card from \"components.yaml\"`) and give the table a row for every piece.",
)  # fmt: skip
BAD_SETTING = Code(
    "U101", "bad-setting",
    "The game does not have the requested number of players, edition, option or fork reading.",
    "Choose one of those named in the message (`ludex games` lists them).",
)  # fmt: skip
UNKNOWN_GAME = Code(
    "U102", "unknown-game",
    "No shipped game has this name, and there is no spec at this path.",
    "Use a name that `ludex games` lists, or the path of a game's folder or file.",
)  # fmt: skip

OVER_BUDGET = Code(
    "B101", "over-budget",
    "A spec needs more work or memory than its budget, so checking or play stopped.",
    "Let the clause iterate over fewer values, or raise the budget with `--budget`.",
    explanation="The report names the clause at which it stopped. Work is counted, not timed, so it is the same "
    "clause on every machine.",
)  # fmt: skip

SPEC_CODES = codes_in(globals())
