# עברית: docs/languages.md says how an entry is written.

## Lists, and texts put together

list-and = { $first } ו־{ $last }
list-or = { $first } או { $last }
list-nothing = כלום
both = { $first }; { $second }
with-remark = { $text } ({ $remark })
and-more = { $items } ועוד { $count }
did-you-mean = אולי `{ $word }`?
it-has = יש { $names }

## What a value should be

expected = נדרש: { $expected }; נמצא: { $found }
expected-boolean = true או false
expected-range = מספר שלם מ־{ $low } עד { $high }
expected-number = המספר { $number }
expected-nothing = שום ערך
expected-seat = מספר מושב מ־1 עד { $count }
expected-id = המזהה של { $name }
expected-one-of = אחד מאלה: { $words }
words-in-all = ... (סך הכול { $count } מילים)
expected-record = { $name } לפי שדות: { $fields }
expected-or-null = { $expected }, או null אם אין
expected-set = רשימה ללא חזרות, כל פריט: { $item }
expected-list = רשימה, כל פריט: { $item }
word-with = { $word } עם השדות { $fields }
word-with-sample = { $word } עם הנתונים, לדוגמה { $sample }
word-alone = רק { $word } (ללא נתונים)
field-of-type = { $name } ({ $type })
fields-by-name = השדות של { $owner } לפי שם: { $names }
only-fields = רק השדות { $names }
a-field = השדה { $name }
field-needed = השדה "{ $name }" ({ $type })
field-lacking = אין "{ $name }" ב־{ $owner }
values-that-make = ערכים של { $fields } שיוצרים { $name }
items-once = כל פריט פעם אחת בלבד
found-twice = { $item } בפעם השנייה

## What was found instead

found-number = המספר { $number }
found-large = מספר גדול מאוד
found-word = המילה { $word }
found-empty-object = { "{" }{ "}" } ריק
found-fields =
    { $count ->
        [one] השדה
       *[other] השדות
    } { $names }
found-empty-list = רשימה ריקה
found-list = רשימה של { $count }
found-no-json = דבר שאינו קיים ב־JSON

## Members and values of a record

no-such-member = { $owner }: אין שדה { $name }
member-missing = { $owner }: חסר השדה { $name }
it-holds = הוא מכיל: { $what }
more-alike =
    { $message }; אותה שגיאה כאן בעוד { $count ->
        [one] מקום אחד
       *[other] { $count-grouped } מקומות
    }
misplaced-unknown = `{ $word }` אינו יכול להיות חלק מערך או טענה
misplaced-unknown-hint = כך אפשר לכתוב פעולה, ארגומנט שלם או תוצאה שלמה, או פריטים של רשימה
