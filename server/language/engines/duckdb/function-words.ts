/** Descriptions for common functions that DuckDB does not describe. A test binds every example. */
import { once } from '../../once.ts'
import { readFunctionWords } from '../function-words.ts'

export const functionWords = once(() =>
  readFunctionWords(`
coalesce: The first argument that is not NULL.
  coalesce(value ANY, value ANY...) -> ANY
  > coalesce(NULL, 'none')
nullif: NULL where both values are equal, else the first one.
  nullif(value ANY, other ANY) -> ANY
  > nullif(1, 1)
ifnull: The first value, or the second one where it is NULL.
  ifnull(value ANY, replacement ANY) -> ANY
  > ifnull(NULL, 0)
if: The second argument where the condition is true, else the third one.
  if(condition BOOLEAN, then ANY, else ANY) -> ANY
  > if(1 > 2, 'more', 'less')
extract: One part of a date or timestamp, such as its year.
  extract(part FROM date) -> BIGINT
  > extract(year FROM DATE '2024-02-03')
cast: The value as another type; an error where it cannot be.
  cast(value AS type)
  > cast('12' AS INTEGER)
try_cast: The value as another type; NULL where it cannot be.
  try_cast(value AS type)
  > try_cast('twelve' AS INTEGER)
row_number [over]: Number of the row in its partition, from 1.
  row_number() -> BIGINT
  > row_number() OVER (ORDER BY 1)
rank [over]: Rank of the row in its partition; equal rows share one, and the next ranks are left out.
  rank() -> BIGINT
  > rank() OVER (ORDER BY 1)
dense_rank [over]: Rank of the row in its partition; equal rows share one, and no rank is left out.
  dense_rank() -> BIGINT
  > dense_rank() OVER (ORDER BY 1)
percent_rank [over]: Rank of the row as a fraction from 0 to 1.
  percent_rank() -> DOUBLE
  > percent_rank() OVER (ORDER BY 1)
cume_dist [over]: Share of the rows of the partition that come before this one or equal it.
  cume_dist() -> DOUBLE
  > cume_dist() OVER (ORDER BY 1)
ntile [over]: Number of the bucket that the row falls into when the partition is cut into n equal ones.
  ntile(n BIGINT) -> BIGINT
  > ntile(4) OVER (ORDER BY 1)
lag [over]: The value of an earlier row of the partition, of the one before where no offset is given.
  lag(value T) -> T
  lag(value T, offset BIGINT) -> T
  lag(value T, offset BIGINT, default T) -> T
  > lag(1) OVER (ORDER BY 1)
lead [over]: The value of a later row of the partition, of the next one where no offset is given.
  lead(value T) -> T
  lead(value T, offset BIGINT) -> T
  lead(value T, offset BIGINT, default T) -> T
  > lead(1) OVER (ORDER BY 1)
first_value [over]: The value of the first row of the frame.
  first_value(value T) -> T
  > first_value(1) OVER (ORDER BY 1)
last_value [over]: The value of the last row of the frame; the frame ends at the current row unless it says otherwise.
  last_value(value T) -> T
  > last_value(1) OVER (ORDER BY 1)
nth_value [over]: The value of the nth row of the frame, from 1.
  nth_value(value T, n BIGINT) -> T
  > nth_value(1, 2) OVER (ORDER BY 1)
split_part: The part of a text at a position, from 1, when it is cut at each delimiter.
  split_part(string VARCHAR, delimiter VARCHAR, position BIGINT) -> VARCHAR
  > split_part('a-b-c', '-', 2)
date_add: A date or timestamp with an interval added.
  date_add(date TIMESTAMP, interval INTERVAL) -> TIMESTAMP
  > date_add(DATE '2024-02-03', INTERVAL 2 DAY)
range [table]: Rows with the numbers or times from start to stop, stop left out.
  range(stop BIGINT)
  range(start BIGINT, stop BIGINT)
  range(start BIGINT, stop BIGINT, step BIGINT)
  range(start TIMESTAMP, stop TIMESTAMP, step INTERVAL)
generate_series [table]: Rows with the numbers or times from start to stop, stop included.
  generate_series(stop BIGINT)
  generate_series(start BIGINT, stop BIGINT)
  generate_series(start BIGINT, stop BIGINT, step BIGINT)
  generate_series(start TIMESTAMP, stop TIMESTAMP, step INTERVAL)
unnest: One row for each element of a list.
  unnest(list ANY[])
  > unnest([1, 2])
today: The current date. Its result is never reused by later runs.
  > today()
current_date: The current date. Its result is never reused by later runs.
  > current_date
mod: The remainder of a division.
  > mod(7, 3)
to_json: A value as JSON.
  > to_json({'a': 1})
json_extract: The JSON at a path such as $.a[0].
  > json_extract('{"a": [1]}', '$.a[0]')
json_extract_string: The text at a path such as $.a, without quotes.
  > json_extract_string('{"a": "b"}', '$.a')
json_array_length: Number of elements of a JSON array.
  > json_array_length('[1, 2]')
json_keys: The keys of a JSON object.
  > json_keys('{"a": 1}')
json_type: The type of a JSON value.
  > json_type('[1]')
json_valid: Whether a text is JSON.
  > json_valid('{}')
json_object: A JSON object of keys and values.
  > json_object('a', 1)
json_array: A JSON array of values.
  > json_array(1, 2)
list_sum: Sum of the elements of a list.
  > list_sum([1, 2])
list_avg: Mean of the elements of a list.
  > list_avg([1, 2])
list_min: Smallest element of a list.
  > list_min([1, 2])
list_max: Largest element of a list.
  > list_max([1, 2])
list_append: A list with an element added at its end.
  > list_append([1], 2)
list_prepend: A list with an element added at its beginning.
  > list_prepend(0, [1])
`),
)
