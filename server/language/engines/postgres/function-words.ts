/**
 * Words for common functions that PostgreSQL's own catalogue describes by one of their forms, and for those that only
 * its parser knows. A test binds every example, and asks for every name that is here.
 */
import { once } from '../../once.ts'
import { readFunctionWords } from '../function-words.ts'

export const functionWords = once(() =>
  readFunctionWords(`
coalesce: The first argument that is not NULL.
  coalesce(value anyelement, value anyelement...) -> anyelement
  > coalesce(NULL, 'none')
nullif: NULL where both values are equal, else the first one.
  nullif(value anyelement, other anyelement) -> anyelement
  > nullif(1, 1)
greatest: The largest of the arguments; NULLs are ignored.
  greatest(value anyelement, value anyelement...) -> anyelement
  > greatest(1, 2, 3)
least: The smallest of the arguments; NULLs are ignored.
  least(value anyelement, value anyelement...) -> anyelement
  > least(1, 2, 3)
cast: The value as another type; an error where it cannot be.
  cast(value AS type)
  > cast('12' AS integer)
extract: One part of a date or timestamp, such as its year.
  extract(part FROM date) -> numeric
  > extract(year FROM date '2024-02-03')
position: Where a text begins in another one, from 1; 0 where it is not in it.
  position(text IN string) -> integer
  > position('b' IN 'abc')
trim: A text without blanks, or other characters, at its ends.
  trim(string text) -> text
  trim(BOTH characters FROM string) -> text
  > trim(BOTH 'x' FROM 'xax')
current_date: The current date. Its result is never reused by later runs.
  > current_date
current_timestamp: When the transaction began. Its result is never reused by later runs.
  > current_timestamp
now: When the transaction began. Its result is never reused by later runs.
  > now()
count: Number of rows, or of those in which the value is not NULL.
  count(*) -> bigint
  count(value any) -> bigint
  > count(*)
normalize: A text in a normal form of Unicode.
  normalize(string text) -> text
  > normalize('a', NFC)
sum value: Sum of the values that are not NULL.
  > sum(1)
avg value: Mean of the values that are not NULL.
  > avg(1)
min value: Smallest value.
  > min(1)
max value: Largest value.
  > max(1)
any_value value: A value of any of the rows.
  > any_value(1)
bool_and condition: Whether the condition is true in all rows.
  > bool_and(1 < 2)
bool_or condition: Whether the condition is true in a row.
  > bool_or(1 < 2)
array_agg value: The values as an array, NULLs too.
  > array_agg(1 ORDER BY 1)
jsonb_agg value: The values as a JSON array, NULLs too.
  > jsonb_agg(1)
json_agg value: The values as a JSON array, NULLs too.
  > json_agg(1)
string_agg: The values as one text, with a delimiter between them.
  > string_agg('a', ', ' ORDER BY 1)
percentile_cont fraction: The value at a share of the ordered rows, between two values if need be: 0.5 is the median.
  > percentile_cont(0.5) WITHIN GROUP (ORDER BY 1.5)
percentile_disc fraction: The first value at or behind a share of the ordered rows.
  > percentile_disc(0.5) WITHIN GROUP (ORDER BY 1)
mode: The most common value.
  > mode() WITHIN GROUP (ORDER BY 1)
row_number [over]: Number of the row in its partition, from 1.
  > row_number() OVER (ORDER BY 1)
rank [over]: Rank of the row in its partition; equal rows share one, and the next ranks are left out.
  > rank() OVER (ORDER BY 1)
dense_rank [over]: Rank of the row in its partition; equal rows share one, and no rank is left out.
  > dense_rank() OVER (ORDER BY 1)
percent_rank [over]: Rank of the row as a fraction from 0 to 1.
  > percent_rank() OVER (ORDER BY 1)
cume_dist [over]: Share of the rows of the partition that come before this one or equal it.
  > cume_dist() OVER (ORDER BY 1)
ntile n [over]: Number of the bucket that the row falls into when the partition is cut into n equal ones.
  > ntile(4) OVER (ORDER BY 1)
lag value offset default [over]: The value of an earlier row of the partition, of the one before where no offset is given.
  > lag(1) OVER (ORDER BY 1)
lead value offset default [over]: The value of a later row of the partition, of the next one where no offset is given.
  > lead(1) OVER (ORDER BY 1)
first_value value [over]: The value of the first row of the frame.
  > first_value(1) OVER (ORDER BY 1)
last_value value [over]: The value of the last row of the frame; the frame ends at the current row unless it says otherwise.
  > last_value(1) OVER (ORDER BY 1)
nth_value value n [over]: The value of the nth row of the frame, from 1.
  > nth_value(1, 2) OVER (ORDER BY 1)
length string encoding: Number of characters of a text.
  > length('abc')
lower string: A text in lower case; of a range, its lower bound.
  > lower('A')
upper string: A text in upper case; of a range, its upper bound.
  > upper('a')
concat value: The values as one text; NULLs are left out.
  > concat('a', 1)
concat_ws separator value: The values that are not NULL, with a separator between them.
  > concat_ws('-', 'a', 1)
substring string start count: Part of a text: from a position, from 1, or what a pattern matches.
  > substring('abc', 2, 1)
left string n: The first n characters; without the last ones where n is below 0.
  > left('abc', 2)
right string n: The last n characters; without the first ones where n is below 0.
  > right('abc', 2)
lpad string length fill: A text with characters before it, up to a length.
  > lpad('7', 3, '0')
rpad string length fill: A text with characters behind it, up to a length.
  > rpad('7', 3, '.')
ltrim string characters: A text without blanks at its beginning.
  > ltrim('  a')
rtrim string characters: A text without blanks at its end.
  > rtrim('a  ')
btrim string characters: A text without blanks at its ends.
  > btrim('  a  ')
replace string from to: A text in which a part is replaced wherever it is.
  > replace('abc', 'b', 'x')
repeat string n: A text n times.
  > repeat('ab', 2)
reverse string: A text from its end to its beginning.
  > reverse('abc')
split_part string delimiter n: The part of a text at a position, from 1, when it is cut at each delimiter.
  > split_part('a-b-c', '-', 2)
starts_with string prefix: Whether a text begins with another one.
  > starts_with('abc', 'ab')
strpos string text: Where a text begins in another one, from 1; 0 where it is not in it.
  > strpos('abc', 'b')
string_to_array string delimiter null_string: The parts of a text.
  > string_to_array('a,b', ',')
string_to_table string delimiter null_string: A row for each part of a text.
  > string_to_table('a,b', ',')
round x digits: The nearest number with so many digits after the point.
  > round(1.25, 1)
trunc x digits: A number without its digits after the point, or with so many.
  > trunc(1.25, 1)
mod x divisor: The remainder of a division.
  > mod(7, 3)
power x exponent: A number raised to a power.
  > power(2, 10)
date_trunc unit timestamp time_zone: The beginning of the month, day or another unit that a time is in.
  > date_trunc('month', timestamp '2024-02-03 10:00')
date_part unit timestamp: One part of a time, such as its year, as a float.
  > date_part('year', date '2024-02-03')
date_bin stride timestamp origin: The beginning of the span of time that a time is in, counted from an origin.
  > date_bin('15 minutes', timestamp '2024-02-03 10:07', timestamp '2024-01-01')
age timestamp earlier: The time between two dates in years, months and days; with one, until today.
  > age(date '2024-02-03', date '2023-01-01')
to_char value format: A number or time as text of a format.
  > to_char(date '2024-02-03', 'YYYY-MM')
to_date string format: A text of a format as a date.
  > to_date('03.02.2024', 'DD.MM.YYYY')
to_timestamp value format: A text of a format, or seconds since 1970, as a point in time.
  > to_timestamp('2024-02-03', 'YYYY-MM-DD')
to_number string format: A text of a format as a number.
  > to_number('1,234', '9,999')
generate_series start stop step time_zone: Rows with the numbers or times from start to stop, stop included.
  > generate_series(1, 3)
unnest array: One row for each element of an array.
  > unnest(array[1, 2])
array_length array dimension: Number of elements of an array in a dimension, from 1.
  > array_length(array[1, 2], 1)
cardinality array: Number of elements of an array.
  > cardinality(array[1, 2])
array_to_string array delimiter null_string: The elements as one text.
  > array_to_string(array[1, 2], ',')
array_append array element: An array with an element added at its end.
  > array_append(array[1], 2)
array_cat array other: Two arrays as one.
  > array_cat(array[1], array[2])
array_position array element start: Where an element is in an array, from 1; NULL where it is not.
  > array_position(array[1, 2], 2)
array_remove array element: An array without an element, wherever it is.
  > array_remove(array[1, 2], 2)
to_jsonb value: A value as JSON.
  > to_jsonb(array[1])
jsonb_build_object key_or_value: A JSON object of keys and values.
  > jsonb_build_object('a', 1)
json_build_object key_or_value: A JSON object of keys and values.
  > json_build_object('a', 1)
jsonb_build_array value: A JSON array of values.
  > jsonb_build_array(1, 'a')
json_build_array value: A JSON array of values.
  > json_build_array(1, 'a')
jsonb_extract_path_text: The text at a path of keys, without quotes.
  > jsonb_extract_path_text('{"a": {"b": "c"}}', 'a', 'b')
jsonb_array_elements: One row for each element of a JSON array.
  > jsonb_array_elements('[1, 2]')
jsonb_array_length json: Number of elements of a JSON array.
  > jsonb_array_length('[1, 2]')
jsonb_typeof json: The type of a JSON value.
  > jsonb_typeof('[1]')
jsonb_each: The keys and values of a JSON object, a row each.
jsonb_to_recordset: A JSON array of objects as rows; the columns are named behind it.
`),
)
