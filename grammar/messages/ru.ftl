# Русский: docs/languages.md says how an entry is written.

## Lists, and texts put together

list-and = { $first } и { $last }
list-or = { $first } или { $last }
list-nothing = ничего
both = { $first }; { $second }
with-remark = { $text } ({ $remark })
and-more = { $items } и ещё { $count-grouped }
did-you-mean = может быть, `{ $word }`?
it-has = есть { $names }

## What a value should be

expected = ожидается: { $expected }; указано: { $found }
expected-boolean = true или false
expected-range = целое число от { $low } до { $high }
expected-number = число { $number }
expected-nothing = ничего
expected-seat = номер места от 1 до { $count }
expected-id = обозначение компонента: { $name }
expected-one-of = одно из: { $words }
words-in-all = ... (слов всего: { $count-grouped })
expected-record = { $name } по полям: { $fields }
expected-or-null = { $expected }, или null, если ничего нет
expected-set = список без повторений, каждый элемент: { $item }
expected-list = список, каждый элемент: { $item }
word-with = { $word } с полями { $fields }
word-with-sample = { $word } с данными, например { $sample }
word-alone = просто { $word } (без данных)
field-of-type = { $name } ({ $type })
fields-by-name = поля { $owner }, по именам: { $names }
only-fields = только поля { $names }
a-field = поле { $name }
field-needed = поле "{ $name }" ({ $type })
field-lacking = в { $owner } нет "{ $name }"
values-that-make = такие значения { $fields }, которые дают { $name }
items-once = каждый элемент только один раз
found-twice = { $item } во второй раз

## What was found instead

found-number = число { $number }
found-large = очень большое число
found-word = слово { $word }
found-empty-object = пустой { "{" }{ "}" }
found-fields =
    { $count ->
        [one] поле
        [few] поля
       *[many] поля
    } { $names }
found-empty-list = пустой список
found-list =
    список из { $count-grouped } { $count ->
        [one] элемента
        [few] элементов
       *[many] элементов
    }
found-no-json = то, чего в JSON нет

## Members and values of a record

no-such-member = { $owner }: поля { $name } не бывает
member-missing = { $owner }: не хватает поля { $name }
it-holds = его значение: { $what }
more-alike =
    { $message }; здесь та же ошибка ещё в { $count-grouped } { $count ->
        [one] месте
        [few] местах
       *[many] местах
    }
misplaced-unknown = `{ $word }` не может быть частью значения и не пишется в утверждении
misplaced-unknown-hint = так можно указать действие, аргумент или исход целиком или элементы списка
write = напишите { $text }
such-as = например, { $sample }

## Files

file-is-folder = это папка
file-is-pipe = это канал или устройство, и конца может не быть
file-pipe-hint = там, где команда принимает `-`, она читает стандартный ввод: { $sample }
standard-input = стандартный ввод
file-link-leads-nowhere = эта ссылка не ведёт ни к какому файлу
file-missing = такого файла нет
file-is-game = `{ $name }` — игра, которая есть в Ludex, а здесь нужен файл: { $log } начинает её запись, { $play } — новую партию
file-unreadable = файл не читается: { $reason }
file-too-large = в файле больше { $megabytes } МБ
file-other-encoding = файл в кодировке { $encoding }, а не в UTF-8
file-binary = это не текст: в нём есть нулевой байт
save-as-utf8 = сохраните файл в UTF-8
save-as-utf8-old = сохраните файл в UTF-8; возможно, он в старой кодировке, например Windows-1251
not-utf8 = байт { $byte } в UTF-8 недопустим
not-utf8-lines =
    { $message }; то же ещё в { $count } { $count ->
        [one] строке
        [few] строках
       *[many] строках
    }

## YAML

yaml-too-long =
    в файле { $count-grouped } { $count ->
        [one] знак
        [few] знака
       *[many] знаков
    }; читается не больше { $most-grouped }
yaml-too-many-values = в файле больше { $most-grouped } значений и имён полей; больше не читается
yaml-character-in-file = знак { $character } в текстовом файле недопустим
yaml-character-in-text = в этом тексте есть знак { $character }
yaml-number-too-large = число после этого `\U` или `%YAML` слишком велико
yaml-second-document = здесь начинается второй документ
yaml-tag = перед этим значением стоит тег ({ $tag })
yaml-too-deep =
    списки и поля вложены здесь глубже, чем на { $levels } { $levels ->
        [one] уровень
        [few] уровня
       *[many] уровней
    }
yaml-name-is = имя этого поля: { $what }
yaml-a-list = список
yaml-a-group = группа полей
yaml-no-text = число, true, false или ничего
yaml-quote-name = возьмите его в кавычки
yaml-quote-comma = текст с запятой нужно взять в кавычки
yaml-repeated-field = поле { $name } дважды указано в этой группе
also = { $name } тоже
here-already = оно уже есть здесь
yaml-leading-zero = число { $number } начинается с нуля
yaml-anchor = `{ $sign }` даёт значению имя, чтобы использовать его в нескольких местах
yaml-alias = `{ $sign }` повторяет значение, названное в другом месте
more-in-file = { $message } (и ещё { $count-grouped } в этом файле)
begins-here = начинается здесь
yaml-quotes = возьмите текст в кавычки
yaml-tab = здесь табуляция; в YAML допустимы только пробелы
yaml-value-begins = значение не может начинаться со знака { $sign }
yaml-neither = это не поле (`name: value`) и не элемент списка (`- value`)
yaml-neither-hint = после имени поля стоят двоеточие и пробел
yaml-item-here = элемент списка (`- ...`) здесь начинаться не может
yaml-item-hint = начните его с новой строки или возьмите в кавычки текст, который начинается с дефиса
yaml-colon-here = двоеточие начинает здесь поле, которого тут быть не может
yaml-colon-hint = возьмите в кавычки текст с двоеточием; или исправьте отступ либо двоеточие в строке выше
yaml-quote-open = эта кавычка не закрыта
yaml-quote-open-document = эта кавычка не закрыта до строки `---`
yaml-backslash = обратная черта перед { $sign } в тексте в двойных кавычках ничего не значит
yaml-backslash-hint = напишите две обратные черты или возьмите одинарные кавычки
yaml-short-escape = код с обратной чертой в этом тексте слишком короткий
yaml-two-backslashes = напишите две обратные черты
yaml-bracket-open = эта скобка не закрыта
yaml-bracket-hint = закройте её знаком { $sign }
yaml-comma = перед этим не хватает запятой или закрывающей скобки { $sign }
yaml-comma-hint = текст с запятыми, двоеточиями или скобками берут в кавычки
yaml-stray-sign = знак { $sign } здесь ничего не закрывает и не разделяет
yaml-no-continuation = это не продолжает строки выше
yaml-no-continuation-hint = сделайте отступ точно как у соседей; текст с кавычками внутри берут в кавычки целиком
yaml-breaks-off = файл обрывается здесь: не хватает значения
yaml-value-missing = перед { $sign } не хватает значения
yaml-stranger = это не относится ни к чему выше
yaml-stranger-hint = проверьте отступ; весь файл — одна группа полей
yaml-reference-sign = знаки & и * начинают ссылку, а имени за ними нет
yaml-tag-sign = знак ! начинает тег, а тега за ним нет
yaml-block = после | или > текст начинается со следующей строки
yaml-block-hint = возьмите в кавычки текст, который с них начинается
yaml-directive = строка, которая начинается с %, — директива YAML
yaml-unreadable = это не читается как YAML
yaml-question-mark = значение не может начинаться со знака ?

## Logs as text

log-empty = запись пуста
log-too-large = в записи больше { $megabytes } МБ; она прочитана до этого места
log-too-many-lines = в записи больше { $lines-grouped } строк; она прочитана до этого места
log-line-too-long = в этой строке больше { $kilobytes } КБ; запись прочитана до этого места
log-broken-letter = строка обрывается здесь, посреди знака
log-skipped =
    не читается { $count-grouped } { $count ->
        [one] строка
        [few] строки
       *[many] строк
    }; следующие строки, до строки { $last }, пропущены
log-no-object = строка записи — объект в фигурных скобках; здесь: { $found }
log-blank-line = эта строка пуста
log-blank-lines = эта строка пуста (и ещё { $count-grouped })
log-write-json-lines = длинную запись пишите в виде JSON Lines, по событию в строке
log-shape = запись: { $found }; должны быть поля со списком `events`
log-events-shape = `events`: { $found }; должен быть список
log-packed-damaged = сжатый файл повреждён
log-packed-broken-off = сжатый файл обрывается до своего конца
log-packed-too-large = сжатый файл при распаковке увеличивается более чем в { $times-grouped } раз; он прочитан до этого места
log-packed-too-many = в сжатом файле больше записей, чем { $free-grouped } и ещё по одной на каждый его байт; он прочитан до этого места
log-packed-package = для чтения Zstandard нужен пакет Python, который не установлен: { $install }
log-ends-at-header = этот заголовок заканчивает запись и начинает другую; если запись продолжается, его нужно удалить
log-begins-at-header = запись начинается с этого заголовка; если здесь продолжается предыдущая, его нужно удалить
fault-of-ludex = запись не удалось проверить, потому что произошёл сбой в самой программе Ludex: { $fault } ({ $place })
fault-of-ludex-places = вызвано из { $places }
fault-of-ludex-hint = сообщите о нём и приложите эту запись; верна ли она, неизвестно
file-name-empty = имя файла пусто; `.` — это текущая папка
folder-unopened = эту папку не удаётся открыть
folder-without-logs = в этой папке нет записей
pattern-without-files = этому шаблону не соответствует ни один файл
json-too-deep =
    объекты и списки вложены здесь глубже, чем на { $levels } { $levels ->
        [one] уровень
        [few] уровня
       *[many] уровней
    }
json-repeated-member = в объекте два поля { $name }
json-keep-one = оставьте одно из двух
json-missing = пропущено: { $what }
json-missing-before = перед { $sign } пропущено: { $what }
json-colon = двоеточие после имени { $name }
json-comma-member = запятая перед следующим полем или `{ $sign }` в конце объекта
json-comma-item = запятая перед следующим элементом или `{ $sign }` в конце списка
json-comma-closing = перед закрывающей `{ $sign }` стоит запятая
json-remove-comma = уберите запятую
json-half-character = в этом тексте половина знака: один `\ud...` из пары без другого
json-many-digits =
    в числе { $digits } { $digits ->
        [one] цифра
        [few] цифры
       *[many] цифр
    }; числа длиннее { $most } цифр не поддерживаются
json-no-number = это не число JSON
json-not-a-number = { $text } — не число JSON
json-remove-zero = уберите ноль в начале
json-breaks-off = строка обрывается здесь: { $message }
json-second-object = на этой строке есть второй объект
json-after-end = после конца объекта идёт { $sign }
json-object-open = объект, начатый в столбце { $column }, не закрыт
json-name-unquoted = имя { $name } без кавычек
json-double-quotes-names = пишите имена и тексты в двойных кавычках
json-double-quotes-texts = пишите тексты в двойных кавычках
json-name-expected = ожидается имя поля; указано: { $sign }
json-no-value = { $word } — не значение JSON
json-text-unquoted = текст { $text } без кавычек
json-value-missing = не хватает значения
json-byte-order-mark = здесь метка порядка байтов, как там, где соединили два файла
json-byte-order-mark-hint = уберите её: она может быть только в начале файла
json-value-expected = ожидается значение; указано: { $sign }
json-text-open = текст, начатый в столбце { $column }, не закрыт
json-close-with = закройте его знаком `{ $sign }`
json-no-escape = `{ $escape }` — не escape-последовательность JSON
json-backslash = обратная черта пишется так: { $sample }
json-control-character = в тексте управляющий знак { $character }
json-control-hint = напишите его как { $escape } или уберите

## The header

the-header = заголовок
format-version = версия формата { $version }
name-of-game = название игры
number-or-names = число игроков или список их имён
a-text = текст
a-date = дата, например { $samples }
tags-by-name = метки по именам
ids-by-name = обозначения игроков по именам
ids-of-nobody = игрока с именем { $name } нет
header-no-version = в заголовке нет `ludex`, версии формата ({ $version })
header-begin-with = начните его с { $sample }
header-add = добавьте { $sample }
log-no-header = запись не начинается с заголовка
at-least-one-player = хотя бы один игрок
a-name = имя
a-name-no-number = имя, а не число: число — это место
same-name = у двух игроков имя { $name }
same-name-hint = дайте каждому игроку своё имя
options-by-name = опции по именам
readings-by-name = прочтения по именам
name-of-reading = название прочтения

## Lines

a-move = ход
the-move = ход
a-chance-event = случайное событие
the-chance-event = случайное событие
a-result = итог
the-result = итог
a-result-by = итог `{ $way }`
a-claim = утверждение
the-claim = утверждение
a-deal = раздача
the-deal = раздача
a-position-value = объект с полями `state`, `unseen` и `flow`
a-gap = пропуск
a-note = заметка
list-of-cards = список карт
list-of-so-many-cards = список карт, от 1 до { $count-grouped }
length-of-gap = true, "{ $word }" или число пропущенных событий, от 1 до { $count-grouped }
length-of-gap-written = ничего, { $word } или число пропущенных событий, от 1 до { $count-grouped }
a-claim-or-note = утверждение или заметка
a-claim-about-cell = утверждение о состоянии или зоне
the-claim-about = утверждение ({ $name })
a-time = время, например { $sample }
both-move-and-chance = строка — и ход, и случайное событие
write-on-own-line = пишите каждое событие на отдельной строке
name-of-action = название действия
name-of-an-action = название действия
clause-that-raises = пункт правил, по которому оно происходит
second-header-in-file = это второй заголовок, а в файле здесь может быть только одна запись: разделите его перед этой строкой
second-header = это второй заголовок
seat-or-name = номер места или имя игрока
no-such-action = `{ $game }`: действия { $name } нет
no-such-chance = `{ $game }`: случайного события { $name } нет
in-the-edition = { $message } (редакция { $edition })
the-game-has = в игре есть { $names }
no-chance-events = в игре нет случайных событий
arguments-by-name = аргументы действия по именам
how-it-came-out = исход этого события
path-of-clause = путь к пункту правил
belongs-in-args = место для { $names } — в `args`
numbers-of-pools = номера пулов, через которые прошёл компонент
no-event-has = поля { $name } нет ни у какого события
unclear-line = строка — не ход, не случайное событие, не утверждение и не заметка
unclear-line-hint = у хода есть поле "action", у случайного события — поле "chance"

## Claims and results

one-or-more-of = одно или несколько: { $names }
expected-scores =
    очки { $count } { $count ->
        [one] игрока
        [few] игроков
       *[many] игроков
    } по местам или по именам
expected-winners = список победителей, пустой, если ничья остаётся без победителя
list-of-winners = список победителей
winners-once = каждый победитель только один раз
list-of-cell-claims = список утверждений о состояниях и зонах
what-it-holds = содержимое
name-of-cell = название состояния или зоны
list-of-indices = список из { $count }: { $indices }
no-index = без индекса или пустой список
size-needs-pile = `size` указывают только для стопки или мешка, а { $name } — ни то, ни другое
how-many-pieces = сколько там компонентов
points-needed = целое число очков
object-with = объект с полями { $names }
player-who-ended = игрок, из-за которого партия закончилась
loser-wins = игрок, из-за которого партия закончилась, указан среди победителей
one-of-these = одно из: { $names }
expected-seat-or-name = номер места от 1 до { $count } или имя ({ $names })

## Specifications that fail

fault-none = это `none`, а здесь нужно значение
fault-unseen = этот компонент неизвестен: его никто не видел
fault-zero = здесь число делится на 0
fault-too-large =
    это число слишком велико: в нём больше { $digits } { $digits ->
        [one] цифры
        [few] цифр
       *[many] цифр
    }
fault-too-many = здесь { $count }, а помещается не больше { $most }
fault-outside = значение здесь { $value }, а подходит только { $type }
fault-nothing = ничего
fault-no-arm = ни одна ветвь этого `match` не подходит; значение здесь { $value }
fault-contradiction = исключения { $one } и { $other } действуют здесь оба и дают разные значения
fault-nothing-to-rank = у `{ $word }` пустого набора нет значения
fault-not-one =
    для `{ $word }` здесь нужно ровно одно значение { $name }, а { $several ->
        [yes] их больше
       *[no] нет ни одного
    }
fault-not-listed = в этом списке нет такого элемента: { $item }
fault-too-late = это требование проверяется слишком поздно: отказать в ходе здесь уже нельзя
fault-no-actor = здесь нужно решение, но никто не ходит
fault-endless = этот цикл не кончается и не ждёт никакого события
fault-itself = возможность этого действия ({ $action }) зависит от самой себя
fault-no-draw = здесь не из чего выбирать наугад
fault-come-to-light = скрытые компоненты оказались бы там, где они видны
fault-no-value = правила не дают этому значения
fault-not-here = здесь нет ни одного из компонентов, которыми это может быть
fault-overfull =
    { $name }: здесь оказалось бы { $count } { $count ->
        [one] компонент
        [few] компонента
       *[many] компонентов
    }, а помещается не больше { $most }
fault-one-piece = { $name }: здесь помещается только один компонент
fault-not-there = отсюда ({ $name }) нельзя взять { $piece }: такого компонента здесь нет
fault-not-there-known = отсюда ({ $name }) нельзя взять { $piece }: насколько известно, такого компонента здесь нет
fault-no-piece = здесь нет компонента
budget-work = этот шаг требует больше работы, чем его лимит в { $limit-grouped } единиц
budget-game = эта партия требует больше работы, чем её лимит в { $limit-grouped } единиц
budget-tables = редакции, число игроков, опции и развилки дают больше столов для проверки, чем { $limit-grouped }, которые лимит допускает для игры такой длины
budget-items = в типах, диапазонах, состояниях и зонах здесь больше значений, чем допускает лимит: { $limit-grouped }
budget-calls = глубина вложенных вызовов здесь больше { $limit-grouped }
budget-depth = вложенные вызовы здесь длиннее, чем лимит в { $limit-grouped } выражений
budget-can = здесь вложено друг в друга больше { $limit-grouped } проверок `can`
budget-raise = `{ $option }` разрешает в десять раз больше
budget-mend-work = перебирайте меньше значений или отсекайте их условием раньше
budget-mend-tables = уберите опции или развилки или напишите игру короче
budget-mend-items = возьмите типы с меньшим числом значений, меньше типов или меньше состояний
budget-mend-depth = вкладывайте меньше вызовов: возьмите цикл или состояние для промежуточных результатов
budget-mend-can = сделайте так, чтобы друг от друга зависело меньше проверок `can`: запишите в define, что нужно каждой из них
budget-in-clause = { $message } (в { $clause })
fault-is-here = ошибка здесь

## Moves that are refused

seat = игрок { $number }
nobody = никто
refused-over = партия окончена, больше событий быть не может
refused-move-awaited = ожидается не случайное событие, а ход: { $awaited }
refused-other-chance = ожидается случайное событие { $awaited }, а не { $found }
refused-outcome = такой исход здесь невозможен: { $event }
refused-chance-awaited = ожидается случайное событие { $awaited }, а не ход
refused-player = { $player } сейчас не ходит; ожидается: { $awaited }
refused-unknown-action = в этой игре нет хода `{ $action }`
refused-decline = отказаться здесь нельзя; можно: { $offered }
refused-not-offered = здесь этого хода нет: { $action }; можно: { $offered }
refused-missing-argument = { $action }: нужен аргумент `{ $argument }`
refused-extra-argument = { $action }: аргумента `{ $argument }` нет
refused-wrong-argument = аргумент `{ $argument }` ({ $action }): ожидается { $expected }
stated-once = ровно одно значение
refused-choice = здесь нельзя выбрать { $value } ({ $action }: { $argument })
refused-requirement = { $event } нарушает { $clauses }
awaited-of = { $players } ({ $offered })

## Why a move is refused

why-as = { $first }, так как { $second }
why-facts = { $head }: { $facts }
why-does-not-hold = `{ $clause }` не выполнено
why-does-not-hold-then = `{ $clause }` не выполнено после хода
why-no-declining = от `{ $clause }` нельзя отказаться
why-on-offer = это доступно в { $places }; партия сейчас в `{ $here }`
why-only-if = это доступно в `{ $place }`, только если { $condition }
why-unless = это доступно в `{ $place }`, если не { $condition }
why-chosen-from = `{ $argument }` выбирается отсюда: { $domain }
why-chosen-missing = `{ $argument }` выбирается отсюда: { $domain }; там этого нет: { $values }
why-other-values = другие значения
why-fixed = здесь `{ $argument }` = { $values }
why-is = { $call } = { $value }
why-as-follows = { $call } — вот как это получается
why-is-in = { $piece } находится здесь: { $places }
why-can-only-be-in = { $piece }: может быть только здесь: { $places }
why-holds = { $text }: всего { $count }
why-all-of = для всех { $count } ({ $names })
why-none-of = ни для одного из { $count } ({ $names })
why-there-is-no = нет ни одного ({ $names })
why-in = { $name }: { $domain }
why-me = кто ходит
why-opponent = соперник

## Verdicts on events

verdict-option = запись проверена с { $options }: других `options` в её заголовке нет
verdict-option-range = { $name } = от { $low } до { $high }
verdict-option-legal = { $message }; она соответствовала бы правилам при { $options }
verdict-more-findings =
    ещё { $count-grouped } { $count ->
        [one] замечание
        [few] замечания
       *[many] замечаний
    }, до строки { $line }, не показано: сначала исправьте эти
verdict-passed-over = решение `{ $clause }` пропущено: ни один ход в нём не был возможен
verdict-left-out = возможно, перед этой строкой пропущен ход ({ $player }), например { $line }
verdict-known-piece = уберите строку, если она записана дважды или если кто-то знал, где лежит { $piece }: тогда это не случайность
verdict-several-ways = исход возможен несколькими способами; укажите `via`: { $ways }
verdict-outcomes =
    { $count ->
        [one] возможен
        [few] возможны
       *[many] возможно
    } { $count-grouped } { $count ->
        [one] исход
        [few] исхода
       *[many] исходов
    }
verdict-ambiguous = это по правилам только после отказа, а отказаться можно не одним способом
verdict-record-each = ожидается: { $awaited }; запишите каждый отказ
verdict-clause-fails = этот пункт не даёт ответа
verdict-rules-fail = спецификация игры здесь не даёт ответа: { $message }
verdict-after-result = итог партии указан раньше этой строки
verdict-over-before-result = партия закончилась по правилам раньше этого итога
verdict-not-filled = не найдено, каких строк здесь не хватает, хотя они могут быть: поиск исчерпал свой лимит; эта строка и следующие не проверены
verdict-not-filled-between =
    { $count ->
        [0] не хватает хотя бы одной строки между строкой { $line } и этой
       *[other] с найденными недостающими строками не хватает ещё хотя бы одной между строкой { $line } и этой, или одна из них должна быть в другом месте
    }; эта строка и следующие не проверены
verdict-not-filled-else = с найденными недостающими строками: { $finding }
verdict-not-filled-hint = впишите недостающие до этого места строки, насколько они известны, и проверьте ещё раз
verdict-not-placed = перечислены все недостающие строки, но на этих местах с ними эта строка недопустима; некоторые из них должны быть в другом месте среди предыдущих строк о случайных событиях: эта строка и следующие за ней не проверены
verdict-not-placed-hint = впишите известные значения, переставьте недостающие строки на их места и проверьте запись снова
verdict-without-values = перечислены все недостающие строки, но пока их значения неизвестны, возможных партий слишком много: тогда эта строка и следующие не проверяются
verdict-without-values-hint = впишите некоторые значения в недостающие строки и проверьте запись ещё раз
verdict-too-much-unknown = здесь слишком много неизвестного: эта строка и следующие не проверены
verdict-too-much-unknown-hint = запишите утверждением о состоянии то, что стало известно, например показанную руку
verdict-ends-early = запись кончается раньше партии
verdict-ends-early-awaited = запись кончается раньше партии; ожидается: { $awaited }
awaited-nothing = ничего, партия окончена
awaited-chance = случайное событие { $clause }
verdict-in-any-case = что бы ни должно было стоять в строке { $line }, это неверно
verdict-goes-on-position = отсюда партия воспроизводится дальше, с записанной позиции
verdict-goes-on-claim = отсюда партия воспроизводится дальше: отвергнутая строка могла означать разные события, а это утверждение верно лишь после одного из них
verdict-came-up = здесь тоже записано: { $piece }
verdict-could-go-on-position = с { $option } партия воспроизводится дальше с записанной здесь позиции
verdict-could-go-on-claim = с { $option } партия воспроизводится дальше после этого утверждения, если оно верно лишь в одной из возможных партий
verdict-other-position = записанная позиция расходится с партией: { $names }
verdict-swapped = эта строка и строка { $line } допустимы в обратном порядке, вместе с исходами за ними
verdict-whatever = это против правил при любом значении того, что записано как `{ $word }`

## Claims that are wrong

claim-again =
    { $count ->
        [one] ещё { $count-grouped } утверждение о том же неверно, последнее здесь
        [few] ещё { $count-grouped } утверждения о том же неверны, последнее здесь
       *[many] ещё { $count-grouped } утверждений о том же неверны, последнее здесь
    }
claim-points =
    { $player }: { $points } { $points ->
        [one] очко
        [few] очка
       *[many] очков
    }, а не { $claimed }
claim-part = { $clause }: { $points }
claim-over = партия окончена
claim-going-on = партия не окончена; ожидается: { $awaited }
claim-nobody-yet = по правилам победителя ещё нет: партия не окончена; победителей при досрочном окончании указывают в `result`
claim-winners = победа: { $winners }, а не { $claimed }
claim-tie = по правилам эта ничья остаётся без победителя: список победителей должен быть пустым
claim-size = { $name }: размер { $size }, а не { $claimed }
claim-unseen = { $name }: никто не видел, что там находится
claim-is = { $name }: { $value }, а не { $claimed }
claim-holds = { $name }: там { $value }, а не { $claimed }
claim-goes-on = партия продолжается
claim-points-impossible =
    { $player }: { $points } { $points ->
        [one] очка
        [few] очков
       *[many] очков
    } здесь быть не может
claim-won-impossible = таких победителей здесь быть не может
claim-size-impossible = { $name }: размера { $size } здесь быть не может
claim-cells = в `{ $game }` есть { $names }
claim-be-impossible = { $name }: здесь невозможно значение { $value }
claim-can-be = { $name }: здесь может быть только { $values }
claim-hold-impossible = { $name }: здесь невозможно содержимое { $value }
claim-can-hold = { $name }: здесь может быть только { $values }

## The game that a header names

tag-doubtful = { $name } понято как метка; на правила она не влияет
tag-language-unknown = `{ $game }`: слов на языке { $name } нет
tag-result-hint = напишите итог последней строкой: `claim winners ИМЯ` или `result resigned ИМЯ`
tag-result-line-hint = напишите итог последней строкой, например { $line }
tag-member-hint = напишите { $member } рядом с { $tags }, а не внутри
game-beside = в папке записи есть другая игра { $name }; запись проверена по той, что входит в Ludex
game-beside-hint = напишите { $name }, чтобы назвать ту, что в папке
game-path-hint = путь начинается от папки записи или от текущей; или напишите название игры и укажите --game PATH
game-unknown = игры { $name } здесь нет
game-given = данная спецификация описывает { $names }
game-given-hint = название игры в заголовке записи и в спецификации должно быть одним и тем же
game-have-spec-hint = если у вас есть её спецификация (она начинается с { $beginning }), укажите --game PATH
question-and = { $first } { $second }
game-at-fault = в спецификации { $name } есть ошибки, проверить по ней запись нельзя
game-fault = { $code }: { $message }
game-fault-elsewhere = { $code } в файле { $file }
game-forbidden = игра { $name } — файл, который записям здесь нельзя называть
game-forbidden-hint = назовите игру, которая входит в Ludex; файлы папки может разрешить тот, кто проверяет запись
game-no-edition = `{ $game }`: редакции { $name } нет
game-no-option = `{ $game }`: опции { $name } нет
game-option-needs = опция { $name }: ожидается { $expected }
game-decides-fork = в редакции { $edition } развилка { $name } уже решена: { $reading }
game-decides-hint = возьмите другую редакцию
game-no-silence = для silence можно { $names }, а указано { $found }
game-no-fork = `{ $game }`: развилки { $name } нет
game-no-reading = у развилки { $fork } нет прочтения { $name }
game-players = `{ $game }`: игроков должно быть { $allowed }, а не { $players }
number-to = от { $low } до { $high }
game-fingerprint = отпечаток игры { $fingerprint }, а в записи { $claimed }
game-fingerprint-hint = запись сделана по другим правилам или данным компонентов и всё же воспроизведена; если те правила у вас есть, укажите --game PATH

## Missing lines

missing-lines =
    перед этой строкой не хватает { $count ->
        [one] { $count-grouped } строки
        [few] { $count-grouped } строк
       *[many] { $count-grouped } строк
    }
missing-lines-may-be =
    перед этой строкой, возможно, { $count ->
        [one] не хватает { $count-grouped } строки
        [few] не хватает { $count-grouped } строк
       *[many] не хватает { $count-grouped } строк
    }: { $lines }; все недостающие перечисляет `--fill`
undealt-not-written = не записаны карты, которые получает { $player }
undealt-add = допишите `{ $line }`
undealt-too-few = { $player } получает карт: { $count }, а в строке { $line } записано { $listed }
missing-lines-among-hint =
    напишите перед ней { $count ->
        [1] эту строку
       *[other] эти строки
    } или в другом месте среди соседних строк о случайных событиях, а вместо `{ $word }` — то, что известно
missing-lines-hint =
    напишите перед ней { $count ->
        [1] эту строку
       *[other] эти строки
    }, а вместо `{ $word }` — то, что известно
undealt-card = эта карта здесь не сдаётся
undealt-card-awaited = эта карта здесь не сдаётся; ожидается: { $awaited }
gap-too-long = столько событий здесь пропущено быть не может: партия кончилась бы раньше
too-much-unknown-missing = напишите недостающие строки и проверьте ещё раз: дальше может не хватать других

## The schema of logs

schema-title = Запись игры { $game }, редакция { $edition }, игроков: { $count }
schema-title-player = игрок
schema-title-unknown = неизвестно
schema-title-decline = отказ
schema-log = Целая запись как список строк или как объект с `events`; или одна строка записи.
schema-unknown = Записывающий не мог этого видеть.
schema-player = Игрок: номер места от 1 или имя из заголовка.
schema-ludex = Версия формата.
schema-game = Название игры или путь к её спецификации.
schema-edition = Текст правил, по которому играли.
schema-silence = Что делать с правилом, которого в тексте нет: взять из другого текста или обойтись без него.
schema-fingerprint = Отпечаток правил и данных компонентов.
schema-players = Число игроков или список имён в порядке мест.
schema-options = Опции игры, отличные от значений по умолчанию, по именам.
schema-readings = Прочтения развилок, отличные от принятых по умолчанию, по развилкам.
schema-tags = Метки по именам: где и когда играли.
schema-ids = Как клуб или сайт обозначает игроков, по именам.
schema-from = Позиция, с которой начинается партия, или путь к файлу с ней; если не указана, партия начинается с начала.
schema-note = Заметка для читателя; на проверку она не влияет.
schema-events = Ходы, случайные события, утверждения и заметки по порядку.
schema-action = Действие игрока.
schema-args = Аргументы действия по именам.
schema-clock = Показание часов игрока: минуты и секунды или часы, минуты и секунды.
schema-chance = Пункт правил, по которому бросают кубик или открывают карту.
schema-deal = Пункт правил, по которому сдают карты: одна строка на несколько событий.
schema-to = Игрок, который получает карты.
schema-cards = Карты в любом порядке.
schema-position = Вся позиция после этой строки, как её пишет `ludex show --format position`.
schema-gap = Незаписанные события: сколько их, или что пропущены только случайные.
schema-outcome = Исход случайного события.
schema-via = Пулы, через которые прошёл компонент; почти никогда не нужны.
schema-result = Как игроки закончили партию раньше, чем по правилам.
schema-winners = Победители; пустой список, если ничья остаётся без победителя.
schema-claim = Что игроки сказали о позиции после этой строки; это проверяется.
schema-scores = Очки по местам или по имени либо номеру места игрока.
schema-terminal = Окончена ли партия.
schema-state = Что находится в состояниях и зонах.
schema-of = Название состояния или зоны.
schema-at = Индексы по порядку.
schema-size = Число компонентов в зоне.
schema-decline = Отказ от того, от чего можно отказаться.
schema-requires = Требуется: { $names }

## Frames of reports

label-why = пункт
label-note = заметка
label-hint = совет
label-legal = можно
warning = предупреждение
borrowed-from = взято из { $text }
count-errors =
    { $count-grouped } { $count ->
        [one] ошибка
        [few] ошибки
       *[many] ошибок
    }
count-warnings =
    { $count-grouped } { $count ->
        [one] предупреждение
        [few] предупреждения
       *[many] предупреждений
    }
no-faults = ошибок нет
count-events =
    { $count-grouped } { $count ->
        [one] событие
        [few] события
       *[many] событий
    }
count-logs =
    { $count-grouped } { $count ->
        [one] запись
        [few] записи
       *[many] записей
    }
count-outcomes =
    { $count-grouped } { $count ->
        [one] исход
        [few] исхода
       *[many] исходов
    }
count-moves =
    { $count-grouped } { $count ->
        [one] ход
        [few] хода
       *[many] ходов
    }
count-clauses =
    { $count-grouped } { $count ->
        [one] пункт
        [few] пункта
       *[many] пунктов
    }

## Verdicts

report-legal = по правилам
report-unjudged = проверено не до конца
report-findings = есть замечания
report-unreadable = не читается
report-fault = не проверено из-за сбоя Ludex
report-line = строка { $line }
report-no-game = игра не указана
report-stopped = остановлено раньше, чем проверены все записи
report-row = { $file }: { $verdict }
report-played = воспроизведено событий: { $played-grouped } из { $count-grouped }, до строки { $line }
report-resumed = воспроизведено событий: { $played-grouped } из { $count-grouped }, с перерывом со строки { $line }
report-not-played =
    { $count ->
        [0] ни одно событие не воспроизведено
       *[other] воспроизведено событий: 0 из { $count-grouped }
    }
report-consequences =
    { $count ->
        [one] ошибка в строке { $lines } может быть лишь следствием этой
        [few] ошибки в строках { $lines } могут быть лишь следствием этой
       *[many] ошибки в строках { $lines } могут быть лишь следствием этой
    }
report-judging = запись проверяется { $seconds } с
report-bar = проверка
report-filled-in =
    { $count ->
        [one] дописан
        [few] дописано
       *[many] дописано
    } { $count-grouped } { $count ->
        [one] отказ
        [few] отказа
       *[many] отказов
    }
report-in-one = { $words } для одной из возможных партий
end-resigned = { $player } сдаётся
end-time = { $player }: время вышло
end-agreed = игроки договорились об итоге
end-adjudicated = итог присуждён судьёй
end-abandoned = партия прервана
wins =
    { $who } { $count ->
        [one] побеждает
        [few] побеждают
       *[many] побеждают
    }
share-the-win = { $who } делят победу
by-clause = { $who } ({ $clause })
result-tie = ничья: победителя правила не определяют
count-legal = по правилам: { $count-grouped }
count-unjudged = проверено не до конца: { $count-grouped }
count-findings = с замечаниями: { $count-grouped }
count-unreadable = не читается: { $count-grouped }
count-fault = не проверено из-за сбоя Ludex: { $count-grouped }
count-none = ни одной
sum-edition = { $game }, редакция { $edition }: { $words }
sum-passed-over =
    { $count ->
        [one] пропущен
        [few] пропущено
       *[many] пропущено
    } { $count-grouped } { $count ->
        [one] файл
        [few] файла
       *[many] файлов
    } ({ $reason }): { $names }
sum-more-in-json = { $names } и ещё { $count-grouped } (все — { $option })
sum-legal-by = { $edition } — { $count-grouped }
sum-legal-of = { $game }, по правилам из { $logs }: { $editions }
its-own = { $edition } (своя)
edition-breaks = нарушение { $where }
edition-see-above = { $words }; см. выше
where-before = до первого события, строка { $line }
where-at = в событии { $event } из { $events }, строка { $line }
where-after = после события { $event } из { $events }, строка { $line }
origin-own = своих пунктов: { $count-grouped }
origin-borrowed = взято из { $text }: { $count-grouped }
origin-borrowed-several = взято: { $count-grouped } ({ $texts })
origin-from = { $count-grouped } из { $text }
origin-ruled = решено: { $count-grouped }
reason-convention = по обычаю: { $text }
reason-ruling = по решению: { $text }
origin-convention = по обычаю: { $count-grouped }
origin-shared = общих: { $count-grouped }
origin-literal = { $words }; то, что есть только в других текстах, опущено
origin-command = { $words } ({ $command })

## Frames of a game that is shown or played

view-yes = да
view-no = нет
view-none = ничего
view-noted = записано { $count }
view-hidden = скрыто { $count }
view-unseen = не видно { $count }
view-more = и ещё { $count-grouped }
view-top = (сверху)
view-empty = пусто
view-of = { $element } ({ $player })
show-head =
    { $title }, после { $count-grouped } { $count ->
        [one] события
        [few] событий
       *[many] событий
    }
show-edition = { $title }, редакция { $edition }
show-last = { $head }: { $event }
show-as = { $head }; видит { $player }
the-game-is-over = партия окончена
chance-awaited = ожидается случайное событие: { $clause }
chance-awaited-outcomes =
    ожидается случайное событие: { $clause }, { $count-grouped } { $count ->
        [one] исход
        [few] исхода
       *[many] исходов
    }
to-move = ход: { $who }
show-may-hold = { $place }, возможное содержимое ({ $count }): { $values }
show-may-be = { $place }: { $values }
show-sampled = начиная со строки { $line } возможных партий больше, чем можно проследить: показано общее в найденных партиях, другие могут отличаться
show-more-moves = и ещё { $count-grouped } (все — { $option })
show-not-legal = эта строка не по правилам; причину назовёт `{ $command }`, но покажет и скрытое
play-to-move = ход: { $player }
play-game-over = Партия окончена.
play-tie = Ничья: победителя правила не определяют.
play-nobody-wins = Победителя нет.
play-pass = Передайте устройство ({ $player }), после этого нажмите Enter
play-alone = --- видит только { $player } ---
play-unseen = не видно { $count }
play-for = кому: { $player }
play-times =
    { $event } ({ $count } { $count ->
        [one] раз
        [few] раза
       *[many] раз
    })
play-rows-before =
    до этого { $count } { $count ->
        [one] строка
        [few] строки
       *[many] строк
    } (все — `{ $command }`)
play-not-written = запись не сохранена: { $reason }
play-no-undo = вернуть нечего: ходов не было
play-no-undo-kept = вернуть нечего: ходы из { $file } остаются
play-name-the-file = назовите файл: `{ $command }`
play-nothing-yet = ходов ещё не было, сохранять нечего
play-saved = сохранено в { $file }
play-input-ended = ввод окончен
play-stopped = остановлено
play-stopped-after =
    { $stop } после { $count-grouped } { $count ->
        [one] события
        [few] событий
       *[many] событий
    }
play-type = введите { $what } или `{ $command }`
play-number = число от 1 до { $count }
play-sign = знак перед вариантом
play-with = { $question } (уже: { $taken })
play-nothing-may-come = здесь больше ничего не нужно, а введено `{ $word }`
play-nothing-may-come-after = после `{ $read }` больше ничего не нужно, а введено `{ $word }`
play-not-offered = `{ $word }` сейчас выбрать нельзя
play-not-offered-after = `{ $word }` нельзя выбрать после `{ $read }`
play-not-understood = `{ $word }` непонятно
play-not-understood-after = `{ $word }` после `{ $read }` непонятно
play-not-legal = { $event } сейчас не по правилам: { $reason }
play-unknown-reason = причина от вас скрыта
play-nearest = ближе всего { $word }
play-seed = { $option } повторит те же случайные события
play-help-number = вариант с этим номером
play-help-move = как в списке или только значения: { $samples }; первые слова сужают список
play-help-result = закончить партию по решению игроков: { $samples } или другая строка, как в текстовой записи
play-help-enter = единственный вариант, если он один; иначе снова список
play-help-back = на шаг назад, если ход выбирается по шагам
play-help-view = снова показать стол
play-help-cards = что напечатано на каждом видимом компоненте
play-help-log = все события, как вы их видели
play-help-undo = вернуть последний ход
play-help-save = сохранить запись
play-help-quit = закончить (или { $short })
play-help-colon = Двоеточие перед словом ({ $sample }) делает его командой, если так называется и ход.
play-help-a-number = число
play-help-a-move = ход
play-no-log = запись не велась (её ведёт `{ $option }`)
play-go-on = чтобы продолжить: { $command }
play-log-is-in = запись в { $file }
play-outcome = Каков исход события «{ $clause }»?
play-outcome-for = Каков исход события «{ $clause }» ({ $player })?
play-possible = можно { $words }

## Files that are passed over

over-no-ending = имя кончается не так, как у записи ({ $endings })
over-no-header = нет заголовка с полем `{ $member }`
over-git = там история репозитория
over-linked-folder = по ссылке на папку переход не делается
over-judged = этот файл уже проверен
over-read = стандартный ввод можно прочитать только один раз: второй `-` пропущен
sum-kept = проверено в прошлый раз и не показано снова: { $logs }
sum-left-out = здесь опущено: { $logs }; в сводку входит не больше { $size }
new-log-begins = Здесь начинается партия.
new-log-example = Каждое событие — элемент этого списка, например:

## Commands that are used wrongly, or carry logs to other rules

usage-of = Вызов: { $usage }
usage-try = Справка: '{ $command }'.
usage-error = Ошибка: { $message }
usage-no-argument = Не указано '{ $name }'.
usage-no-value = Не указана опция '{ $name }'.
usage-no-option = Опции '{ $name }' нет.
usage-no-option-near = Опции '{ $name }' нет. Может быть, { $near }?
usage-no-option-among = Опции '{ $name }' нет. Может быть, одна из: { $near }?
usage-needs-value = Опции '{ $name }' нужно значение.
usage-takes-none = У опции '{ $name }' нет значения.
usage-invalid = Неверное значение '{ $name }': { $message }
usage-not-valid = '{ $value }' не подходит: ожидается { $kind }.
usage-not-among = '{ $value }' не подходит; можно { $choices }.
usage-outside = { $value } вне диапазона { $range }.
usage-too-many = Лишнее слово ({ $names })
usage-too-many-several = Лишние слова ({ $names })
usage-no-file = Файла '{ $name }' нет.
usage-no-directory = Папки '{ $name }' нет.
usage-no-path = '{ $name }' не существует.
usage-is-directory = '{ $name }' — папка, а не файл.
usage-is-file = '{ $name }' — файл, а не папка.
usage-not-readable = Файл '{ $name }' нельзя прочесть.
usage-not-writable = Файл '{ $name }' нельзя записать.
usage-seconds = { $value } — не число секунд.
other-game = в записи игра { $asked }, а дана { $name }
other-game-hint = дайте игру, названную в записи, или никакой
other-engine = в записи игра { $asked }, а данный движок играет в { $name }
other-engine-hint = дайте движок игры из записи или никакого
other-table = данный движок играет в { $name } на других условиях, чем в записи
other-table-hint = загрузите движок с игроками, редакцией, опциями и прочтениями из заголовка записи
it-has-none = ни одной нет
usage-whole-number = целое число
usage-integer = целое число
usage-no-command = команды `{ $word }` нет; { $hint }
usage-commands = команды: { $names }
usage-language = сообщений на `{ $tag }` нет; есть на { $names }
usage-no-words = --lang: в `{ $game }` нет слов на `{ $tag }`; { $known }
usage-words-in-none = слов нет ни на одном языке
usage-seed = { $value } не годится: нужно целое число от 0 до { $most }.
usage-names = --names: каждому игроку нужно своё имя, и не число
usage-names-count =
    в --names { $count } { $count ->
        [one] имя
        [few] имени
       *[many] имён
    }, а игроков { $players }
usage-form = `{ $value }` не имеет вида { $form }
usage-given-twice = `{ $name }` указано дважды
usage-one-log = для { $option } нужна одна запись
usage-event-place = `{ $value }` — не номер события и не `line:` с номером его строки, например `line:12`
usage-not-with = { $option } нельзя указать вместе с { $other }
usage-text-or-json = { $option } пишется как text или json
usage-folder = { $name } — папка; назовите одну запись
usage-no-folder = { $name } — не папка
usage-exists = { $name } уже есть; выберите другое имя
usage-exists-resume = { $name } уже есть; выберите другое имя или продолжите с --resume
usage-exists-other = { $name } уже есть, и там другое; выберите другую папку
usage-changed = { $name } тем временем изменился; сохраните партию в другой файл: `{ $command }`
usage-not-created = не удаётся создать { $name }: { $reason }
usage-not-written = не удаётся записать { $name }: { $reason }
usage-results-hyphen = для --results нужно имя файла: `-` означает стандартный вывод, а он не может быть базой данных
usage-no-results = { $name } не годится для результатов: { $reason }
usage-results-of-other = { $name } от другой версии Ludex и остаётся как есть
usage-results-damaged = файл { $name } повреждён и оставлен как есть: его таблица `{ $table }` не та, что в файле результатов
usage-other-database = { $name } — не файл результатов и остаётся как есть
usage-beyond = --at { $at }: { $file }: { $events }
usage-explain-nothing = в строке { $line } файла { $file } ничего не записано
usage-explain-line = строка { $line } файла { $file } — { $what }; о состоянии партии в ней ничего не сказано
explain-after-fault = событие { $number } идёт после этой строки, поэтому проверить его нельзя
explain-line-after-fault = поэтому строку { $line } объяснить нельзя
explain-may-lead = { $after }; дойти дотуда могут помочь { $options }
usage-beyond-explain = --explain { $at }: { $file }: { $events }
show-beyond-end = { $words }, а это место дальше конца записи
show-before-fault = { $words }; до ошибки можно показать { $count } (`{ $option }`)
usage-unknown-state = { $file }: часть записи неизвестна (`unknown`), поэтому неизвестна и позиция; { $ways }{ $open }
usage-unknown-view = { $file }: часть записи неизвестна (`unknown`), и { $player } тоже может её не знать; { $ways }{ $open }
unknown-way-at = `--at` покажет более раннюю позицию
unknown-way-before = `--at` с меньшим числом покажет более раннюю позицию
unknown-way-as = `--as` покажет то, что знает игрок, который видел всё, что ему положено видеть
unknown-way-all = без `--as` будет показано всё, что известно
usage-unknown-end = { $file }: не всё известно (`unknown`), продолжить партию с её конца нельзя{ $open }
usage-unknown-begin = { $file }: не всё известно (`unknown`), начать с её конца нельзя
usage-of-other-game = { $file } — запись игры `{ $other }`, а не `{ $game }`
usage-position-of = { $file } относится к `{ $other }`, а не к `{ $game }`
usage-ends = { $file } кончается итогом: { $words }
usage-resume-or-from = --resume продолжает запись, а --from начинает новую партию; укажите одно
usage-resume-table = --resume берёт условия партии из записи; уберите --names и опции партии
usage-from-table = --from берёт условия партии из позиции; уберите опции партии
usage-resume-file = для --resume нужен файл: стандартный ввод служит для ввода ходов
usage-layout = в { $name } строку не добавить из-за его вида; назовите другой файл: --save FILE
usage-stdin-stays = { $option } пишет в файлы, а стандартный ввод не файл
usage-no-fingerprint = отпечаток в { $name } не вписать из-за его вида
usage-out-or-in-place = --out пишет новые файлы, а --in-place прежние; укажите одно
usage-out-or-to = укажите выходной файл (OUT) или формат (--to)
usage-out-ending = { $name }: окончание имени не определяет формата; подойдёт .jsonl, .yaml, .ludexlog или --to
usage-several-logs = { $name }: записей { $count }, а файл этого формата содержит одну; нужны --to и папка OUT
usage-yaml-name = { $name }: имя записи должно кончаться на .yaml
usage-report-alone = --report печатает одну схему для всех игр; уберите игру и другие опции
usage-no-schema = назовите игру или, после --report, отчёт, схему которого напечатать
usage-no-components = у игры `{ $game }` нет файла компонентов
usage-with-moves = опции партии даются вместе с --moves
usage-one-game = для --moves нужна одна игра
usage-position-of-log = --format position — для записи; --merged показывает игру
usage-position-of-all = --format position пишет всё и сочетается только с `--as { $all }`
usage-for-log = { $option } — для записи; --merged показывает игру
usage-for-merged = { $option } — для --merged, который показывает игру; здесь запись
usage-nobody = игрока `{ $name }` нет; игроки: { $known }; `{ $all }` показывает всё
usage-no-edition = `{ $game }`: редакции `{ $edition }` нет; есть { $names }
usage-no-editions = `{ $game }`: редакции `{ $edition }` нет: текст один, редакций нет
usage-no-code = кода `{ $code }` нет: { $hint }
usage-all-codes = все коды на странице { $page }
note-shipped-game = заметка: `{ $name }` — игра, которая входит в Ludex; та, что в этой папке, — `{ $path }`
wrote-two = записано: { $one } и { $other }
over-endings = { $endings }, также с { $packed }
walk-legal = событие { $number } по правилам: { $event }
walk-may-be-legal = событие { $number }, возможно, по правилам: { $event }; не всё, что было раньше, известно
walk-unseen-legal = событие { $number }, возможно, по правилам: { $event }; известно не всё, что в нём было
walk-illegal = событие { $number } не по правилам: { $event }
walk-holds = да
walk-fails = нет
walk-open = может быть
part-true = строка { $line } (событий до этого места: { $events }): { $what }, всё верно
part-false = строка { $line } (событий до этого места: { $events }): { $what }, не всё верно
part-open = строка { $line } (событий до этого места: { $events }): { $what }, возможно, всё верно; не всё, что было раньше, известно
migrate-refused = по правилам, на которые переносят запись, она недопустима
migrate-refused-now = по прежним правилам можно; по изменённым: { $message }
migrate-changed = изменено: { $names }
migrate-declines = по изменённым правилам в записи опущены другие отказы, чем по прежним
migrate-after = после { $event }
migrate-at-beginning = в начале
migrate-differs = { $place }, { $what }: { $before } по прежним правилам, { $after } по изменённым
migrate-differs-first = отсюда партии расходятся: { $difference }
migrate-outcomes-of = исходы { $clause }
migrate-with-share = { $outcome } с вероятностью { $share }
migrate-not-old = запись не по прежним правилам
migrate-unknown = без прежних правил неизвестно, остались ли прежними { $what }
migrate-unclaimed = { $names } и позиции
migrate-between-claims = позиции между утверждениями
migrate-unknown-hint = укажите прежние правила: --from-spec, или впишите в запись утверждения о том, что было
migrate-no-completion = по прежним правилам можно; по изменённым нельзя при любых значениях неизвестного в записи
migrate-all-differ = при любых значениях неизвестного в записи партия по изменённым правилам идёт иначе
migrate-each-differs = при любых значениях неизвестного в записи партия по изменённым правилам идёт иначе, например: { $difference }
migrate-some-differ = важно ли изменение, зависит от того, что в записи неизвестно
migrate-too-many = в записи неизвестно слишком многое, чтобы сравнить по обоим правилам все возможные партии
migrate-undecided-hint = впишите в запись утверждения о том, что было, или перенесите её как есть: { $option }
migrate-unseen-pieces = скрытые компоненты
migrate-awaited = что ожидается
migrate-to-move = чей ход
migrate-outcomes = исходы случайного события
migrate-points = очки
migrate-winners = победители
migrate-of-scores = очки
migrate-of-winners = победители
migrate-awaits-chance = случайное событие
migrate-awaits-move = ход
migrate-awaits-nothing = ничего
migrate-settings = { $file }: в заголовке надо указать значения, которые больше не приняты по умолчанию: { $settings }
migrate-can = { $file }: перенести можно
migrate-can-written = { $file }: перенести можно, записано в { $place }
migrate-cannot = { $file }: перенести нельзя
migrate-undecided = { $file }: не решено, не перенесено
migrate-sum = { $logs }: перенести можно { $can-grouped }, нельзя { $cannot-grouped }
migrate-sum-undecided = { $sum }, не решено { $count-grouped }
no-game = игры `{ $name }` нет
no-game-file = файла или папки `{ $name }` нет
not-a-spec = `{ $name }` — не спецификация: имя спецификации кончается на `{ $suffix }`
not-a-spec-log = если это запись игры, её проверяет { $judge }, а показывает { $show }
not-a-spec-beside = назовите папку `{ $folder }`: её игра говорит, какие данные ей нужны; { $log }
no-game-in-folder = в папке `{ $name }` нет файла игры
no-game-in-folder-hint = игра — это файл `{ $sample }`
several-games = в папке `{ $name }` несколько игр
several-games-hint = назовите одну: { $names }
shipped-games = игры в Ludex: { $names }

## The page of a code

explain-error = { $code } { $name }, ошибка
explain-warning = { $code } { $name }, предупреждение
explain-mend = Как исправить: { $words }
explain-mended = Исправлено:
explain-in-english = Страница этого кода есть только на английском.

## Positions

from-expected = позиция или путь к файлу с ней
from-no-file = запись начинается с позиции из файла { $name }, а такого файла нет
from-looked = путь к позиции начинается от папки записи или от той, где работает команда
from-never-here = партия никогда не бывает в этой точке с такими оставшимися шагами
from-rules-fail = партия не продолжается с этой позиции: { $message }
from-unreachable = возможно, ни одна партия не приводит к этой позиции: проверьте значения в ней
from-is-log = { $file } — запись, а нужна позиция: заголовок с позицией в `from` и без событий
from-is-log-hint = `{ $command }` пишет позицию на любом событии записи
from-file-fault = { $file }: { $message }
from-unread = { $file } не читается как позиция
from-unread-hint = что в нём не так, говорит `{ $command }`
from-forbidden = запись начинается с позиции из файла { $name }, который записям здесь нельзя называть
from-forbidden-hint = напишите в `from` саму позицию
from-other-game = позиция из другой игры: { $setting } = { $found }, а не { $wanted }
position-empty-file = файл позиции пуст
a-position = позиция
position-expected = позиция, с полями { $members }
position-the-game = игра
position-a-place = точка хода игры
position-this-place = эта точка
position-under-way = то, что здесь начато
position-this = это
position-by-name = содержимое состояний и зон по их названиям
position-list-of-pools = список пулов, каждый — список компонентов
position-empty-pool = ни в одной зоне нет компонента из пула { $pool }, он писался бы `{ $sign }`
position-pool =
    пул { $pool } содержит { $count ->
        [one] { $count } компонент
        [few] { $count } компонента
       *[many] { $count } компонентов
    }, а знаком `{ $sign }` обозначено { $unseen }
position-no-pool = знаком `{ $sign }` обозначено { $unseen }, но пула { $pool } в `unseen` нет
position-pools = каждый невидимый компонент (`{ $sign }`) должен быть из пула в `unseen`, а в пуле их столько, сколько не видно
position-a-player = игрок
position-its-index = его индекс
position-contents-by = содержимое, по именам: { $what }
position-no-such = здесь нет { $name }
position-twice = { $name } здесь дважды
position-name-is = это { $what }, например { $sample }
position-rows =
    { $count } { $count ->
        [one] ряд
        [few] ряда
       *[many] рядов
    } знаков
position-signs =
    текст из { $count } { $count ->
        [one] знака
        [few] знаков
       *[many] знаков
    }, между ними пробел
position-signs-found =
    { $count } { $count ->
        [one] знак
        [few] знака
       *[many] знаков
    }
position-sign-unknown = { $sign }, знак в столбце { $column }, — не из тех, что бывают в { $name }
position-the-signs = знаки: { $signs }
position-list-of-pieces = список компонентов
position-most-pieces =
    не больше { $count-grouped } { $count ->
        [one] компонента
        [few] компонентов
       *[many] компонентов
    }
position-flow = точка хода игры или `{ $over }`
position-place = точка, например { $sample }, или объект с точкой в `{ $member }`
position-place-name = имя точки хода игры
position-several-places = в { $name } партия может быть в нескольких точках
position-never-waits = в { $name } партия никогда не ждёт события
position-never-inside = в { $name } партия никогда не идёт внутри хода или процедуры
position-the-places = точки: { $names }
position-turn-unclear = из позиции не следует, в какой точке ходит { $player }
position-turn-nowhere = в этой позиции нет точки, в которой ходит { $player }
position-turn-places = эта точка — { $places }; числа и значения даны для примера
position-turn-more = ещё { $count }
position-seen-open = { $sign } — компонент, которого никто не видел, а содержимое зоны { $name } видят все
position-seen-private = { $sign } — компонент, которого никто не видел, а содержимое своей зоны { $name } видит каждый игрок
position-values-by-name = значения по именам
position-lacks-player = у точки не хватает `{ $name }`, действующего игрока
position-lacks-needed = у точки не хватает `{ $name }`, которое понадобится дальше
position-lacks-players = у точки в `left` не хватает `{ $name }`: игроков, которые ещё будут в этом цикле
position-lacks-items = у точки в `left` не хватает `{ $name }`: элементов, которые ещё будут в этом цикле
position-left = что осталось циклам, по их пунктам
position-to-come = список того, что ещё впереди
position-loops-to-come = список из { $count }: что ещё впереди у каждого цикла { $name }
position-how-often = сколько раз ещё повторяется { $name }
position-option-number = номер варианта
position-option-action = действие варианта { $number }, { $action }
position-still-drawn = сколько компонентов ещё берётся
position-within = { $what }, от { $low } до { $high }
position-place-of = место в { $name }, например { $sample }
position-passed = партия здесь не останавливается: решать некому или нет невидимого компонента, который можно открыть
position-created = { $piece }: в позиции { $count }, а в игре { $has }
position-lost = { $piece }: в позиции { $count }, а в игре всегда { $has }
position-lies-in = где это лежит: { $places }
position-stands-for = где это лежит: { $places }; возможно, в одном из мест должно быть { $missing }: этого в позиции нет
position-breaks = позиция нарушает { $clause }
position-none = ни одного

## Text logs

tag-game = игра
tag-players = игроки
tag-edition = редакция
tag-silence = если текст молчит
tag-fingerprint = отпечаток
tag-from = позиция
tag-option = опция
tag-reading = прочтение
tag-id = код игрока
tag-event = турнир
tag-site = где играли
tag-date = дата
tag-round = тур
tag-table = стол
tag-recorder = записал
tag-language = язык
text-number = номер { $found } не по порядку: ожидается { $expected }
text-number-hint = допишите недостающие перед ним строки или исправьте номер; ходы всё равно проверяются
text-other-notation = { $sign } здесь прочесть нельзя
text-comment-hint = комментарий — это конец строки после `#`: напишите { $comment }
text-result-hint = напишите отдельной строкой { $ways }
text-claim-move = `claim` здесь утверждает факт; ход пишется `{ $move }`
text-action-meant = имелось в виду { $ways }?
text-claim-hint = утверждать можно так: `scores 3, 4`, `winners { $player }`, `over` или то, что в состоянии или зоне, например `round = 3`
text-unfinished-hint = уберите это: запись может кончаться раньше партии
typed-one-move = за раз вводится один ход, а { $move } — уже следующий
typed-first = сначала введите { $move }
typed-in-log-only = { $part } бывает только в записи, здесь это не вводится
typed-instead = введите ход или итог, например `result agreed`; запись пишет `--save FILE`, туда это можно добавить
text-leave-out-hint = уберите это или напишите в комментарии после `#`
text-tag-hint = напишите { $tag } выше первой пустой строки
text-tags-hint = напишите { $tag }; нужны ещё метки `Game: ИМЯ` и `Players: ИМЯ, ИМЯ`
text-comment-sign = комментарий пишется после `#`
text-no-player = в строке хода нет игрока, и неизвестно, чей сейчас ход
text-several-movers = в строке хода нет игрока, а ходить может { $players }
text-no-player-hint = напишите игрока перед ходом: { $moves }
text-expected = ожидается: { $expected }
text-blank-line = заголовок кончается пустой строкой
text-twice = это указано в заголовке дважды
text-two-lines = напишите две строки: { $first } и { $second }
text-line-in-header = это строка игрока { $player }, а заголовок ещё не кончился
text-line-in-header-hint = заголовок кончается пустой строкой: вставьте её перед этой строкой; метка с таким именем пишется { $tag }
text-after-quotation = ничего после кавычки
text-nothing-more = больше ничего
text-line-begins = ход начинается с игрока и `:`, очки и победитель — с `claim`, досрочный конец — с `result`; всё перечисляет `ludex games { $game } --moves`
text-semicolon = `;` или конец строки
text-claimed-twice = `{ $word }` утверждается в этой строке дважды
text-player-or-points = игрок или очки
text-points-of-each = очки каждого игрока по имени или всех по местам
text-what-is-claimed = то, что утверждается

## Walking through an event

walk-from = { $argument }: { $domain }
walk-what-is-there = то, что есть
walk-applies = действует `{ $clause }`
walk-more = ещё { $count-grouped }
walk-outcome = { $outcome } ({ $share })
walk-perhaps = возможно, { $fact }
walk-and-others = и другие
part-after-declines = возможно, верно после отказов, которых в записи нет
part-points =
    { $player }: { $points } { $points ->
        [one] очко
        [few] очка
       *[many] очков
    }
part-winners = победа: { $winners }
part-no-winner = победителя нет
part-is = { $name }: { $value }
part-holds = { $name }: там { $value }
part-size = { $name }: размер { $size }
part-result = { $how }; { $winners }
part-recorded = записано: { $value }
part-in-play = в партии: { $value }
part-as-begun = как в начале

## The notation of events

notation-unclosed-text = эта кавычка не закрыта
notation-bad-escape = после обратной черты в тексте может быть только то, что допускает JSON
notation-unclosed = скобка `{ $bracket }` не закрыта
notation-too-long = слов, знаков или частей здесь больше { $count-grouped }; больше не читается
notation-too-deep =
    { $count ->
        [one] скобки вложены глубже, чем на { $count } уровень
        [few] скобки вложены глубже, чем на { $count } уровня
       *[many] скобки вложены глубже, чем на { $count } уровней
    }
notation-expected = ожидается: { $expected }; указано `{ $found }`
notation-expected-end = ожидается { $expected }, но текст здесь кончается
notation-a-value = значение
notation-signs = `{ $first }` или `{ $second }`
notation-sign = `{ $sign }`
notation-event = ожидается ход, `{ $move }`, или исход, `{ $outcome }`
notation-move = ожидается ход, `{ $move }`
notation-outcome-sign = исход случайного события пишется через `=`, ход — через `:`
notation-colon-missing = после игрока нужно `:`: { $player }
notation-colon = ход начинается с игрока и `:`
notation-several-outcomes = несколько исходов в одной строке пишут так: `{ $deal }`
notation-no-player = перед `:` ожидается игрок
notation-an-action = действие
notation-too-many =
    { $count ->
        [0] { $action }: значений здесь не бывает; `{ $found }` лишнее
        [one] { $action }: здесь { $count } значение; `{ $found }` лишнее
        [few] { $action }: здесь { $count } значения; `{ $found }` лишнее
       *[many] { $action }: здесь { $count } значений; `{ $found }` лишнее
    }
notation-outcome-line = исход случайного события пишется отдельной строкой: `{ $form }`
notation-too-few = { $action }: нужно указать ещё { $needed }, но текст здесь кончается
notation-needed = `{ $name }` ({ $form })
notation-form = ожидается { $form }
notation-form-of = ожидается { $type } в виде { $form }
notation-parts = вместо `{ $sign }` можно писать и `{ $parts }`
notation-alone = ожидается { $word } без данных
notation-write = напишите { $form }
notation-unknown-word = слова `{ $word }` в игре нет
notation-doubtful = `{ $word }` может означать { $meanings }
notation-write-one = напишите одно из этих имён
cheat-title = { $title }: ходы и исходы
cheat-move = ХОД
cheat-chance = СЛУЧАЙ
cheat-line = ДРУГИЕ СТРОКИ
cheat-deal = карты, которые получает один игрок, в любом порядке
cheat-in-a-row = несколько исходов подряд, по порядку
cheat-gap = сколько угодно незаписанных событий
cheat-gap-chance = сколько угодно случайных событий
cheat-gap-count = столько событий
cheat-clock = что показывают часы, после хода
cheat-name =
    { $number ->
        [1] Анна
        [2] Борис
        [3] Вера
        [4] Глеб
        [5] Елена
        [6] Фёдор
       *[7] Юлия
    }
cheat-bare = ходы с номерами, без игроков, когда ясно, чей ход
cheat-scores = очки (проверяется)
cheat-winners = кто победил (проверяется)
cheat-over = партия окончена (проверяется)
cheat-not-over = партия продолжается (проверяется)
cheat-cell = что в состоянии или зоне (проверяется)
cheat-size = сколько компонентов в зоне (проверяется)
cheat-cells = Состояния и зоны
cheat-resigned = игрок сдаётся
cheat-time = у игрока вышло время
cheat-agreed = ничья по соглашению
cheat-adjudicated = победа присуждена
cheat-abandoned = партия прервана
cheat-typed = метки, слова `deal`, `to`, `gap`, `clock`, `claim`, `result` и слова за ними на всех языках одни и те же, их пишут латиницей; слова игры можно писать с пробелами или с `_`
cheat-names-too = вместо `{ $word }` можно писать имя из правил, { $names }; так и с любым словом игры
cheat-notation = В НОТАЦИИ
cheat-example = ПРИМЕР
cheat-begin = Текстовая запись, файл ИМЯ.ludexlog, начинается так; за этим идёт пустая строка:
cheat-short = вместо `{ $name }` можно писать `{ $short }`, как и последнее имя любого пути
cheat-begins = от названия хода или случайного события достаточно первых слов, если так не начинается другое, а от названия случайного события и тогда, когда оно относится к ходу перед ним
cheat-hint = `?` значит, что пишущий этого не видел; текст после `#` — комментарий
games-head-game = ИГРА
games-head-players = ИГРОКОВ
games-head-editions = РЕДАКЦИИ
games-head-options = ОПЦИИ
games-head-title = НАЗВАНИЕ
games-titles = названия
games-players = игроков
games-editions = редакции
games-texts = тексты
games-options = опции
games-fork = развилка
games-default = по умолчанию
games-folder = папка
it-has-nothing = ничего такого нет
awaited-for = { $awaited }, получатель: { $player }

## The report of ludex diff (cli/diff_report)

diff-contradiction = Тексты противоречат друг другу
diff-duty = Что обязательно, что можно и чего нельзя
diff-omission = О чём текст молчит
diff-vagueness = Что текст оставляет неясным
diff-lacuna = До чего текст не доходит
diff-ruling = Собственные решения: ни в одном тексте этого нет
diff-summary = Чего нет только в кратком изложении
diff-silent = об этом ничего
diff-unworded = правило, которое ещё никто не изложил словами
diff-open = можно понять так
diff-or = или так
diff-both = в одном месте сказано
diff-and-both = в другом сказано
diff-so-or = строки можно понять так же или так:
diff-lost = здесь обрывается
diff-near = рядом
diff-adds = если добавить
diff-more = и ещё { $n }
diff-cut = не доходит до того, о чём другие тексты говорят в строках { $at } ({ $n })
diff-legal-moves = меняет, что можно делать
diff-score = меняет очки или победителя
diff-setup = меняет подготовку к игре
diff-binds-play = касается хода игры, судя по строкам
diff-binds-score = касается очков или победителя, судя по строкам
diff-binds-setup = касается подготовки к игре, судя по строкам
diff-none = партии с отличием не нашлось
diff-unknown = не разыграно
diff-decide = Решение
diff-undecided = ещё не решено
diff-decided = решено
diff-changed = изменилось после решения
diff-new = новое
diff-d-same = тексты говорят одно и то же
diff-d-differ = тексты расходятся
diff-d-reading = это одно из возможных прочтений строк
diff-d-publisher = спросить издателя
diff-counts = верный текст
diff-neither = не выбран
diff-comment = Примечание
diff-earlier = решали раньше
diff-why = Почему
diff-readers = читали строки
diff-clauses = Пункты
diff-lines = Строки
diff-details = Строки, партия, основания
diff-kind = Вид
diff-effect = За столом
diff-what-differs = В чём отличие
diff-section = Раздел
diff-about = О чём
diff-name = Имя
diff-state = Состояние
diff-game = Партия, где это видно
diff-player = игрок
diff-players = игроков
diff-events-before = событий до этого
diff-here = здесь тексты расходятся
diff-tables = отсюда положение на столе различается
diff-at-the-end = Партия окончена
diff-at-the-start = Партия начинается
diff-allows = так можно
diff-refuses = так нельзя
diff-stops = правила не говорят, что дальше
diff-goes-on = партия продолжается
diff-points = очки
diff-what = Что меняется
diff-before = до
diff-after = после
diff-nothing = ничего
diff-table-before = Положение на столе до этого
diff-whole = Как игры в целом
diff-one-form = У обоих одна нормальная форма: это одна и та же игра
diff-all-plays = Сравнены все возможные партии: это одна и та же игра. Позиций: { $positions }; столов: { $tables }
diff-parted = Партия показывает, что они расходятся
diff-not-found = В этих пределах не нашлось партии, где они расходятся. Событий: { $events }; партий: { $plays }; игроков: { $players }
diff-not-played = Они не были разыграны друг против друга
diff-timed-out = остановлено по времени
diff-other-texts = Сравнены по тексту «{ $text }»; различаются и тексты: { $others } (ludex diff A B TEXT)
diff-incomplete = НЕ ПОЛНОСТЬЮ: поиск партий был прерван; и то, что не разыграно, может менять игру
diff-parting = где тексты расходятся
diff-no-parting = Нигде, насколько известно.
diff-folded = Не показано, так как никого не связывает или касается лишь краткого изложения (--all)
diff-rest = Никого не связывает или касается лишь краткого изложения
diff-search = Поиск
diff-show = Показать
diff-all-rows = все
diff-download = Скачать решения
diff-open-all = Раскрыть все
diff-close-all = Свернуть все
diff-skip = К строкам
diff-kept = Решения хранятся в этом браузере, пока их не скачают.
diff-not-kept = Этот браузер ничего не хранит: скачайте, прежде чем закрыть страницу.
diff-no-rows = Ничего не подходит.
diff-keys = Клавиши: / поиск, j и k — следующая и предыдущая строка, o раскрывает или сворачивает.
