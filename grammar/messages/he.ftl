# עברית: docs/languages.md says how an entry is written.

## Lists, and texts put together

list-and = { $first } ו־{ $last }
list-or = { $first } או { $last }
list-nothing = כלום
both = { $first }; { $second }
with-remark = { $text } ({ $remark })
and-more = { $items } ועוד { $count-grouped }
did-you-mean = אולי `{ $word }`?
it-has = יש { $names }

## What a value should be

expected = נדרש: { $expected }; נמצא: { $found }
expected-boolean = true או false
expected-range = מספר שלם מ־{ $low } עד { $high }
expected-number = המספר { $number }
expected-nothing = ללא ערך
expected-seat = מספר מושב מ־1 עד { $count }
expected-id = מזהה ({ $name })
expected-one-of = אחד מאלה: { $words }
words-in-all = ... (סך הכול { $count-grouped } מילים)
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
found-list =
    { $count ->
        [one] רשימה של פריט אחד
       *[other] רשימה של { $count-grouped } פריטים
    }
found-no-json = דבר שאינו קיים ב־JSON

## Members and values of a record

no-such-member = { $owner }: אין שדה { $name }
member-missing = { $owner }: חסר השדה { $name }
it-holds = הערך שלו: { $what }
more-alike =
    { $message }; אותה שגיאה כאן בעוד { $count ->
        [one] מקום אחד
       *[other] { $count-grouped } מקומות
    }
misplaced-unknown = `{ $word }` אינו יכול להיות חלק מערך ואינו נכתב בטענה
misplaced-unknown-hint = כך אפשר לכתוב פעולה, ארגומנט שלם או תוצאה שלמה, או פריטים של רשימה
write = יש לכתוב { $text }
such-as = לדוגמה { $sample }

## Files

file-is-folder = זו תיקייה
file-is-pipe = זה צינור או התקן, וייתכן שאין לו סוף
file-pipe-hint = פקודה שמקבלת `-` קוראת את הקלט התקני: { $sample }
standard-input = הקלט התקני
file-link-leads-nowhere = הקישור הזה אינו מוביל לשום קובץ
file-missing = אין קובץ כזה
file-is-game = `{ $name }` הוא משחק שבא עם Ludex, וכאן נחוץ קובץ: { $log } פותח רישום שלו, { $play } משחק בו
file-unreadable = אי אפשר לקרוא את הקובץ: { $reason }
file-too-large = בקובץ יותר מ־{ $megabytes } MB
file-other-encoding = הקובץ בקידוד { $encoding }, ולא ב־UTF-8
file-binary = זה אינו טקסט: יש בו בית אפס
save-as-utf8 = יש לשמור את הקובץ ב־UTF-8
save-as-utf8-old = יש לשמור את הקובץ ב־UTF-8; ייתכן שהוא בקידוד ישן, לדוגמה Windows-1255
not-utf8 = הבית { $byte } אינו UTF-8
not-utf8-lines =
    { $message }; כך גם { $count ->
        [one] בעוד שורה אחת
       *[other] בעוד { $count } שורות
    }

## YAML

yaml-too-long = בקובץ { $count-grouped } תווים; נקראים לכל היותר { $most-grouped }
yaml-too-many-values = בקובץ יותר מ־{ $most-grouped } ערכים ושמות שדות; יותר מזה לא נקרא
yaml-character-in-file = התו { $character } אסור בקובץ טקסט
yaml-character-in-text = בטקסט הזה יש התו { $character }
yaml-number-too-large = המספר אחרי `\U` או `%YAML` גדול מדי
yaml-second-document = כאן מתחיל מסמך שני
yaml-tag = לפני הערך הזה יש תג ({ $tag })
yaml-too-deep = הקינון של רשימות ושדות כאן עמוק מ־{ $levels } רמות
yaml-name-is = שם השדה הזה הוא { $what }
yaml-a-list = רשימה
yaml-a-group = קבוצת שדות
yaml-no-text = מספר, true, false או כלום
yaml-quote-name = יש לשים אותו במירכאות
yaml-quote-comma = טקסט שיש בו פסיק צריך מירכאות
yaml-repeated-field = השדה { $name } מופיע פעמיים בקבוצה הזאת
also = גם { $name }
here-already = הוא כבר נמצא כאן
yaml-leading-zero = המספר { $number } מתחיל באפס
yaml-anchor = `{ $sign }` נותן שם לערך, לשימוש בכמה מקומות
yaml-alias = `{ $sign }` חוזר על ערך שניתן לו שם במקום אחר
more-in-file = { $message } (ועוד { $count-grouped } בקובץ הזה)
begins-here = ההתחלה כאן
yaml-quotes = יש לשים את הטקסט במירכאות
yaml-tab = יש כאן טאב; YAML מתיר רווחים בלבד
yaml-value-begins = ערך אינו יכול להתחיל בסימן { $sign }
yaml-neither = זה אינו שדה (`name: value`) ואינו פריט של רשימה (`- value`)
yaml-neither-hint = אחרי שם של שדה באים נקודתיים ורווח
yaml-item-here = פריט של רשימה (`- ...`) אינו יכול להתחיל כאן
yaml-item-hint = יש להתחיל אותו בשורה משלו, או לשים במירכאות טקסט שמתחיל במקף
yaml-colon-here = הנקודתיים כאן פותחים שדה במקום שלא ייתכן בו שדה
yaml-colon-hint = יש לשים במירכאות טקסט שיש בו נקודתיים; או לתקן את ההזחה, או את הנקודתיים בשורה שמעל
yaml-quote-open = המירכאות האלה אינן נסגרות
yaml-quote-open-document = המירכאות האלה אינן נסגרות לפני השורה `---`
yaml-backslash = לקו נטוי הפוך לפני { $sign } אין משמעות בטקסט במירכאות כפולות
yaml-backslash-hint = יש לכתוב שני קווים נטויים הפוכים, או להשתמש במירכאות יחידות
yaml-short-escape = קוד עם קו נטוי הפוך בטקסט הזה קצר מדי
yaml-two-backslashes = יש לכתוב שני קווים נטויים הפוכים
yaml-bracket-open = הסוגר הזה אינו נסגר
yaml-bracket-hint = יש לסגור אותו ב־{ $sign }
yaml-comma = לפני זה חסר פסיק, או { $sign } סוגר
yaml-comma-hint = טקסט שיש בו פסיקים, נקודתיים או סוגריים צריך מירכאות
yaml-stray-sign = הסימן { $sign } אינו סוגר ואינו מפריד כאן דבר
yaml-no-continuation = זה אינו ממשיך את השורות שמעל
yaml-no-continuation-hint = ההזחה צריכה להיות בדיוק כשל השכנים; טקסט שיש בו מירכאות צריך מירכאות סביב כולו
yaml-breaks-off = הקובץ נקטע כאן: חסר ערך
yaml-value-missing = חסר ערך לפני { $sign }
yaml-stranger = זה אינו שייך לשום דבר שמעליו
yaml-stranger-hint = כדאי לבדוק את ההזחה; כל הקובץ הוא קבוצה אחת של שדות
yaml-reference-sign = הסימנים & ו־* פותחים הפניה, ואין אחריהם שם
yaml-tag-sign = הסימן ! פותח תג, ואין אחריו תג
yaml-block = אחרי | או > הטקסט מתחיל בשורה הבאה
yaml-block-hint = יש לשים במירכאות טקסט שמתחיל באחד מהם
yaml-directive = שורה שמתחילה ב־% היא הנחיה של YAML
yaml-unreadable = אי אפשר לקרוא את זה כ־YAML
yaml-question-mark = ערך אינו יכול להתחיל בסימן ?

## Logs as text

log-empty = הרישום ריק
log-too-large = ברישום יותר מ־{ $megabytes } MB; הוא נקרא עד כאן
log-too-many-lines = ברישום יותר מ־{ $lines-grouped } שורות; הוא נקרא עד כאן
log-line-too-long = בשורה הזאת יותר מ־{ $kilobytes } KB; הרישום נקרא עד כאן
log-broken-letter = השורה נקטעת כאן, באמצע תו
log-skipped =
    { $count ->
        [one] אי אפשר לקרוא שורה אחת; השורות שאחריה
       *[other] אי אפשר לקרוא { $count-grouped } שורות; השורות שאחריהן
    }, עד שורה { $last }, לא נקראו
log-no-object = שורה ברישום היא אובייקט בסוגריים מסולסלים; כאן: { $found }
log-blank-line = השורה הזאת ריקה
log-blank-lines = השורה הזאת ריקה (ועוד { $count-grouped })
log-write-json-lines = רישום ארוך יש לכתוב כ־JSON Lines, אירוע בכל שורה
log-shape = הרישום הוא { $found }; נדרשים שדות עם רשימה `events`
log-events-shape = `events` הוא { $found }; נדרשת רשימה
log-packed-damaged = הקובץ הדחוס פגום
log-packed-broken-off = הקובץ הדחוס נקטע לפני סופו
log-packed-too-large = הקובץ הדחוס נפרס ליותר מפי { $times-grouped } מגודלו; הוא נקרא עד כאן
log-packed-too-many = בקובץ הדחוס יש יותר רישומים מ־{ $free-grouped } ועוד אחד לכל בית שלו; הוא נקרא עד כאן
log-packed-package = לקריאת Zstandard נדרשת חבילת Python שאינה מותקנת: { $install }
log-ends-at-header = הכותרת הזאת מסיימת את הרישום ופותחת רישום אחר; אם הרישום נמשך כאן, יש להסיר אותה
log-begins-at-header = הרישום מתחיל בכותרת הזאת; אם הרישום הקודם נמשך כאן, יש להסיר אותה
fault-of-ludex = אי אפשר היה לבדוק את הרישום, בגלל תקלה ב־Ludex עצמו: { $fault } ({ $place })
fault-of-ludex-places = נקרא מתוך { $places }
fault-of-ludex-hint = נא לדווח עליה ולצרף את הרישום; לא ידוע אם הוא חוקי
file-name-empty = שם הקובץ ריק; `.` היא התיקייה הנוכחית
folder-unopened = אי אפשר לפתוח את התיקייה הזאת
folder-without-logs = אין רישומים בתיקייה הזאת
pattern-without-files = אין קובץ שמתאים לתבנית הזאת
json-too-deep = הקינון של אובייקטים ורשימות כאן עמוק מ־{ $levels } רמות
json-repeated-member = באובייקט שני שדות { $name }
json-keep-one = יש להשאיר אחד מהשניים
json-missing = חסר: { $what }
json-missing-before = לפני { $sign } חסר: { $what }
json-colon = נקודתיים אחרי השם { $name }
json-comma-member = פסיק לפני השדה הבא, או `{ $sign }` לסגירת האובייקט
json-comma-item = פסיק לפני הפריט הבא, או `{ $sign }` לסגירת הרשימה
json-comma-closing = יש פסיק לפני `{ $sign }` סוגר
json-remove-comma = יש להסיר את הפסיק
json-half-character = בטקסט הזה יש חצי תו: `\ud...` אחד מזוג בלי האחר
json-many-digits = במספר { $digits } ספרות; מספרים של יותר מ־{ $most } ספרות אינם נתמכים
json-no-number = זה אינו מספר JSON
json-not-a-number = { $text } אינו מספר JSON
json-remove-zero = יש להסיר את האפס שבהתחלה
json-breaks-off = השורה נקטעת כאן: { $message }
json-second-object = בשורה הזאת יש אובייקט שני
json-after-end = אחרי סוף האובייקט בא { $sign }
json-object-open = האובייקט שנפתח בטור { $column } אינו נסגר
json-name-unquoted = השם { $name } ללא מירכאות
json-double-quotes-names = יש לכתוב שמות וטקסטים במירכאות כפולות
json-double-quotes-texts = יש לכתוב טקסטים במירכאות כפולות
json-name-expected = נדרש שם של שדה; נמצא: { $sign }
json-no-value = { $word } אינו ערך JSON
json-text-unquoted = הטקסט { $text } ללא מירכאות
json-value-missing = חסר ערך
json-byte-order-mark = יש כאן סימן סדר בתים, כמו במקום שבו חוברו שני קבצים
json-byte-order-mark-hint = יש להסיר אותו: הוא מותר רק בתחילת קובץ
json-value-expected = נדרש ערך; נמצא: { $sign }
json-text-open = הטקסט שמתחיל בטור { $column } אינו נסגר
json-close-with = יש לסגור אותו ב־`{ $sign }`
json-no-escape = `{ $escape }` אינו רצף מילוט של JSON
json-backslash = קו נטוי הפוך נכתב כך: { $sample }
json-control-character = בטקסט יש תו בקרה { $character }
json-control-hint = יש לכתוב אותו כ־{ $escape }, או להסיר אותו

## The header

the-header = הכותרת
format-version = גרסת הפורמט { $version }
name-of-game = שם המשחק
number-or-names = מספר השחקנים, או רשימת השמות שלהם
a-text = טקסט
a-date = תאריך, לדוגמה { $samples }
tags-by-name = תגים לפי שם
ids-by-name = מזהי השחקנים לפי שם
ids-of-nobody = אין שחקן ששמו { $name }
header-no-version = בכותרת חסר `ludex`, גרסת הפורמט, שהיא { $version }
header-begin-with = יש להתחיל אותה ב־{ $sample }
header-add = יש להוסיף { $sample }
log-no-header = הרישום אינו מתחיל בכותרת
at-least-one-player = לפחות שחקן אחד
a-name = שם
a-name-no-number = שם שאינו מספר, כי מספר הוא מושב
same-name = לשני שחקנים השם { $name }
same-name-hint = יש לתת לכל שחקן שם אחר
options-by-name = האפשרויות לפי שם
readings-by-name = הקריאות לפי שם
name-of-reading = שם של קריאה

## Lines

a-move = מהלך
the-move = המהלך
a-chance-event = אירוע אקראי
the-chance-event = האירוע האקראי
a-result = תוצאת משחק
the-result = תוצאת המשחק
a-result-by = תוצאת משחק `{ $way }`
a-claim = טענה
the-claim = הטענה
a-deal = חלוקה
the-deal = החלוקה
a-position-value = אובייקט עם `state`, `unseen` ו־`flow`
a-gap = פער
a-note = הערה
list-of-cards = רשימת הקלפים
list-of-so-many-cards = רשימת הקלפים, מ־1 עד { $count-grouped }
length-of-gap = true, "{ $word }" או מספר האירועים החסרים, מ־1 עד { $count-grouped }
length-of-gap-written = שום דבר, { $word } או מספר האירועים החסרים, מ־1 עד { $count-grouped }
a-claim-or-note = טענה או הערה
a-claim-about-cell = טענה על מצב או אזור
the-claim-about = הטענה על { $name }
a-time = זמן, לדוגמה { $sample }
both-move-and-chance = השורה היא גם מהלך וגם אירוע אקראי
write-on-own-line = יש לכתוב כל אירוע בשורה משלו
name-of-action = שם הפעולה
name-of-an-action = שם של פעולה
clause-that-raises = הסעיף שגורם לו
second-header-in-file = זו כותרת שנייה, וכאן בקובץ יש רישום אחד בלבד: יש לפצל אותו לפני השורה הזאת
second-header = זו כותרת שנייה
seat-or-name = מספר המושב או השם של השחקן
no-such-action = `{ $game }`: אין פעולה { $name }
no-such-chance = `{ $game }`: אין אירוע אקראי { $name }
in-the-edition = { $message } (מהדורה { $edition })
the-game-has = במשחק יש { $names }
no-chance-events = במשחק אין אירועים אקראיים
arguments-by-name = הארגומנטים של הפעולה לפי שם
how-it-came-out = תוצאת האירוע
path-of-clause = נתיב של סעיף
belongs-in-args = המקום של { $names } הוא ב־`args`
numbers-of-pools = מספרי המאגרים שהרכיב עבר בהם
no-event-has = לשום אירוע אין שדה { $name }
unclear-line = השורה אינה מהלך, אירוע אקראי, טענה או הערה
unclear-line-hint = למהלך יש שדה "action", לאירוע אקראי שדה "chance"

## Claims and results

one-or-more-of = אחד או יותר מאלה: { $names }
expected-scores = הנקודות של כל השחקנים ({ $count }) לפי מושב או לפי שם
expected-winners = רשימת המנצחים, ריקה אם התיקו לא הוכרע
list-of-winners = רשימת המנצחים
winners-once = כל מנצח פעם אחת בלבד
list-of-cell-claims = רשימת טענות על מצבים ואזורים
what-it-holds = התוכן
name-of-cell = שם של מצב או אזור
list-of-indices = רשימה של { $count }: { $indices }
no-index = ללא אינדקס, או רשימה ריקה
size-needs-pile = `size` נכתב רק לערימה או לשק, ו־{ $name } אינו אף אחד מהם
how-many-pieces = כמה רכיבים יש
points-needed = מספר שלם של נקודות
object-with = אובייקט עם { $names }
player-who-ended = השחקן שבגללו נגמר המשחק
loser-wins = השחקן שבגללו נגמר המשחק רשום בין המנצחים
one-of-these = אחד מאלה: { $names }
expected-seat-or-name = מספר מושב מ־1 עד { $count } או שם ({ $names })

## Specifications that fail

fault-none = זה `none`, וכאן נדרש ערך
fault-unseen = הרכיב הזה אינו ידוע: איש לא ראה אותו
fault-zero = כאן מחולק מספר ב־0
fault-too-large = המספר הזה גדול מדי: יש בו יותר מ־{ $digits } ספרות
fault-too-many = יש כאן { $count }, ונכנסים לכל היותר { $most }
fault-outside = הערך הזה הוא { $value }, וכאן מתאים רק { $type }
fault-nothing = כלום
fault-no-arm = אף ענף של ה־`match` הזה אינו מתאים ל־{ $value }
fault-contradiction = החריגים { $one } ו־{ $other } חלים כאן שניהם, ונותנים ערכים שונים
fault-nothing-to-rank = ל־`{ $word }` של אוסף ריק אין ערך
fault-not-one =
    `{ $word }` דורש כאן ערך אחד בדיוק של { $name }, { $several ->
        [yes] ויש יותר
       *[no] ואין אף אחד
    }
fault-not-listed = { $item } אינו ברשימה הזאת
fault-too-late = הדרישה הזאת באה מאוחר מדי: כאן כבר אי אפשר לדחות מהלך
fault-no-actor = כאן נדרשת החלטה, אך אין שחקן בתור
fault-endless = הלולאה הזאת אינה נגמרת ואינה ממתינה לשום אירוע
fault-itself = האפשרות לבצע את הפעולה { $action } תלויה בעצמה
fault-no-draw = אין כאן ממה להגריל
fault-come-to-light = רכיבים נסתרים היו עוברים למקום גלוי
fault-no-value = הכללים אינם נותנים לזה ערך
fault-not-here = אין כאן אף אחד מהרכיבים שזה יכול להיות
fault-overfull =
    ב־{ $name } היו אמורים להיות { $count ->
        [one] רכיב אחד
       *[other] { $count } רכיבים
    }, ונכנסים לכל היותר { $most }
fault-one-piece = ב־{ $name } נכנס רק רכיב אחד
fault-not-there = אי אפשר לקחת { $piece } מ־{ $name }: אין שם רכיב כזה
fault-not-there-known = אי אפשר לקחת { $piece } מ־{ $name }: ככל הידוע, אין שם רכיב כזה
fault-no-piece = אין כאן רכיב
budget-work = הצעד הזה דורש יותר עבודה מהתקציב שלו, { $limit-grouped } יחידות
budget-game = המשחק הזה דורש יותר עבודה מהתקציב שלו, { $limit-grouped } יחידות
budget-tables = המהדורות, מספרי השחקנים, האפשרויות והצמתים יוצרים יותר שולחנות לבדיקה מ־{ $limit-grouped }, שהתקציב מתיר למשחק באורך כזה
budget-items = בטיפוסים, בטווחים, במצבים ובאזורים יש כאן יותר ערכים מהתקציב, { $limit-grouped }
budget-calls = הקינון של הקריאות כאן עמוק יותר מ־{ $limit-grouped }
budget-depth = הקינון של הקריאות כאן עמוק מהתקציב, { $limit-grouped } ביטויים
budget-can = כאן מקוננות יותר מ־{ $limit-grouped } בדיקות `can`
budget-raise = `{ $option }` מתיר פי עשרה
budget-mend-work = כדאי לעבור על פחות ערכים, או לסנן אותם בתנאי מוקדם יותר
budget-mend-tables = כדאי להשמיט אפשרויות או צמתים, או לכתוב משחק קצר יותר
budget-mend-items = כדאי להשתמש בטיפוסים קטנים יותר או בפחות טיפוסים, או בפחות מצבים
budget-mend-depth = כדאי לקנן פחות קריאות: להשתמש בלולאה, או במצב ששומר תוצאות ביניים
budget-mend-can = כדאי שפחות בדיקות `can` יהיו תלויות זו בזו: יש לכתוב ב־define מה נדרש לכל אחת
budget-in-clause = { $message } (ב־{ $clause })
fault-is-here = השגיאה כאן

## Moves that are refused

seat = שחקן { $number }
nobody = איש
refused-over = המשחק נגמר, ולא ייתכן עוד אירוע
refused-move-awaited = הצפוי אינו אירוע אקראי אלא מהלך: { $awaited }
refused-other-chance = הצפוי הוא האירוע האקראי { $awaited }, ולא { $found }
refused-outcome = תוצאה כזאת אינה אפשרית כאן: { $event }
refused-chance-awaited = הצפוי הוא האירוע האקראי { $awaited }, ולא מהלך
refused-player = התור אינו של { $player }; הצפוי: { $awaited }
refused-unknown-action = במשחק הזה אין מהלך `{ $action }`
refused-decline = אי אפשר לוותר כאן; אפשר: { $offered }
refused-not-offered = המהלך { $action } אינו אפשרי כאן; אפשר: { $offered }
refused-missing-argument = המהלך { $action } דורש את הארגומנט `{ $argument }`
refused-extra-argument = למהלך { $action } אין ארגומנט `{ $argument }`
refused-wrong-argument = בארגומנט `{ $argument }` של המהלך { $action } נדרש: { $expected }
stated-once = פעם אחת בלבד
refused-choice = אי אפשר לבחור כאן { $value } ({ $action }: { $argument })
refused-requirement = { $event }: הפרה של { $clauses }
awaited-of = { $players } ({ $offered })

## Why a move is refused

why-as = { $first }, כי { $second }
why-facts = { $head }: { $facts }
why-does-not-hold = `{ $clause }` אינו מתקיים
why-does-not-hold-then = `{ $clause }` אינו מתקיים אחרי המהלך
why-no-declining = אי אפשר לוותר על `{ $clause }`
why-on-offer = זה אפשרי ב־{ $places }; המשחק עומד ב־`{ $here }`
why-only-if = זה אפשרי ב־`{ $place }` רק אם { $condition }
why-unless = זה אפשרי ב־`{ $place }` אלא אם { $condition }
why-chosen-from = הערך של `{ $argument }` נבחר מתוך { $domain }
why-chosen-missing = הערך של `{ $argument }` נבחר מתוך { $domain }, ושם אין { $values }
why-other-values = ערכים אחרים
why-fixed = כאן `{ $argument }` = { $values }
why-is = { $call } = { $value }
why-as-follows = { $call } – כך זה מתקבל
why-is-in = המקום של { $piece }: { $places }
why-can-only-be-in = { $piece } יכול להיות רק כאן: { $places }
why-holds = { $text }: יש { $count }
why-all-of = כל ה־{ $count } ({ $names })
why-none-of = אף אחד מ־{ $count } ({ $names })
why-there-is-no = אין { $names }
why-in = { $name } מתוך { $domain }
why-me = מי שפועל
why-opponent = היריב

## Verdicts on events

verdict-option = הרישום נבדק עם { $options }, כי בכותרת שלו אין `options` אחרות
verdict-option-legal = { $message }; הוא היה חוקי עם { $options }
verdict-option-range = { $name } = { $low } עד { $high }
verdict-more-findings =
    { $count ->
        [one] ממצא אחד נוסף, עד שורה { $line }, לא מוצג
       *[other] עוד { $count-grouped } ממצאים, עד שורה { $line }, לא מוצגים
    }: יש לתקן קודם את אלה
verdict-passed-over = דילגו על הבחירה `{ $clause }`: לא היה בה אף מהלך אפשרי
verdict-left-out = ייתכן שלפני השורה הזאת חסר מהלך של { $player }, לדוגמה { $line }
verdict-known-piece = יש להשמיט את השורה אם היא כתובה פעמיים, או אם המקום של { $piece } היה ידוע למישהו: רכיב שמקומו ידוע אינו מוגרל
verdict-several-ways = התוצאה אפשרית בכמה דרכים; יש להוסיף `via` שאומר באיזו: { $ways }
verdict-outcomes =
    { $count ->
        [one] תוצאה אחת אפשרית
       *[other] { $count-grouped } תוצאות אפשריות
    }
verdict-ambiguous = זה חוקי רק אחרי ויתור, ויש יותר מדרך אחת לוותר
verdict-record-each = הצפוי: { $awaited }; יש לרשום כל ויתור
verdict-clause-fails = הסעיף הזה נכשל
verdict-rules-fail = מפרט המשחק נכשל כאן: { $message }
verdict-after-result = למשחק הייתה תוצאה לפני השורה הזאת
verdict-over-before-result = המשחק נגמר לפי הכללים לפני התוצאה הזאת
verdict-not-filled = לא נמצאו שורות חסרות שאיתן השורה הזאת חוקית; ייתכן שיש כאלה, כי החיפוש מיצה את התקציב שלו: השורה הזאת והבאות אחריה לא נבדקו
verdict-not-filled-between =
    { $count ->
        [0] חסרה לפחות שורה אחת בין שורה { $line } לשורה הזאת
       *[other] עם השורות החסרות שנמצאו, חסרה עוד שורה אחת לפחות בין שורה { $line } לשורה הזאת, או שאחת מהן שייכת למקום אחר
    }: השורה הזאת והבאות אחריה לא נבדקו
verdict-not-filled-else = עם השורות החסרות שנמצאו: { $finding }
verdict-not-filled-hint = יש לכתוב את השורות החסרות עד כאן, ככל שהן ידועות, ולבדוק שוב
verdict-not-placed = כל השורות החסרות מפורטות, אבל כשהן במקומות האלה השורה הזאת אינה חוקית; מקומן של אחדות מהן הוא אחר בין השורות הקודמות של אירועים אקראיים: השורה הזאת והבאות אחריה לא נבדקו
verdict-not-placed-hint = יש לרשום את הערכים הידועים, להעביר את השורות החסרות למקומן ולבדוק שוב
verdict-without-values = כל השורות החסרות מפורטות, אבל כל עוד ערכיהן אינם ידועים יש יותר מדי משחקים אפשריים: השורה הזאת והבאות אחריה אינן נבדקות אז
verdict-without-values-hint = יש לרשום אחדים מן הערכים בשורות החסרות, ולבדוק שוב
verdict-too-much-unknown = יותר מדי אינו ידוע כאן: השורה הזאת והבאות אחריה לא נבדקו
verdict-too-much-unknown-hint = כדאי לרשום את מה שהתגלה, לדוגמה יד שהוצגה, כטענה על מצב
verdict-ends-early = הרישום נגמר לפני המשחק
verdict-ends-early-awaited = הרישום נגמר לפני המשחק; הצפוי: { $awaited }
awaited-nothing = כלום, המשחק נגמר
awaited-chance = האירוע האקראי { $clause }
verdict-in-any-case = זה שגוי, ולא משנה מה היה צריך לבוא בשורה { $line }
verdict-goes-on-position = השחזור נמשך מכאן, מהעמדה שנרשמה כאן
verdict-goes-on-claim = השחזור נמשך מכאן: ייתכן שהשורה שנדחתה מציינת כמה אירועים, והטענה הזאת נכונה רק אחרי אחד מהם
verdict-came-up = { $piece }: נרשם גם כאן
verdict-could-go-on-position = עם { $option } השחזור נמשך מהעמדה שנרשמה כאן
verdict-could-go-on-claim = עם { $option } השחזור נמשך אחרי הטענה הזאת, אם היא נכונה רק באחד מהמשחקים האפשריים
verdict-other-position = העמדה הרשומה שונה מהמשחק: { $names }
verdict-swapped = שורה זו ושורה { $line } חוקיות בסדר ההפוך, עם התוצאות שאחריהן
verdict-whatever = שום ערך של מה שרשום כ־`{ $word }` אינו הופך את זה לחוקי

## Claims that are wrong

claim-again =
    { $count ->
        [one] עוד טענה אחת על אותו דבר שגויה, כאן
       *[other] עוד { $count-grouped } טענות על אותו דבר שגויות, האחרונה כאן
    }
claim-points =
    { $player }: { $points ->
        [1] נקודה אחת
       *[other] { $points } נקודות
    }, ולא { $claimed }
claim-part = { $clause }: { $points }
claim-over = המשחק נגמר
claim-going-on = המשחק לא נגמר; הצפוי: { $awaited }
claim-nobody-yet = לפי הכללים עדיין אין מנצח: המשחק לא נגמר; את המנצחים בסיום מוקדם רושמים ב־`result`
claim-winners = הניצחון: { $winners }, ולא { $claimed }
claim-tie = הכללים אינם מכריעים את התיקו: רשימת המנצחים צריכה להיות ריקה
claim-size = { $name }: הגודל { $size }, ולא { $claimed }
claim-unseen = איש לא ראה מה יש ב־{ $name }
claim-is = { $name }: { $value }, ולא { $claimed }
claim-holds = ב־{ $name } יש { $value }, ולא { $claimed }
claim-goes-on = המשחק נמשך
claim-points-impossible =
    { $player }: כאן לא { $points ->
        [1] תיתכן נקודה אחת
       *[other] ייתכנו { $points } נקודות
    }
claim-won-impossible = מנצחים כאלה לא ייתכנו כאן
claim-size-impossible = { $name }: הגודל { $size } לא ייתכן כאן
claim-cells = ב־`{ $game }` יש { $names }
claim-be-impossible = { $name }: כאן לא ייתכן { $value }
claim-can-be = { $name }: ייתכן כאן רק { $values }
claim-hold-impossible = ב־{ $name } לא ייתכן כאן { $value }
claim-can-hold = { $name }: ייתכן כאן רק { $values }

## The game that a header names

tag-doubtful = { $name } נחשב לתג, שאינו משנה שום כלל
tag-language-unknown = `{ $game }`: אין מילים בשפה { $name }
tag-result-hint = יש לכתוב את תוצאת המשחק בשורה האחרונה: `claim winners NAME` או `result resigned NAME`
tag-result-line-hint = יש לכתוב את תוצאת המשחק בשורה האחרונה, למשל { $line }
tag-member-hint = יש לכתוב { $member } לצד { $tags } ולא בתוכו
game-beside = בתיקיית הרישום יש משחק אחר { $name }; הרישום נבדק לפי זה שבא עם Ludex
game-beside-hint = יש לכתוב { $name } כדי לציין את זה שבתיקייה
game-path-hint = נתיב מתחיל בתיקיית הרישום או בתיקייה הנוכחית; או יש לכתוב את שם המשחק, עם --game PATH
game-unknown = אין כאן משחק { $name }
game-given = המפרט הנתון הוא של { $names }
game-given-hint = המשחק שבכותרת הרישום והמשחק שבמפרט צריכים להיות אותו משחק
game-have-spec-hint = אם המפרט שלו בידך (הוא מתחיל ב־{ $beginning }), יש לציין --game PATH
question-and = { $first } { $second }
game-at-fault = במפרט של { $name } יש שגיאות, ואי אפשר לבדוק לפיו רישום
game-fault = { $code }: { $message }
game-fault-elsewhere = { $code } בקובץ { $file }
game-forbidden = המשחק { $name } הוא קובץ שאסור לרישומים לציין כאן
game-forbidden-hint = יש לציין משחק שבא עם Ludex; מי שבודק את הרישום יכול להתיר את הקבצים של תיקייה
game-no-edition = `{ $game }`: אין מהדורה { $name }
game-no-option = `{ $game }`: אין אפשרות { $name }
game-option-needs = באפשרות { $name } נדרש: { $expected }
game-decides-fork = המהדורה { $edition } מכריעה בצומת { $name }: { $reading }
game-decides-hint = אפשר לבקש מהדורה אחרת
game-no-silence = הערך של silence הוא { $names }, ולא { $found }
game-no-fork = `{ $game }`: אין צומת { $name }
game-no-reading = לצומת { $fork } אין קריאה { $name }
game-players = `{ $game }`: מספר השחקנים: { $allowed }, ולא { $players }
number-to = { $low } עד { $high }
game-fingerprint = טביעת האצבע של המשחק היא { $fingerprint }, וברישום { $claimed }
game-fingerprint-hint = הרישום נעשה עם כללים או נתוני רכיבים אחרים, ובכל זאת שוחזר; אם הכללים ההם בידך, יש לציין --game PATH

## Missing lines

missing-lines =
    לפני השורה הזאת { $count ->
        [one] חסרה שורה
       *[other] חסרות { $count-grouped } שורות
    }
missing-lines-may-be =
    ייתכן שלפני שורה זו { $count ->
        [one] חסרה שורה
       *[other] חסרות { $count-grouped } שורות
    }: { $lines }; `--fill` מציג את כל החסרות
undealt-not-written = הקלפים של { $player } לא נרשמו
undealt-add = יש להוסיף `{ $line }`
undealt-too-few = מספר הקלפים של { $player }: { $count }, ובשורה { $line } רשומים { $listed }
missing-lines-among-hint =
    יש לכתוב לפניה את { $count ->
        [one] השורה הזאת
       *[other] השורות האלה
    }, או במקום אחר בין השורות הסמוכות של אירועים אקראיים, ובמקום `{ $word }` את מה שידוע
missing-lines-hint =
    יש לכתוב לפניה את { $count ->
        [one] השורה הזאת
       *[other] השורות האלה
    }, ובמקום `{ $word }` את מה שידוע
undealt-card = הקלף הזה אינו מחולק כאן
undealt-card-awaited = הקלף הזה אינו מחולק כאן; הצפוי: { $awaited }
gap-too-long = לא ייתכן שחסרים כאן כל כך הרבה אירועים: המשחק היה נגמר קודם
too-much-unknown-missing = יש לכתוב את השורות החסרות ולבדוק שוב: ייתכן שבהמשך חסרות אחרות

## The schema of logs

schema-title = רישום של { $game }, מהדורה { $edition }, מספר השחקנים: { $count }
schema-title-player = שחקן
schema-title-unknown = לא ידוע
schema-title-decline = ויתור
schema-log = רישום שלם כרשימה של שורות או כאובייקט עם `events`; או שורה אחת של רישום.
schema-unknown = זה לא נראה בזמן הרישום.
schema-player = שחקן: מספר המושב החל מ־1, או השם שבכותרת.
schema-ludex = גרסת הפורמט.
schema-game = שם המשחק, או הנתיב של המפרט שלו.
schema-edition = הטקסט של הכללים שלפיהם שוחק המשחק.
schema-silence = מה עושים כשכלל אינו בטקסט: לוקחים אותו מטקסט אחר, או משחקים בלעדיו.
schema-fingerprint = טביעת האצבע של הכללים ושל נתוני הרכיבים.
schema-players = מספר השחקנים, או רשימת השמות לפי סדר המושבים.
schema-options = אפשרויות המשחק השונות מברירת המחדל, לפי שם.
schema-readings = קריאות השונות מברירת המחדל, לפי צומת.
schema-tags = תגים לפי שם: היכן ומתי התקיים המשחק.
schema-ids = איך מועדון או אתר מזהה את השחקנים, לפי שם.
schema-from = העמדה שבה מתחיל המשחק, או נתיב של קובץ ובו עמדה; בהיעדרה: תחילת המשחק.
schema-note = הערה לקוראים; היא אינה משפיעה על הבדיקה.
schema-events = המהלכים, האירועים האקראיים, הטענות וההערות לפי הסדר.
schema-action = הפעולה של השחקן.
schema-args = הארגומנטים של הפעולה, לפי שם.
schema-clock = מה שמראה שעון השחקן: דקות ושניות, או שעות, דקות ושניות.
schema-chance = הסעיף שלפיו מוטלת קובייה או נחשף קלף.
schema-deal = הסעיף שלפיו מחולקים הקלפים, בשורה אחת לכמה אירועים.
schema-to = השחקן שמקבל את הקלפים.
schema-cards = הקלפים, בכל סדר.
schema-position = העמדה כולה אחרי השורה הזאת, כפי ש־`ludex show --format position` כותב אותה.
schema-gap = אירועים שלא נרשמו: כמה הם, או שרק אירועים אקראיים חסרים.
schema-outcome = התוצאה של האירוע האקראי.
schema-via = המאגרים שהרכיב עבר דרכם; כמעט אף פעם אין בהם צורך.
schema-result = איך השחקנים סיימו את המשחק לפני סופו לפי הכללים.
schema-winners = המנצחים; רשימה ריקה אם התיקו אינו מוכרע.
schema-claim = מה שנאמר על המצב אחרי השורה הזאת; זה נבדק.
schema-scores = נקודות לפי מושב, או לפי שם השחקן או מספר המושב.
schema-terminal = האם המשחק נגמר.
schema-state = מה נמצא במצבים ובאזורים.
schema-of = השם של מצב או אזור.
schema-at = האינדקסים, לפי הסדר.
schema-size = מספר הרכיבים שבאזור.
schema-decline = ויתור על מה שאפשר לוותר עליו.
schema-requires = נדרש: { $names }

## Frames of reports

label-why = סעיף
label-note = הערה
label-hint = עצה
label-legal = חוקי
warning = אזהרה
borrowed-from = מושאל מ־{ $text }
count-errors =
    { $count ->
        [one] שגיאה אחת
       *[other] { $count-grouped } שגיאות
    }
count-warnings =
    { $count ->
        [one] אזהרה אחת
       *[other] { $count-grouped } אזהרות
    }
no-faults = אין שגיאות
count-events =
    { $count ->
        [one] אירוע אחד
       *[other] { $count-grouped } אירועים
    }
count-logs =
    { $count ->
        [one] רישום אחד
       *[other] { $count-grouped } רישומים
    }
count-outcomes =
    { $count ->
        [one] תוצאה אחת
       *[other] { $count-grouped } תוצאות
    }
count-moves =
    { $count ->
        [one] מהלך אחד
       *[other] { $count-grouped } מהלכים
    }
count-clauses =
    { $count ->
        [one] סעיף אחד
       *[other] { $count-grouped } סעיפים
    }

## Verdicts

report-legal = חוקי
report-unjudged = לא נבדק עד סופו
report-findings = יש ממצאים
report-unreadable = אינו קריא
report-fault = לא נבדק בגלל תקלה ב־Ludex
report-line = שורה { $line }
report-no-game = ללא משחק
report-stopped = הבדיקה נעצרה לפני שנבדקו כל הרישומים
report-row = { $file }: { $verdict }
report-played =
    { $played ->
        [one] שוחזר אירוע אחד
       *[other] שוחזרו { $played-grouped } אירועים
    } מתוך { $count-grouped }, עד שורה { $line }
report-resumed =
    { $played ->
        [one] שוחזר אירוע אחד
       *[other] שוחזרו { $played-grouped } אירועים
    } מתוך { $count-grouped }, עם הפסקה משורה { $line }
report-not-played =
    { $count ->
        [0] לא שוחזר אף אירוע
       *[other] לא שוחזר אף אירוע מתוך { $count-grouped }
    }
report-consequences =
    { $count ->
        [one] השגיאה בשורה { $lines } עשויה לנבוע רק מזו
       *[other] השגיאות בשורות { $lines } עשויות לנבוע רק מזו
    }
report-judging = הרישום נבדק { $seconds } שניות
report-bar = בדיקה
report-filled-in =
    { $count ->
        [one] הושלם ויתור אחד
       *[other] הושלמו { $count-grouped } ויתורים
    }
report-in-one = { $words } במשחק אפשרי אחד
end-resigned = { $player }: כניעה
end-time = { $player }: נגמר הזמן
end-agreed = התוצאה בהסכמת השחקנים
end-adjudicated = התוצאה נקבעה בפסיקה
end-abandoned = המשחק הופסק
wins = ניצחון: { $who }
share-the-win = ניצחון משותף: { $who }
by-clause = { $who } ({ $clause })
result-tie = תיקו שהכללים אינם מכריעים
count-legal = חוקיים: { $count-grouped }
count-unjudged = לא נבדקו עד הסוף: { $count-grouped }
count-findings = עם ממצאים: { $count-grouped }
count-unreadable = אינם קריאים: { $count-grouped }
count-fault = לא נבדקו בגלל תקלה ב־Ludex: { $count-grouped }
count-none = אין
sum-edition = { $game }, מהדורה { $edition }: { $words }
sum-passed-over =
    { $count ->
        [one] קובץ אחד לא נבדק
       *[other] { $count-grouped } קבצים לא נבדקו
    }, { $reason }: { $names }
sum-more-in-json = { $names } ועוד { $count-grouped } (הרשימה: { $option })
sum-legal-by = { $count-grouped } לפי { $edition }
sum-legal-of = { $game }, חוקיים מתוך { $logs }: { $editions }
its-own = { $edition } (שלו)
edition-breaks = הפרה { $where }
edition-see-above = { $words }, כמפורט לעיל
where-before = לפני האירוע הראשון, שורה { $line }
where-at = באירוע { $event } מתוך { $events }, שורה { $line }
where-after = אחרי אירוע { $event } מתוך { $events }, שורה { $line }
origin-own =
    { $count ->
        [one] סעיף אחד משלה
       *[other] { $count-grouped } סעיפים משלה
    }
origin-borrowed =
    { $count ->
        [one] אחד מושאל
       *[other] { $count-grouped } מושאלים
    } מ־{ $text }
origin-borrowed-several =
    { $count ->
        [one] אחד מושאל
       *[other] { $count-grouped } מושאלים
    } ({ $texts })
origin-from = { $count-grouped } מ־{ $text }
origin-ruled = { $count-grouped } בהכרעה
reason-convention = לפי הנוהג: { $text }
reason-ruling = לפי הכרעה: { $text }
origin-convention = { $count-grouped } לפי נוהג
origin-shared =
    { $count ->
        [one] אחד משותף
       *[other] { $count-grouped } משותפים
    }
origin-literal = { $words }; מה שרק טקסטים אחרים אומרים הושמט
origin-command = { $words } ({ $command })

## Frames of a game that is shown or played

view-yes = כן
view-no = לא
view-none = אין
view-noted =
    { $count ->
        [one] אחד רשום
       *[other] { $count } רשומים
    }
view-hidden =
    { $count ->
        [one] אחד מוסתר
       *[other] { $count } מוסתרים
    }
view-unseen =
    { $count ->
        [one] אחד לא גלוי
       *[other] { $count } לא גלויים
    }
view-more = ועוד { $count-grouped }
view-top = (מלמעלה)
view-empty = ריק
view-of = { $element } ({ $player })
show-head =
    { $title }, אחרי { $count ->
        [one] אירוע אחד
       *[other] { $count-grouped } אירועים
    }
show-edition = { $title }, מהדורה { $edition }
show-last = { $head }: { $event }
show-as = { $head }, כפי שרואים מהמושב של { $player }
the-game-is-over = המשחק נגמר
chance-awaited = ממתינים לאירוע אקראי: { $clause }
chance-awaited-outcomes =
    ממתינים לאירוע אקראי: { $clause }, { $count ->
        [one] תוצאה אחת
       *[other] { $count-grouped } תוצאות
    }
to-move = בתור: { $who }
show-may-hold = { $place }, תוכן אפשרי ({ $count }): { $values }
show-may-be = { $place }: { $values }
show-sampled = החל משורה { $line } אפשריים משחקים רבים מכדי לעקוב אחריהם: מוצג מה שמשותף למשחקים שנמצאו, ואחרים עשויים להיות שונים
show-more-moves = ועוד { $count-grouped } (הרשימה: { $option })
show-not-legal = השורה הזאת אינה חוקית; `{ $command }` אומר מדוע, אבל מגלה גם מידע נסתר
play-to-move = התור של { $player }
play-game-over = המשחק נגמר.
play-tie = תיקו שהכללים אינם מכריעים.
play-nobody-wins = אין ניצחון.
play-pass = יש להעביר את המכשיר אל { $player } וללחוץ Enter
play-alone = --- רק עבור { $player } ---
play-unseen =
    { $count ->
        [one] אחד לא גלוי
       *[other] { $count } לא גלויים
    }
play-for = עבור { $player }
play-times =
    { $event } ({ $count ->
        [one] פעם אחת
        [two] פעמיים
       *[other] { $count } פעמים
    })
play-rows-before =
    { $count ->
        [one] שורה אחת
       *[other] { $count } שורות
    } לפני אלה (הכול: `{ $command }`)
play-not-written = הרישום לא נשמר: { $reason }
play-no-undo = אין מהלך להחזיר
play-no-undo-kept = אין מהלך להחזיר; המהלכים ב־{ $file } נשמרים
play-name-the-file = יש לציין קובץ: `{ $command }`
play-nothing-yet = עדיין לא שוחק דבר, ולכן לא נשמר דבר
play-saved = נשמר ב־{ $file }
play-input-ended = הקלט נגמר
play-stopped = נעצר
play-stopped-after =
    { $stop } אחרי { $count ->
        [one] אירוע אחד
       *[other] { $count-grouped } אירועים
    }
play-type = יש להקליד { $what }, או `{ $command }`
play-number = מספר מ־1 עד { $count }
play-sign = את הסימן שלפני האפשרות
play-with = { $question } (עם { $taken })
play-nothing-may-come = כאן לא צריך עוד דבר, והוקלד `{ $word }`
play-nothing-may-come-after = אחרי `{ $read }` לא צריך עוד דבר, והוקלד `{ $word }`
play-not-offered = אי אפשר לבחור `{ $word }`
play-not-offered-after = אי אפשר לבחור `{ $word }` אחרי `{ $read }`
play-not-understood = `{ $word }` אינו מובן
play-not-understood-after = `{ $word }` אחרי `{ $read }` אינו מובן
play-not-legal = { $event } אינו חוקי עכשיו: { $reason }
play-unknown-reason = הסיבה נסתרת ממך
play-nearest = הקרוב ביותר: { $word }
play-seed = { $option } חוזר על אותן הגרלות
play-help-number = האפשרות שזה מספרה
play-help-move = כמו ברשימה, או הערכים בלבד: { $samples }; המילים הראשונות מצמצמות את הרשימה
play-help-result = סיום המשחק לפי החלטת השחקנים: { $samples }, או שורה אחרת כמו ברישום טקסט
play-help-enter = האפשרות היחידה, אם יש אחת; אחרת הרשימה שוב
play-help-back = צעד אחורה, כשמהלך נבחר בצעדים
play-help-view = השולחן שוב
play-help-cards = מה מודפס על כל רכיב גלוי
play-help-log = כל האירועים, כפי שנראו ממושבך
play-help-undo = החזרת המהלך האחרון
play-help-save = שמירת הרישום
play-help-quit = לעצור כאן (או { $short })
play-help-colon = נקודתיים לפני מילה ({ $sample }) הופכים אותה לפקודה כשיש מהלך באותו שם.
play-help-a-number = מספר
play-help-a-move = מהלך
play-no-log = לא נשמר רישום (`{ $option }` שומר אותו)
play-go-on = להמשך: { $command }
play-log-is-in = הרישום ב־{ $file }
play-outcome = מה התוצאה של { $clause }?
play-outcome-for = מה התוצאה של { $clause } עבור { $player }?
play-possible = אפשר { $words }

## Files that are passed over

over-no-ending = סיומת השם אינה של רישום ({ $endings })
over-no-header = אין כותרת עם השדה `{ $member }`
over-git = שם נמצאת היסטוריה של מאגר קוד
over-linked-folder = אין מעבר דרך קישור לתיקייה
over-judged = הקובץ כבר נבדק
over-read = את הקלט התקני אפשר לקרוא רק פעם אחת, ולכן אין התייחסות ל־`-` השני
sum-kept = נבדקו בהרצה קודמת ולא הוצגו שוב: { $logs }
sum-left-out = הושמטו כאן: { $logs }; סיכום מכיל לכל היותר { $size }
new-log-begins = כאן מתחיל המשחק.
new-log-example = כל אירוע הוא פריט ברשימה הזאת, למשל:

## Commands that are used wrongly, or carry logs to other rules

usage-of = שימוש: { $usage }
usage-try = עזרה: '{ $command }'.
usage-error = שגיאה: { $message }
usage-no-argument = חסר '{ $name }'.
usage-no-value = חסרה האפשרות '{ $name }'.
usage-no-option = אין אפשרות '{ $name }'.
usage-no-option-near = אין אפשרות '{ $name }'. אולי { $near }?
usage-no-option-among = אין אפשרות '{ $name }'. אולי אחת מאלה: { $near }?
usage-needs-value = לאפשרות '{ $name }' נדרש ערך.
usage-takes-none = לאפשרות '{ $name }' אין ערך.
usage-invalid = ערך שגוי של '{ $name }': { $message }
usage-not-valid = '{ $value }' אינו מתאים: נדרש { $kind }.
usage-not-among = '{ $value }' אינו מתאים; אפשר { $choices }.
usage-outside = { $value } מחוץ לטווח { $range }.
usage-too-many = מילה מיותרת ({ $names })
usage-too-many-several = מילים מיותרות ({ $names })
usage-no-file = הקובץ '{ $name }' אינו קיים.
usage-no-directory = התיקייה '{ $name }' אינה קיימת.
usage-no-path = '{ $name }' אינו קיים.
usage-is-directory = '{ $name }' היא תיקייה, ולא קובץ.
usage-is-file = '{ $name }' הוא קובץ, ולא תיקייה.
usage-not-readable = אין הרשאה לקרוא את הקובץ '{ $name }'.
usage-not-writable = אין הרשאה לכתוב לקובץ '{ $name }'.
usage-seconds = { $value } אינו מספר שניות.
other-game = ברישום המשחק { $asked }; המשחק שניתן הוא { $name }
other-game-hint = יש לתת את המשחק שברישום, או לא לתת משחק
other-engine = ברישום המשחק { $asked }; המנוע שניתן משחק ב־{ $name }
other-engine-hint = יש לתת את המנוע של המשחק שברישום, או לא לתת מנוע
other-table = המנוע שניתן משחק ב־{ $name } בתנאים אחרים מאלה שברישום
other-table-hint = יש לטעון את המנוע עם השחקנים, המהדורה, האפשרויות והקריאות שבכותרת הרישום
it-has-none = אין אף אחת
usage-whole-number = מספר שלם
usage-integer = מספר שלם
usage-no-command = אין פקודה `{ $word }`; { $hint }
usage-commands = הפקודות: { $names }
usage-language = אין הודעות ב־`{ $tag }`; יש ב־{ $names }
usage-no-words = --lang: ב־`{ $game }` אין מילים ב־`{ $tag }`; { $known }
usage-words-in-none = אין בו מילים באף שפה
usage-seed = { $value } אינו מתאים: נדרש מספר שלם מ־0 עד { $most }.
usage-names = --names: לכל שחקן נדרש שם אחר, שאינו מספר
usage-names-count =
    ב־--names { $count ->
        [one] שם אחד
       *[other] { $count } שמות
    }, ומספר השחקנים { $players }
usage-form = `{ $value }` אינו בצורה { $form }
usage-given-twice = `{ $name }` מופיע פעמיים
usage-one-log = ל־{ $option } נדרש רישום אחד
usage-event-place = `{ $value }` אינו מספר של אירוע, ואינו `line:` עם מספר השורה שלו, למשל `line:12`
usage-not-with = אי אפשר לציין את { $option } יחד עם { $other }
usage-text-or-json = { $option } נכתב כ־text או כ־json
usage-folder = { $name } היא תיקייה; יש לציין רישום אחד
usage-no-folder = { $name } אינו תיקייה
usage-exists = { $name } כבר קיים; יש לבחור שם אחר
usage-exists-resume = { $name } כבר קיים; יש לבחור שם אחר, או להמשיך ב־--resume
usage-exists-other = { $name } כבר קיים, ויש בו דבר אחר; יש לבחור תיקייה אחרת
usage-changed = { $name } השתנה בינתיים; יש לכתוב את המשחק לקובץ אחר: `{ $command }`
usage-not-created = אי אפשר ליצור את { $name }: { $reason }
usage-not-written = אי אפשר לכתוב את { $name }: { $reason }
usage-results-hyphen = נדרש שם של קובץ ל־--results: `-` הוא הפלט התקני, שאינו יכול להיות מסד נתונים
usage-no-results = { $name } אינו מתאים לתוצאות: { $reason }
usage-results-of-other = { $name } שייך לגרסה אחרת של Ludex, ונשאר כפי שהוא
usage-results-damaged = הקובץ { $name } פגום, ונשאר כפי שהוא: הטבלה `{ $table }` שבו אינה זו של קובץ תוצאות
usage-other-database = { $name } אינו קובץ תוצאות, ונשאר כפי שהוא
usage-beyond = --at { $at }: { $file }: { $events }
usage-explain-nothing = בשורה { $line } של { $file } לא רשום דבר
usage-explain-line = שורה { $line } של { $file }: { $what }, ואין בה דבר על מצב המשחק
explain-after-fault = אירוע { $number } בא אחרי השורה הזאת, ולכן אי אפשר לבדוק אותו
explain-line-after-fault = לכן אי אפשר להסביר את שורה { $line }
explain-may-lead = { $after }; אולי אפשר להגיע לשם בעזרת { $options }
usage-beyond-explain = --explain { $at }: { $file }: { $events }
show-beyond-end = { $words }, והמקום הזה אחרי סוף הרישום
show-before-fault = { $words }; לפני השגיאה אפשר להציג { $count } (`{ $option }`)
usage-unknown-state = { $file }: חלק מהרישום אינו ידוע (`unknown`), ולכן גם העמדה אינה ידועה; { $ways }{ $open }
usage-unknown-view = { $file }: חלק מהרישום אינו ידוע (`unknown`), וייתכן שאינו ידוע גם לשחקן { $player }; { $ways }{ $open }
unknown-way-at = `--at` מציג עמדה קודמת
unknown-way-before = `--at` עם מספר קטן יותר מציג עמדה קודמת
unknown-way-as = `--as` מציג את מה שיודע שחקן שראה את כל מה שמותר לו לראות
unknown-way-all = בלי `--as` מוצג כל מה שידוע
usage-unknown-end = { $file }: לא הכול ידוע (`unknown`), ואי אפשר להמשיך מסופו{ $open }
usage-unknown-begin = { $file }: לא הכול ידוע (`unknown`), ואי אפשר להתחיל מסופו
usage-of-other-game = { $file } הוא רישום של `{ $other }`, ולא של `{ $game }`
usage-position-of = { $file } שייך ל־`{ $other }`, ולא ל־`{ $game }`
usage-ends = { $file } נגמר בתוצאה: { $words }
usage-resume-or-from = --resume ממשיך רישום, ו־--from מתחיל משחק חדש; יש לתת אחד מהם
usage-resume-table = --resume לוקח את תנאי המשחק מהרישום; יש להשמיט את --names ואת אפשרויות המשחק
usage-from-table = --from לוקח את תנאי המשחק מהעמדה; יש להשמיט את אפשרויות המשחק
usage-resume-file = ל־--resume נדרש קובץ: הקלט התקני משמש להקלדת המהלכים
usage-layout = אי אפשר להוסיף שורה ל־{ $name } בגלל מבנהו; יש לציין קובץ אחר: --save FILE
usage-stdin-stays = { $option } כותב לקבצים, והקלט התקני אינו קובץ
usage-no-fingerprint = אי אפשר לכתוב טביעת אצבע ל־{ $name } בגלל מבנהו
usage-out-or-in-place = --out כותב קבצים חדשים, ו־--in-place את הישנים; יש לתת אחד מהם
usage-out-or-to = יש לציין את קובץ היעד (OUT) או את הפורמט (--to)
usage-out-ending = { $name }: סיומת השם אינה קובעת את הפורמט; אפשר .jsonl, .yaml, .ludexlog או --to
usage-several-logs = ב־{ $name } יש { $count } רישומים, וקובץ בפורמט הזה מכיל רישום אחד; צריך --to ותיקייה OUT
usage-yaml-name = { $name }: שם הרישום צריך להסתיים ב־.yaml
usage-report-alone = --report מדפיס סכמה אחת לכל המשחקים; יש להשמיט את המשחק ואת שאר האפשרויות
usage-no-schema = יש לציין משחק, או אחרי --report את הדוח שיש להדפיס את הסכמה שלו
usage-no-components = למשחק `{ $game }` אין קובץ רכיבים
usage-with-moves = אפשרויות המשחק באות עם --moves
usage-one-game = ל־--moves נדרש משחק אחד
usage-position-of-log = --format position שייך לרישום; --merged מציג משחק
usage-position-of-all = --format position כותב הכול, ובא רק עם `--as { $all }`
usage-for-log = { $option } שייך לרישום; --merged מציג משחק
usage-for-merged = { $option } שייך ל־--merged, שמציג משחק; כאן רישום
usage-nobody = אין שחקן `{ $name }`; השחקנים: { $known }; `{ $all }` מציג הכול
usage-no-edition = `{ $game }`: אין מהדורה `{ $edition }`; יש { $names }
usage-no-editions = `{ $game }`: אין מהדורה `{ $edition }`: יש נוסח אחד, ואין מהדורות
usage-no-code = אין קוד `{ $code }`: { $hint }
usage-all-codes = כל הקודים בדף { $page }
note-shipped-game = הערה: `{ $name }` הוא המשחק שבא עם Ludex; זה שבתיקייה הזאת הוא `{ $path }`
wrote-two = נכתבו { $one } ו־{ $other }
over-endings = { $endings }, גם עם { $packed }
walk-legal = אירוע { $number } חוקי: { $event }
walk-may-be-legal = אירוע { $number } אולי חוקי: { $event }; לא כל מה שלפניו ידוע
walk-unseen-legal = אירוע { $number } אולי חוקי: { $event }; לא כל מה שבו ידוע
walk-illegal = אירוע { $number } אינו חוקי: { $event }
walk-holds = כן
walk-fails = לא
walk-open = אולי
part-true = שורה { $line } (אירועים עד כאן: { $events }): { $what }, הכול נכון
part-false = שורה { $line } (אירועים עד כאן: { $events }): { $what }, לא הכול נכון
part-open = שורה { $line } (אירועים עד כאן: { $events }): { $what }, אולי הכול נכון; לא כל מה שלפניה ידוע
migrate-refused = הרישום אינו חוקי לפי הכללים שאליהם הוא מועבר
migrate-refused-now = חוקי לפי הכללים הישנים; לפי החדשים: { $message }
migrate-changed = השתנה: { $names }
migrate-declines = לפי הכללים החדשים הושמטו מהרישום ויתורים אחרים מאשר לפי הישנים
migrate-after = אחרי { $event }
migrate-at-beginning = בהתחלה
migrate-differs = { $place }, { $what }: { $before } לפי הכללים הישנים, { $after } לפי החדשים
migrate-differs-first = מכאן המשחקים שונים: { $difference }
migrate-outcomes-of = התוצאות של { $clause }
migrate-with-share = { $outcome } בהסתברות { $share }
migrate-not-old = הרישום אינו חוקי לפי הכללים הישנים
migrate-unknown = בלי הכללים הישנים אין לדעת אם לא השתנו { $what }
migrate-unclaimed = { $names } והעמדות
migrate-between-claims = העמדות בין הטענות
migrate-unknown-hint = יש לציין את הכללים הישנים ב־--from-spec, או לרשום כטענה את מה שהיה
migrate-no-completion = חוקי לפי הכללים הישנים; לפי החדשים אינו חוקי, לכל ערך של מה שאינו ידוע ברישום
migrate-all-differ = לפי הכללים החדשים המשחק מתנהל אחרת, לכל ערך של מה שאינו ידוע ברישום
migrate-each-differs = לפי הכללים החדשים המשחק מתנהל אחרת, לכל ערך של מה שאינו ידוע ברישום, למשל: { $difference }
migrate-some-differ = מה שאינו ידוע ברישום קובע אם השינוי נוגע לו
migrate-too-many = יותר מדי אינו ידוע ברישום: יש משחקים אפשריים רבים מכדי להשוות את כולם לפי שני מערכי הכללים
migrate-undecided-hint = יש לרשום כטענה את מה שהיה, או להעביר בלי הכרעה: { $option }
migrate-unseen-pieces = הרכיבים הנסתרים
migrate-awaited = הצפוי
migrate-to-move = התור
migrate-outcomes = התוצאות של האירוע האקראי
migrate-points = הנקודות
migrate-winners = המנצחים
migrate-of-scores = הנקודות
migrate-of-winners = המנצחים
migrate-awaits-chance = אירוע אקראי
migrate-awaits-move = מהלך
migrate-awaits-nothing = כלום
migrate-settings = { $file }: בכותרת יש לציין את מה שאינו עוד ברירת מחדל: { $settings }
migrate-can = { $file }: אפשר להעביר
migrate-can-written = { $file }: אפשר להעביר, נכתב ל־{ $place }
migrate-cannot = { $file }: אי אפשר להעביר
migrate-undecided = { $file }: לא הוכרע, לא הועבר
migrate-sum = { $logs }: אפשר להעביר { $can-grouped }, ואי אפשר { $cannot-grouped }
migrate-sum-undecided = { $sum }, לא הוכרע { $count-grouped }
no-game = אין משחק `{ $name }`
no-game-file = אין קובץ או תיקייה `{ $name }`
not-a-spec = `{ $name }` אינו מפרט: שם של מפרט מסתיים ב־`{ $suffix }`
not-a-spec-log = אם זה רישום של משחק, { $judge } בודק אותו, ו־{ $show } מציג אותו
not-a-spec-beside = יש לציין את התיקייה `{ $folder }`: המשחק שבה אומר באילו נתונים הוא משתמש; { $log }
no-game-in-folder = בתיקייה `{ $name }` אין קובץ משחק
no-game-in-folder-hint = משחק הוא קובץ `{ $sample }`
several-games = בתיקייה `{ $name }` כמה משחקים
several-games-hint = יש לציין אחד: { $names }
shipped-games = המשחקים ב־Ludex: { $names }

## The page of a code

explain-error = { $code } { $name }, שגיאה
explain-warning = { $code } { $name }, אזהרה
explain-mend = איך לתקן: { $words }
explain-mended = אחרי התיקון:
explain-in-english = הדף של הקוד הזה כתוב באנגלית.

## Positions

from-expected = עמדה, או נתיב של קובץ ובו עמדה
from-no-file = הרישום מתחיל בעמדה מהקובץ { $name }, ואין קובץ כזה
from-looked = הנתיב של עמדה מתחיל בתיקיית הרישום, או בתיקייה שבה הפקודה רצה
from-never-here = המשחק אינו נמצא לעולם בנקודה הזאת עם הצעדים האלה שנותרו
from-rules-fail = המשחק אינו נמשך מהעמדה הזאת: { $message }
from-unreachable = ייתכן ששום משחק אינו מגיע לעמדה הזאת: יש לבדוק את הערכים שבה
from-is-log = { $file } הוא רישום, ונדרשת עמדה: כותרת עם העמדה ב־`from`, בלי אירועים
from-is-log-hint = `{ $command }` כותב את העמדה בכל אירוע ברישום
from-file-fault = { $file }: { $message }
from-unread = אי אפשר לקרוא את { $file } כעמדה
from-unread-hint = `{ $command }` אומר מה לא בסדר בו
from-forbidden = הרישום מתחיל בעמדה מהקובץ { $name }, שאסור לרישומים לציין כאן
from-forbidden-hint = יש לכתוב ב־`from` את העמדה עצמה
from-other-game = העמדה היא של משחק אחר: { $setting } = { $found }, ולא { $wanted }
position-empty-file = קובץ העמדה ריק
a-position = עמדה
position-expected = עמדה, עם { $members }
position-the-game = המשחק
position-a-place = נקודה במהלך המשחק
position-this-place = הנקודה הזאת
position-under-way = מה שנמצא כאן בעיצומו
position-this = זה
position-by-name = מה יש במצבים ובאזורים, לפי שמותיהם
position-list-of-pools = רשימת מאגרים, כל אחד רשימת רכיבים
position-empty-pool = באף אזור אין רכיב של מאגר { $pool }, שהיה נכתב `{ $sign }`
position-pool =
    מאגר { $pool } מכיל { $count ->
        [one] רכיב אחד
       *[other] { $count } רכיבים
    }, אבל `{ $sign }` בא במקום { $unseen }
position-no-pool = `{ $sign }` בא במקום { $unseen }, אבל אין ב־`unseen` מאגר { $pool }
position-pools = כל רכיב נסתר (`{ $sign }`) צריך להיות ממאגר ב־`unseen`, ובכל מאגר רכיבים כמספר הנסתרים
position-a-player = שחקן
position-its-index = האינדקס שלו
position-contents-by = התוכן, לפי שמות: { $what }
position-no-such = אין כאן { $name }
position-twice = { $name } מופיע כאן פעמיים
position-name-is = זה { $what }, לדוגמה { $sample }
position-rows =
    { $count ->
        [one] שורת סימנים אחת
       *[other] { $count } שורות סימנים
    }
position-signs =
    טקסט של { $count ->
        [one] סימן אחד
       *[other] { $count } סימנים
    }, רווח בין שניים
position-signs-found =
    { $count ->
        [one] סימן אחד
       *[other] { $count } סימנים
    }
position-sign-unknown = { $sign }, הסימן בטור { $column }, אינו מאלה של { $name }
position-the-signs = הסימנים: { $signs }
position-list-of-pieces = רשימת רכיבים
position-most-pieces =
    לכל היותר { $count ->
        [one] רכיב אחד
       *[other] { $count-grouped } רכיבים
    }
position-flow = הנקודה במהלך המשחק, או `{ $over }`
position-place = נקודה, לדוגמה { $sample }, או אובייקט עם הנקודה ב־`{ $member }`
position-place-name = שם של נקודה במהלך המשחק
position-several-places = ב־{ $name } יש כמה נקודות שבהן המשחק יכול להיות
position-never-waits = המשחק אינו ממתין לעולם לאירוע ב־{ $name }
position-never-inside = המשחק אינו נמשך לעולם בתוך מהלך או תהליך ב־{ $name }
position-the-places = הנקודות: { $names }
position-turn-unclear = העמדה אינה קובעת באיזו נקודה התור של { $player }
position-turn-nowhere = בעמדה הזאת אין נקודה שבה התור של { $player }
position-turn-places = הנקודה היא { $places }; המספרים והערכים הם דוגמאות
position-turn-more = עוד { $count }
position-seen-open = { $sign } הוא רכיב שאיש לא ראה, אבל כולם רואים מה יש ב־{ $name }
position-seen-private = { $sign } הוא רכיב שאיש לא ראה, אבל כל שחקן רואה מה יש אצלו ב־{ $name }
position-values-by-name = ערכים לפי שם
position-lacks-player = לנקודה חסר `{ $name }`, השחקן הפועל
position-lacks-needed = לנקודה חסר `{ $name }`, שיידרש בהמשך
position-lacks-players = לנקודה חסר `{ $name }` ב־`left`: השחקנים הבאים בלולאה הזאת
position-lacks-items = לנקודה חסר `{ $name }` ב־`left`: הפריטים הבאים בלולאה הזאת
position-left = מה נותר ללולאות, לפי הסעיפים שלהן
position-to-come = רשימה של מה שעוד יבוא
position-loops-to-come = רשימה של { $count }: מה עוד יבוא בכל לולאה של { $name }
position-how-often = כמה פעמים { $name } עוד יחזור
position-option-number = מספר של אפשרות
position-option-action = הפעולה של אפשרות { $number }, { $action }
position-still-drawn = כמה רכיבים עוד יישלפו
position-within = { $what }, מ־{ $low } עד { $high }
position-place-of = מקום ב־{ $name }, לדוגמה { $sample }
position-passed = המשחק אינו נעצר כאן: אין מי שיחליט, או שאין רכיב נסתר להפוך
position-created = { $piece }: בעמדה { $count }, ובמשחק { $has }
position-lost = { $piece }: בעמדה { $count }, ובמשחק תמיד { $has }
position-lies-in = המקום: { $places }
position-stands-for = המקום: { $places }; ייתכן שבאחד מהם צריך להיות { $missing }, שאינו בעמדה
position-breaks = העמדה מפרה את { $clause }
position-none = אין

## Text logs

tag-game = המשחק
tag-players = השחקנים
tag-edition = מהדורה
tag-silence = שתיקה
tag-fingerprint = טביעת אצבע
tag-from = עמדה
tag-option = אפשרות
tag-reading = קריאה
tag-id = מזהה
tag-event = תחרות
tag-site = אתר
tag-date = תאריך
tag-round = סבב
tag-table = שולחן
tag-recorder = רושם
tag-language = שפה
text-number = המספר { $found } אינו לפי הסדר: היה צפוי { $expected }
text-number-hint = יש להוסיף את השורות החסרות לפניו, או לתקן את המספר; המהלכים נבדקים בכל מקרה
text-other-notation = אי אפשר לקרוא כאן { $sign }
text-comment-hint = הערה היא סוף השורה, אחרי `#`: יש לכתוב { $comment }
text-result-hint = יש לכתוב, בשורה נפרדת, { $ways }
text-claim-move = כאן `claim` קובע עובדה; המהלך נכתב `{ $move }`
text-action-meant = האם הכוונה: { $ways }?
text-claim-hint = אפשר לטעון: `scores 3, 4`, `winners { $player }`, `over`, או מה יש במצב או באזור, כמו `round = 3`
text-unfinished-hint = יש להשמיט: רישום יכול להסתיים לפני המשחק
typed-one-move = מקלידים מהלך אחד בכל פעם, ו־{ $move } הוא כבר המהלך הבא
typed-first = יש להקליד קודם { $move }
typed-in-log-only = { $part } מופיע רק ברישום, ואין מקלידים אותו כאן
typed-instead = יש להקליד מהלך או תוצאה, למשל `result agreed`; האפשרות `--save FILE` כותבת את הרישום, ושם אפשר להוסיף זאת
text-leave-out-hint = יש להשמיט, או לכתוב בהערה אחרי `#`
text-tag-hint = יש לכתוב { $tag } מעל השורה הריקה הראשונה
text-tags-hint = יש לכתוב { $tag }; נחוצים גם התגים `Game: NAME` ו־`Players: NAME, NAME`
text-comment-sign = הערה באה אחרי `#`
text-no-player = במהלך לא רשום שחקן, ולא ידוע של מי התור
text-several-movers = במהלך לא רשום שחקן, והתור כאן יכול להיות של { $players }
text-no-player-hint = יש לכתוב את השחקן לפני המהלך: { $moves }
text-expected = נדרש: { $expected }
text-blank-line = שורה ריקה מסיימת את הכותרת
text-twice = זה מופיע פעמיים בכותרת
text-two-lines = יש לכתוב שתי שורות: { $first } ו־{ $second }
text-line-in-header = זו שורה של { $player }, והכותרת עוד לא הסתיימה
text-line-in-header-hint = שורה ריקה מסיימת את הכותרת, ולכן יש לכתוב שורה ריקה לפני השורה הזאת; תג בשם זה נכתב { $tag }
text-after-quotation = כלום אחרי המירכאות
text-nothing-more = כלום מלבד זה
text-line-begins = מהלך מתחיל בשם השחקן וב־`:`, נקודות ומנצח ב־`claim`, סיום מוקדם ב־`result`; את כל השורות מציג `ludex games { $game } --moves`
text-semicolon = `;` או סוף השורה
text-claimed-twice = `{ $word }` נטען פעמיים בשורה הזאת
text-player-or-points = שחקן או נקודות
text-points-of-each = הנקודות של כל שחקן לפי שם, או של כולם לפי מושב
text-what-is-claimed = מה שנטען

## Walking through an event

walk-from = { $argument } מתוך { $domain }
walk-what-is-there = מה שיש
walk-applies = `{ $clause }` חל
walk-more = עוד { $count-grouped }
walk-outcome = { $outcome } ({ $share })
walk-perhaps = אולי { $fact }
walk-and-others = ועוד
part-after-declines = אולי נכון אחרי ויתורים שאינם רשומים
part-points =
    { $player }: { $points ->
        [1] נקודה אחת
       *[other] { $points } נקודות
    }
part-winners = הניצחון: { $winners }
part-no-winner = אין מנצח
part-is = { $name }: { $value }
part-holds = ב־{ $name } יש { $value }
part-size = { $name }: הגודל { $size }
part-result = { $how }; { $winners }
part-recorded = רשום: { $value }
part-in-play = במשחק: { $value }
part-as-begun = כמו בהתחלה

## The notation of events

notation-unclosed-text = המירכאות האלה אינן נסגרות
notation-bad-escape = אחרי קו נטוי הפוך בא בטקסט רק מה ש־JSON מתיר שם
notation-unclosed = הסוגר `{ $bracket }` אינו נסגר
notation-too-long = יש כאן יותר מ־{ $count-grouped } מילים, סימנים או חלקים; יותר מזה לא נקרא
notation-too-deep = הסוגריים מקוננים בעומק של יותר מ־{ $count } רמות
notation-expected = נדרש: { $expected }; נמצא: `{ $found }`
notation-expected-end = נדרש: { $expected }, אך הטקסט נגמר כאן
notation-a-value = ערך
notation-signs = `{ $first }` או `{ $second }`
notation-sign = `{ $sign }`
notation-event = נדרש מהלך, `{ $move }`, או תוצאה, `{ $outcome }`
notation-move = נדרש מהלך, `{ $move }`
notation-outcome-sign = תוצאה של אירוע אקראי נכתבת עם `=`, מהלך עם `:`
notation-colon-missing = חסר `:` אחרי השחקן { $player }
notation-colon = מהלך מתחיל בשם השחקן וב־`:`
notation-several-outcomes = כמה תוצאות בשורה אחת נכתבות כך: `{ $deal }`
notation-no-player = לפני `:` נדרש שחקן
notation-an-action = פעולה
notation-too-many =
    { $count ->
        [0] { $action }: אין כאן ערכים; `{ $found }` מיותר
        [one] { $action }: יש כאן ערך אחד; `{ $found }` מיותר
       *[other] { $action }: יש כאן { $count } ערכים; `{ $found }` מיותר
    }
notation-outcome-line = תוצאה של אירוע אקראי נכתבת בשורה נפרדת: `{ $form }`
notation-too-few = { $action }: עוד נדרש: { $needed }; הטקסט נגמר כאן
notation-needed = `{ $name }` ({ $form })
notation-form = נדרש: { $form }
notation-form-of = נדרש: { $type } בצורה { $form }
notation-parts = במקום `{ $sign }` אפשר לכתוב גם `{ $parts }`
notation-alone = נדרש: { $word } ללא נתונים
notation-write = יש לכתוב { $form }
notation-unknown-word = אין במשחק מילה `{ $word }`
notation-doubtful = `{ $word }` יכול לציין { $meanings }
notation-write-one = יש לכתוב אחד מהשמות האלה
cheat-title = { $title }: מהלכים ותוצאות
cheat-move = מהלך
cheat-chance = אירוע אקראי
cheat-line = שורות אחרות
cheat-deal = קלפים ששחקן אחד מקבל, בכל סדר
cheat-in-a-row = כמה תוצאות זו אחר זו, לפי הסדר
cheat-gap = מספר כלשהו של אירועים שלא נרשמו
cheat-gap-chance = מספר כלשהו של אירועים אקראיים
cheat-gap-count = מספר אירועים כזה
cheat-clock = מה שהשעון מראה, אחרי מהלך
cheat-name =
    { $number ->
        [1] אנה
        [2] בועז
        [3] גילה
        [4] דוד
        [5] הילה
        [6] ורד
       *[7] זיו
    }
cheat-bare = מהלכים עם מספרים, בלי שחקנים, כשברור של מי התור
cheat-scores = נקודות (נבדק)
cheat-winners = מי ניצח (נבדק)
cheat-over = המשחק נגמר (נבדק)
cheat-not-over = המשחק נמשך (נבדק)
cheat-cell = מה יש במצב או באזור (נבדק)
cheat-size = כמה רכיבים יש באזור (נבדק)
cheat-cells = מצבים ואזורים
cheat-resigned = כניעה של שחקן
cheat-time = נגמר הזמן לשחקן
cheat-agreed = תיקו בהסכמה
cheat-adjudicated = הניצחון נקבע בפסיקה
cheat-abandoned = המשחק הופסק
cheat-typed = התגים, המילים `deal`, `to`, `gap`, `clock`, `claim`, `result` והמילים שאחריהן זהים בכל השפות ונכתבים באותיות לטיניות; מילות המשחק נכתבות עם רווחים או עם `_`
cheat-names-too = במקום `{ $word }` אפשר לכתוב את השם שבכללים, { $names }; וכך בכל מילה של המשחק
cheat-notation = בכתיב
cheat-example = דוגמה
cheat-begin = רישום כטקסט, קובץ שם.ludexlog, מתחיל כך, ואחריו שורה ריקה:
cheat-short = במקום `{ $name }` אפשר לכתוב `{ $short }`, וכך גם את השם האחרון בכל נתיב
cheat-begins = משם של מהלך או אירוע אקראי די במילים הראשונות, אם אף שם אחר אינו מתחיל כך, או אם האירוע שייך למהלך שלפניו
cheat-hint = `?` מציין מה שלא נראה בזמן הרישום; טקסט אחרי `#` הוא הערה
games-head-game = משחק
games-head-players = שחקנים
games-head-editions = מהדורות
games-head-options = אפשרויות
games-head-title = שם
games-titles = שמות
games-players = שחקנים
games-editions = מהדורות
games-texts = טקסטים
games-options = אפשרויות
games-fork = צומת
games-default = ברירת המחדל
games-folder = תיקייה
it-has-nothing = אין כאלה
awaited-for = { $awaited } עבור { $player }

## The report of ludex diff (cli/diff_report)

diff-contradiction = הטקסטים סותרים זה את זה
diff-duty = מה חובה, מה רשות ומה אסור
diff-omission = מה שטקסט אינו אומר
diff-vagueness = מה שטקסט מותיר פתוח
diff-lacuna = מה שטקסט אינו מגיע אליו
diff-ruling = הכרעות בית: אף טקסט אינו אומר זאת
diff-summary = מה שרק תקציר משמיט
diff-silent = אין על כך דבר
diff-unworded = כלל שעוד לא נוסח במילים
diff-open = אפשר להבין כך
diff-or = או כך
diff-both = במקום אחד כתוב
diff-and-both = ובמקום אחר כתוב
diff-so-or = אפשר להבין את השורות באותו אופן, או כך:
diff-lost = קטוע כאן
diff-near = ליד
diff-adds = אם מוסיפים
diff-more = ועוד { $n }
diff-cut = אינו מגיע למה שטקסטים אחרים אומרים בשורות { $at } ({ $n })
diff-legal-moves = משנה מה מותר לעשות
diff-score = משנה נקודות או מנצח
diff-setup = משנה את ההכנה
diff-binds-play = נוגע למהלך המשחק, לפי השורות
diff-binds-score = נוגע לנקודות או למנצח, לפי השורות
diff-binds-setup = נוגע להכנה, לפי השורות
diff-none = לא נמצא משחק שמראה זאת
diff-unknown = לא שוחק
diff-decide = הכרעה
diff-undecided = טרם הוכרע
diff-decided = הוכרע
diff-changed = השתנה מאז ההכרעה
diff-new = חדש
diff-d-same = הטקסטים אומרים אותו דבר
diff-d-differ = הטקסטים חלוקים
diff-d-reading = זו אחת הקריאות האפשריות של השורות
diff-d-publisher = לשאול את המוציא לאור
diff-counts = הטקסט הקובע
diff-neither = לא נבחר
diff-comment = הערה
diff-earlier = הוכרע קודם
diff-why = מדוע
diff-readers = קוראי השורות
diff-clauses = סעיפים
diff-lines = שורות
diff-details = שורות, משחק, נימוקים
diff-kind = סוג
diff-effect = ליד השולחן
diff-what-differs = מה ההבדל
diff-section = פרק
diff-about = נושא
diff-name = שם
diff-state = מצב
diff-game = משחק שמראה זאת
diff-player = שחקן
diff-players = שחקנים
diff-events-before = אירועים לפני כן
diff-here = כאן הטקסטים נבדלים
diff-tables = מכאן המצב על השולחן שונה
diff-at-the-end = המשחק הסתיים
diff-at-the-start = המשחק מתחיל
diff-allows = מותר
diff-refuses = אסור
diff-stops = הכללים אינם אומרים מה הלאה
diff-goes-on = המשחק נמשך
diff-points = נקודות
diff-what = מה משתנה
diff-before = לפני
diff-after = אחרי
diff-nothing = כלום
diff-table-before = המצב על השולחן לפני כן
diff-whole = כמשחקים שלמים
diff-one-form = לשניהם צורה נורמלית אחת: זה אותו משחק
diff-all-plays = הושוו כל המשחקים האפשריים: זה אותו משחק. עמדות: { $positions }; שולחנות: { $tables }
diff-parted = משחק מראה שהם נבדלים
diff-not-found = בגבולות אלה לא נמצא משחק שבו הם נבדלים. אירועים: { $events }; משחקים: { $plays }; שחקנים: { $players }
diff-not-played = הם לא שוחקו זה מול זה
diff-timed-out = נעצר בגלל הזמן
diff-other-texts = הושוו לפי הטקסט „{ $text }”; גם הטקסטים האלה שונים: { $others } (ludex diff A B TEXT)
diff-incomplete = לא שלם: החיפוש אחר משחקים נעצר; גם מה שלא שוחק עשוי לשנות משחק
diff-parting = היכן הטקסטים נבדלים
diff-no-parting = בשום מקום, ככל הידוע.
diff-folded = לא מוצג, כי אינו מחייב איש או נוגע רק לתקציר (--all)
diff-rest = אינו מחייב איש או נוגע רק לתקציר
diff-search = חיפוש
diff-show = הצגה
diff-all-rows = הכול
diff-download = הורדת ההכרעות
diff-open-all = פתיחת הכול
diff-close-all = סגירת הכול
diff-skip = דילוג לשורות
diff-kept = ההכרעות נשמרות בדפדפן הזה עד להורדה.
diff-not-kept = הדפדפן הזה אינו שומר דבר: יש להוריד לפני סגירת הדף.
diff-no-rows = אין התאמה.
diff-keys = מקשים: / חיפוש, j ו־k לשורה הבאה והקודמת, o פותח או סוגר.
