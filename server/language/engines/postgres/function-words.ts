/**
 * Words for common functions that PostgreSQL's own catalogue describes by one of their forms, and for those that only
 * its parser knows. A test binds every example, and asks for every name that is here.
 */
import type { FunctionWords } from '../engine-help.ts'

/** Those of which the catalogue has the forms, with names for their parameters. */
function told(names: string, description: string, example: string): FunctionWords {
  return { ...(names !== '' && { names: names.split(' ') }), description, example }
}

/** Those that only the parser knows, or that have a form with keywords. */
function formed(forms: readonly string[], description: string, example: string): FunctionWords {
  return { forms, description, example }
}

const window = (names: string, description: string, example: string): FunctionWords => ({
  ...told(names, description, `${example} OVER (ORDER BY 1)`),
  needsOver: true,
})

export const functionWords: ReadonlyMap<string, FunctionWords> = new Map<string, FunctionWords>([
  [
    'coalesce',
    formed(
      ['coalesce(value anyelement, value anyelement...) -> anyelement'],
      'The first argument that is not NULL.',
      "coalesce(NULL, 'none')",
    ),
  ],
  [
    'nullif',
    formed(
      ['nullif(value anyelement, other anyelement) -> anyelement'],
      'NULL where both values are equal, else the first one.',
      'nullif(1, 1)',
    ),
  ],
  [
    'greatest',
    formed(
      ['greatest(value anyelement, value anyelement...) -> anyelement'],
      'The largest of the arguments; NULLs are ignored.',
      'greatest(1, 2, 3)',
    ),
  ],
  [
    'least',
    formed(
      ['least(value anyelement, value anyelement...) -> anyelement'],
      'The smallest of the arguments; NULLs are ignored.',
      'least(1, 2, 3)',
    ),
  ],
  [
    'cast',
    formed(
      ['cast(value AS type)'],
      'The value as another type; an error where it cannot be.',
      "cast('12' AS integer)",
    ),
  ],
  [
    'extract',
    formed(
      ['extract(part FROM date) -> numeric'],
      'One part of a date or timestamp, such as its year.',
      "extract(year FROM date '2024-02-03')",
    ),
  ],
  [
    'position',
    formed(
      ['position(text IN string) -> integer'],
      'Where a text begins in another one, from 1; 0 where it is not in it.',
      "position('b' IN 'abc')",
    ),
  ],
  [
    'trim',
    formed(
      ['trim(string text) -> text', 'trim(BOTH characters FROM string) -> text'],
      'A text without blanks, or other characters, at its ends.',
      "trim(BOTH 'x' FROM 'xax')",
    ),
  ],
  [
    'current_date',
    { description: 'The current date. Its result is never reused by later runs.', example: 'current_date' },
  ],
  [
    'current_timestamp',
    {
      description: 'When the transaction began. Its result is never reused by later runs.',
      example: 'current_timestamp',
    },
  ],
  ['now', told('', 'When the transaction began. Its result is never reused by later runs.', 'now()')],
  [
    'count',
    formed(
      ['count(*) -> bigint', 'count(value any) -> bigint'],
      'Number of rows, or of those in which the value is not NULL.',
      'count(*)',
    ),
  ],
  [
    'normalize',
    formed(['normalize(string text) -> text'], 'A text in a normal form of Unicode.', "normalize('a', NFC)"),
  ],
  ['sum', told('value', 'Sum of the values that are not NULL.', 'sum(1)')],
  ['avg', told('value', 'Mean of the values that are not NULL.', 'avg(1)')],
  ['min', told('value', 'Smallest value.', 'min(1)')],
  ['max', told('value', 'Largest value.', 'max(1)')],
  ['any_value', told('value', 'A value of any of the rows.', 'any_value(1)')],
  ['bool_and', told('condition', 'Whether the condition is true in all rows.', 'bool_and(1 < 2)')],
  ['bool_or', told('condition', 'Whether the condition is true in a row.', 'bool_or(1 < 2)')],
  ['array_agg', told('value', 'The values as an array, NULLs too.', 'array_agg(1 ORDER BY 1)')],
  ['jsonb_agg', told('value', 'The values as a JSON array, NULLs too.', 'jsonb_agg(1)')],
  ['json_agg', told('value', 'The values as a JSON array, NULLs too.', 'json_agg(1)')],
  [
    'string_agg',
    told('', 'The values as one text, with a delimiter between them.', "string_agg('a', ', ' ORDER BY 1)"),
  ],
  [
    'percentile_cont',
    told(
      'fraction',
      'The value at a share of the ordered rows, between two values if need be: 0.5 is the median.',
      'percentile_cont(0.5) WITHIN GROUP (ORDER BY 1.5)',
    ),
  ],
  [
    'percentile_disc',
    told(
      'fraction',
      'The first value at or behind a share of the ordered rows.',
      'percentile_disc(0.5) WITHIN GROUP (ORDER BY 1)',
    ),
  ],
  ['mode', told('', 'The most common value.', 'mode() WITHIN GROUP (ORDER BY 1)')],
  ['row_number', window('', 'Number of the row in its partition, from 1.', 'row_number()')],
  [
    'rank',
    window(
      '',
      'Rank of the row in its partition; equal rows share one, and the next ranks are left out.',
      'rank()',
    ),
  ],
  [
    'dense_rank',
    window(
      '',
      'Rank of the row in its partition; equal rows share one, and no rank is left out.',
      'dense_rank()',
    ),
  ],
  ['percent_rank', window('', 'Rank of the row as a fraction from 0 to 1.', 'percent_rank()')],
  [
    'cume_dist',
    window('', 'Share of the rows of the partition that come before this one or equal it.', 'cume_dist()'),
  ],
  [
    'ntile',
    window(
      'n',
      'Number of the bucket that the row falls into when the partition is cut into n equal ones.',
      'ntile(4)',
    ),
  ],
  [
    'lag',
    window(
      'value offset default',
      'The value of an earlier row of the partition, of the one before where no offset is given.',
      'lag(1)',
    ),
  ],
  [
    'lead',
    window(
      'value offset default',
      'The value of a later row of the partition, of the next one where no offset is given.',
      'lead(1)',
    ),
  ],
  ['first_value', window('value', 'The value of the first row of the frame.', 'first_value(1)')],
  [
    'last_value',
    window(
      'value',
      'The value of the last row of the frame; the frame ends at the current row unless it says otherwise.',
      'last_value(1)',
    ),
  ],
  ['nth_value', window('value n', 'The value of the nth row of the frame, from 1.', 'nth_value(1, 2)')],
  ['length', told('string encoding', 'Number of characters of a text.', "length('abc')")],
  ['lower', told('string', 'A text in lower case; of a range, its lower bound.', "lower('A')")],
  ['upper', told('string', 'A text in upper case; of a range, its upper bound.', "upper('a')")],
  ['concat', told('value', 'The values as one text; NULLs are left out.', "concat('a', 1)")],
  [
    'concat_ws',
    told(
      'separator value',
      'The values that are not NULL, with a separator between them.',
      "concat_ws('-', 'a', 1)",
    ),
  ],
  [
    'substring',
    told(
      'string start count',
      'Part of a text: from a position, from 1, or what a pattern matches.',
      "substring('abc', 2, 1)",
    ),
  ],
  [
    'left',
    told('string n', 'The first n characters; without the last ones where n is below 0.', "left('abc', 2)"),
  ],
  [
    'right',
    told('string n', 'The last n characters; without the first ones where n is below 0.', "right('abc', 2)"),
  ],
  [
    'lpad',
    told('string length fill', 'A text with characters before it, up to a length.', "lpad('7', 3, '0')"),
  ],
  [
    'rpad',
    told('string length fill', 'A text with characters behind it, up to a length.', "rpad('7', 3, '.')"),
  ],
  ['ltrim', told('string characters', 'A text without blanks at its beginning.', "ltrim('  a')")],
  ['rtrim', told('string characters', 'A text without blanks at its end.', "rtrim('a  ')")],
  ['btrim', told('string characters', 'A text without blanks at its ends.', "btrim('  a  ')")],
  [
    'replace',
    told('string from to', 'A text in which a part is replaced wherever it is.', "replace('abc', 'b', 'x')"),
  ],
  ['repeat', told('string n', 'A text n times.', "repeat('ab', 2)")],
  ['reverse', told('string', 'A text from its end to its beginning.', "reverse('abc')")],
  [
    'split_part',
    told(
      'string delimiter n',
      'The part of a text at a position, from 1, when it is cut at each delimiter.',
      "split_part('a-b-c', '-', 2)",
    ),
  ],
  [
    'starts_with',
    told('string prefix', 'Whether a text begins with another one.', "starts_with('abc', 'ab')"),
  ],
  [
    'strpos',
    told(
      'string text',
      'Where a text begins in another one, from 1; 0 where it is not in it.',
      "strpos('abc', 'b')",
    ),
  ],
  [
    'string_to_array',
    told('string delimiter null_string', 'The parts of a text.', "string_to_array('a,b', ',')"),
  ],
  [
    'string_to_table',
    told('string delimiter null_string', 'A row for each part of a text.', "string_to_table('a,b', ',')"),
  ],
  ['round', told('x digits', 'The nearest number with so many digits after the point.', 'round(1.25, 1)')],
  [
    'trunc',
    told('x digits', 'A number without its digits after the point, or with so many.', 'trunc(1.25, 1)'),
  ],
  ['mod', told('x divisor', 'The remainder of a division.', 'mod(7, 3)')],
  ['power', told('x exponent', 'A number raised to a power.', 'power(2, 10)')],
  [
    'date_trunc',
    told(
      'unit timestamp time_zone',
      'The beginning of the month, day or another unit that a time is in.',
      "date_trunc('month', timestamp '2024-02-03 10:00')",
    ),
  ],
  [
    'date_part',
    told(
      'unit timestamp',
      'One part of a time, such as its year, as a float.',
      "date_part('year', date '2024-02-03')",
    ),
  ],
  [
    'date_bin',
    told(
      'stride timestamp origin',
      'The beginning of the span of time that a time is in, counted from an origin.',
      "date_bin('15 minutes', timestamp '2024-02-03 10:07', timestamp '2024-01-01')",
    ),
  ],
  [
    'age',
    told(
      'timestamp earlier',
      'The time between two dates in years, months and days; with one, until today.',
      "age(date '2024-02-03', date '2023-01-01')",
    ),
  ],
  [
    'to_char',
    told('value format', 'A number or time as text of a format.', "to_char(date '2024-02-03', 'YYYY-MM')"),
  ],
  ['to_date', told('string format', 'A text of a format as a date.', "to_date('03.02.2024', 'DD.MM.YYYY')")],
  [
    'to_timestamp',
    told(
      'value format',
      'A text of a format, or seconds since 1970, as a point in time.',
      "to_timestamp('2024-02-03', 'YYYY-MM-DD')",
    ),
  ],
  ['to_number', told('string format', 'A text of a format as a number.', "to_number('1,234', '9,999')")],
  [
    'generate_series',
    told(
      'start stop step time_zone',
      'Rows with the numbers or times from start to stop, stop included.',
      'generate_series(1, 3)',
    ),
  ],
  ['unnest', told('array', 'One row for each element of an array.', 'unnest(array[1, 2])')],
  [
    'array_length',
    told(
      'array dimension',
      'Number of elements of an array in a dimension, from 1.',
      'array_length(array[1, 2], 1)',
    ),
  ],
  ['cardinality', told('array', 'Number of elements of an array.', 'cardinality(array[1, 2])')],
  [
    'array_to_string',
    told('array delimiter null_string', 'The elements as one text.', "array_to_string(array[1, 2], ',')"),
  ],
  [
    'array_append',
    told('array element', 'An array with an element added at its end.', 'array_append(array[1], 2)'),
  ],
  ['array_cat', told('array other', 'Two arrays as one.', 'array_cat(array[1], array[2])')],
  [
    'array_position',
    told(
      'array element start',
      'Where an element is in an array, from 1; NULL where it is not.',
      'array_position(array[1, 2], 2)',
    ),
  ],
  [
    'array_remove',
    told('array element', 'An array without an element, wherever it is.', 'array_remove(array[1, 2], 2)'),
  ],
  ['to_jsonb', told('value', 'A value as JSON.', 'to_jsonb(array[1])')],
  [
    'jsonb_build_object',
    told('key_or_value', 'A JSON object of keys and values.', "jsonb_build_object('a', 1)"),
  ],
  [
    'json_build_object',
    told('key_or_value', 'A JSON object of keys and values.', "json_build_object('a', 1)"),
  ],
  ['jsonb_build_array', told('value', 'A JSON array of values.', "jsonb_build_array(1, 'a')")],
  ['json_build_array', told('value', 'A JSON array of values.', "json_build_array(1, 'a')")],
  [
    'jsonb_extract_path_text',
    told(
      '',
      'The text at a path of keys, without quotes.',
      `jsonb_extract_path_text('{"a": {"b": "c"}}', 'a', 'b')`,
    ),
  ],
  [
    'jsonb_array_elements',
    told('', 'One row for each element of a JSON array.', "jsonb_array_elements('[1, 2]')"),
  ],
  ['jsonb_array_length', told('json', 'Number of elements of a JSON array.', "jsonb_array_length('[1, 2]')")],
  ['jsonb_typeof', told('json', 'The type of a JSON value.', "jsonb_typeof('[1]')")],
  ['jsonb_each', { description: 'The keys and values of a JSON object, a row each.' }],
  [
    'jsonb_to_recordset',
    { description: 'A JSON array of objects as rows; the columns are named behind it.' },
  ],
])
