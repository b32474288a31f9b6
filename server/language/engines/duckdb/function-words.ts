/** Descriptions for common functions that DuckDB does not describe. A test binds every example. */
import type { FunctionWords } from '../engine-help.ts'

const window = { kind: 'aggregate' } as const

export const functionWords: ReadonlyMap<string, FunctionWords> = new Map<string, FunctionWords>([
  [
    'coalesce',
    {
      description: 'The first argument that is not NULL.',
      forms: ['coalesce(value ANY, value ANY...) -> ANY'],
      example: "coalesce(NULL, 'none')",
    },
  ],
  [
    'nullif',
    {
      description: 'NULL where both values are equal, else the first one.',
      forms: ['nullif(value ANY, other ANY) -> ANY'],
      example: 'nullif(1, 1)',
    },
  ],
  [
    'ifnull',
    {
      description: 'The first value, or the second one where it is NULL.',
      forms: ['ifnull(value ANY, replacement ANY) -> ANY'],
      example: 'ifnull(NULL, 0)',
    },
  ],
  [
    'if',
    {
      description: 'The second argument where the condition is true, else the third one.',
      forms: ['if(condition BOOLEAN, then ANY, else ANY) -> ANY'],
      example: "if(1 > 2, 'more', 'less')",
    },
  ],
  [
    'extract',
    {
      description: 'One part of a date or timestamp, such as its year.',
      forms: ['extract(part FROM date) -> BIGINT'],
      example: "extract(year FROM DATE '2024-02-03')",
    },
  ],
  [
    'cast',
    {
      description: 'The value as another type; an error where it cannot be.',
      forms: ['cast(value AS type)'],
      example: "cast('12' AS INTEGER)",
    },
  ],
  [
    'try_cast',
    {
      description: 'The value as another type; NULL where it cannot be.',
      forms: ['try_cast(value AS type)'],
      example: "try_cast('twelve' AS INTEGER)",
    },
  ],
  [
    'row_number',
    {
      ...window,
      description: 'Number of the row in its partition, from 1.',
      forms: ['row_number() -> BIGINT'],
      example: 'row_number() OVER (ORDER BY 1)',
    },
  ],
  [
    'rank',
    {
      ...window,
      description: 'Rank of the row in its partition; equal rows share one, and the next ranks are left out.',
      forms: ['rank() -> BIGINT'],
      example: 'rank() OVER (ORDER BY 1)',
    },
  ],
  [
    'dense_rank',
    {
      ...window,
      description: 'Rank of the row in its partition; equal rows share one, and no rank is left out.',
      forms: ['dense_rank() -> BIGINT'],
      example: 'dense_rank() OVER (ORDER BY 1)',
    },
  ],
  [
    'percent_rank',
    {
      ...window,
      description: 'Rank of the row as a fraction from 0 to 1.',
      forms: ['percent_rank() -> DOUBLE'],
      example: 'percent_rank() OVER (ORDER BY 1)',
    },
  ],
  [
    'cume_dist',
    {
      ...window,
      description: 'Share of the rows of the partition that come before this one or equal it.',
      forms: ['cume_dist() -> DOUBLE'],
      example: 'cume_dist() OVER (ORDER BY 1)',
    },
  ],
  [
    'ntile',
    {
      ...window,
      description:
        'Number of the bucket that the row falls into when the partition is cut into n equal ones.',
      forms: ['ntile(n BIGINT) -> BIGINT'],
      example: 'ntile(4) OVER (ORDER BY 1)',
    },
  ],
  [
    'lag',
    {
      ...window,
      description:
        'The value of an earlier row of the partition, of the one before where no offset is given.',
      forms: [
        'lag(value T) -> T',
        'lag(value T, offset BIGINT) -> T',
        'lag(value T, offset BIGINT, default T) -> T',
      ],
      example: 'lag(1) OVER (ORDER BY 1)',
    },
  ],
  [
    'lead',
    {
      ...window,
      description: 'The value of a later row of the partition, of the next one where no offset is given.',
      forms: [
        'lead(value T) -> T',
        'lead(value T, offset BIGINT) -> T',
        'lead(value T, offset BIGINT, default T) -> T',
      ],
      example: 'lead(1) OVER (ORDER BY 1)',
    },
  ],
  [
    'first_value',
    {
      ...window,
      description: 'The value of the first row of the frame.',
      forms: ['first_value(value T) -> T'],
      example: 'first_value(1) OVER (ORDER BY 1)',
    },
  ],
  [
    'last_value',
    {
      ...window,
      description:
        'The value of the last row of the frame; the frame ends at the current row unless it says otherwise.',
      forms: ['last_value(value T) -> T'],
      example: 'last_value(1) OVER (ORDER BY 1)',
    },
  ],
  [
    'nth_value',
    {
      ...window,
      description: 'The value of the nth row of the frame, from 1.',
      forms: ['nth_value(value T, n BIGINT) -> T'],
      example: 'nth_value(1, 2) OVER (ORDER BY 1)',
    },
  ],
  [
    'split_part',
    {
      description: 'The part of a text at a position, from 1, when it is cut at each delimiter.',
      forms: ['split_part(string VARCHAR, delimiter VARCHAR, position BIGINT) -> VARCHAR'],
      example: "split_part('a-b-c', '-', 2)",
    },
  ],
  [
    'date_add',
    {
      description: 'A date or timestamp with an interval added.',
      forms: ['date_add(date TIMESTAMP, interval INTERVAL) -> TIMESTAMP'],
      example: "date_add(DATE '2024-02-03', INTERVAL 2 DAY)",
    },
  ],
  [
    'range',
    {
      description: 'Rows with the numbers or times from start to stop, stop left out.',
      forms: [
        'range(stop BIGINT)',
        'range(start BIGINT, stop BIGINT)',
        'range(start BIGINT, stop BIGINT, step BIGINT)',
        'range(start TIMESTAMP, stop TIMESTAMP, step INTERVAL)',
      ],
      kind: 'table',
    },
  ],
  [
    'generate_series',
    {
      description: 'Rows with the numbers or times from start to stop, stop included.',
      forms: [
        'generate_series(stop BIGINT)',
        'generate_series(start BIGINT, stop BIGINT)',
        'generate_series(start BIGINT, stop BIGINT, step BIGINT)',
        'generate_series(start TIMESTAMP, stop TIMESTAMP, step INTERVAL)',
      ],
      kind: 'table',
    },
  ],
  [
    'unnest',
    {
      description: 'One row for each element of a list.',
      forms: ['unnest(list ANY[])'],
      example: 'unnest([1, 2])',
    },
  ],
  [
    'today',
    { description: 'The current date. Its result is never reused by later runs.', example: 'today()' },
  ],
  [
    'current_date',
    { description: 'The current date. Its result is never reused by later runs.', example: 'current_date' },
  ],
  ['mod', { description: 'The remainder of a division.', example: 'mod(7, 3)' }],
  ['to_json', { description: 'A value as JSON.', example: "to_json({'a': 1})" }],
  [
    'json_extract',
    { description: 'The JSON at a path such as $.a[0].', example: `json_extract('{"a": [1]}', '$.a[0]')` },
  ],
  [
    'json_extract_string',
    {
      description: 'The text at a path such as $.a, without quotes.',
      example: `json_extract_string('{"a": "b"}', '$.a')`,
    },
  ],
  [
    'json_array_length',
    { description: 'Number of elements of a JSON array.', example: "json_array_length('[1, 2]')" },
  ],
  ['json_keys', { description: 'The keys of a JSON object.', example: `json_keys('{"a": 1}')` }],
  ['json_type', { description: 'The type of a JSON value.', example: "json_type('[1]')" }],
  ['json_valid', { description: 'Whether a text is JSON.', example: "json_valid('{}')" }],
  ['json_object', { description: 'A JSON object of keys and values.', example: "json_object('a', 1)" }],
  ['json_array', { description: 'A JSON array of values.', example: 'json_array(1, 2)' }],
  ['list_sum', { description: 'Sum of the elements of a list.', example: 'list_sum([1, 2])' }],
  ['list_avg', { description: 'Mean of the elements of a list.', example: 'list_avg([1, 2])' }],
  ['list_min', { description: 'Smallest element of a list.', example: 'list_min([1, 2])' }],
  ['list_max', { description: 'Largest element of a list.', example: 'list_max([1, 2])' }],
  [
    'list_append',
    { description: 'A list with an element added at its end.', example: 'list_append([1], 2)' },
  ],
  [
    'list_prepend',
    { description: 'A list with an element added at its beginning.', example: 'list_prepend(0, [1])' },
  ],
])
