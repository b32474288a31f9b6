/** The types of PostgreSQL with ordinary and extreme values of each, as its SQL writes them. */
import type { Family } from './same-value.ts'

export interface TypedValues {
  readonly type: string
  readonly family: Family
  /** SQL of values; NULL is added. */
  readonly values: readonly string[]
  /** SQL of the text of a value, where a cast to text is not what counts. */
  readonly text?: (value: string) => string
}

const texts = (...values: readonly string[]) => values.map(value => `'${value.replaceAll("'", "''")}'`)

const wholes: readonly TypedValues[] = [
  { type: 'smallint', family: 'number', values: ['0', '-32768', '32767'] },
  { type: 'integer', family: 'number', values: ['0', '-2147483648', '2147483647'] },
  { type: 'bigint', family: 'number', values: ['0', '-9223372036854775808', '9223372036854775807'] },
  { type: 'oid', family: 'number', values: ['0', '4294967295'] },
  { type: 'boolean', family: 'boolean', values: ['true', 'false'] },
]

const wide = '12345678901234567890123456789012345678901234567890'
const manyNumbers = Array.from({ length: 120 }, (_, n) => `'${n}.25'`)

const fractions: readonly TypedValues[] = [
  {
    type: 'real',
    family: 'float32',
    values: texts(
      '0.1',
      '-0',
      '3.4028235e38',
      '1e-45',
      '1.17549435e-38',
      '16777217',
      'NaN',
      'Infinity',
      '-Infinity',
    ),
  },
  {
    type: 'double precision',
    family: 'float',
    values: texts(
      ...['0.1', '-0', '1.7976931348623157e308', '5e-324', '2.2250738585072014e-308', '9007199254740993'],
      ...['0.30000000000000004', 'NaN', 'Infinity', '-Infinity'],
    ),
  },
  { type: 'numeric', family: 'number', values: texts('0', '1.10', '-123456789.123456789', '0.00000000001') },
  { type: 'numeric', family: 'number', values: texts('1', '9'.repeat(38), `-${'9'.repeat(38)}`) },
  { type: 'numeric', family: 'number', values: texts('1', `0.${'1'.repeat(38)}`) },
  { type: 'numeric', family: 'number', values: texts('1', '9'.repeat(39)) },
  { type: 'numeric', family: 'number', values: texts(`${'9'.repeat(20)}.5`, `0.${'1'.repeat(20)}`) },
  { type: 'numeric', family: 'number', values: texts(wide, `0.${wide}`, '1e100', '1e-100') },
  { type: 'numeric', family: 'number', values: texts('1', 'NaN', 'Infinity', '-Infinity') },
  { type: 'numeric', family: 'number', values: [...manyNumbers, ...texts('NaN')] },
  { type: 'numeric', family: 'number', values: [...manyNumbers, ...texts(wide)] },
  { type: 'numeric', family: 'number', values: [...manyNumbers, ...texts('9'.repeat(37))] },
  { type: 'numeric', family: 'number', values: texts('NaN', 'NaN') },
  { type: 'numeric(10,2)', family: 'number', values: texts('99999999.99', '-99999999.99', 'NaN') },
  { type: 'numeric(38,10)', family: 'number', values: texts(`${'9'.repeat(28)}.${'9'.repeat(10)}`, 'NaN') },
  { type: 'numeric(50,20)', family: 'number', values: texts('1.5', '2.25') },
  { type: 'numeric(50,20)', family: 'number', values: texts(`${'9'.repeat(30)}.${'9'.repeat(20)}`, '1.5') },
  { type: 'numeric(1000,500)', family: 'number', values: texts(`${'9'.repeat(400)}.${'9'.repeat(400)}`) },
  { type: 'numeric(5,-2)', family: 'number', values: texts('1234567', '-9999900', 'NaN') },
  { type: 'numeric(3,5)', family: 'number', values: texts('0.00999', '-0.00001') },
  {
    type: 'money',
    family: 'number',
    values: texts('0', '-92233720368547758.08', '92233720368547758.07'),
    text: value => `${value}::numeric::text`,
  },
]

const times: readonly TypedValues[] = [
  {
    type: 'date',
    family: 'time',
    values: texts(
      ...['2024-02-29', '0001-01-01', '0044-03-15 BC', '0001-12-31 BC', '4713-01-01 BC', '9999-12-31'],
      ...['10000-01-01', '5874897-12-31', 'infinity', '-infinity', '1582-10-10', '1900-02-28'],
    ),
  },
  { type: 'time', family: 'time', values: texts('00:00:00', '23:59:59.999999', '24:00:00', '12:30') },
  {
    type: 'time with time zone',
    family: 'time',
    values: texts(
      ...[
        '00:00:00+00',
        '23:59:59.999999-15:59:59',
        '24:00:00+15:59:59',
        '12:30:00+05:30',
        '12:30:00+00:19:32',
      ],
      ...['12:00:00-08', '12:00:00+14'],
    ),
  },
  {
    type: 'timestamp',
    family: 'time',
    values: texts(
      ...['2024-02-29 12:34:56.789012', '0044-03-15 12:00:00 BC', '0001-01-01', '4713-01-01 00:00:00 BC'],
      ...['9999-12-31 23:59:59.999999', '10000-01-01', '294247-01-01', '294276-12-31 23:59:59.999999'],
      ...['infinity', '-infinity', '1969-12-31 23:59:59.999999'],
    ),
  },
  {
    type: 'timestamptz',
    family: 'time',
    values: texts(
      ...['2024-02-29 12:34:56.789012+05:30', '0044-03-15 12:00:00+00 BC', '4713-01-02 00:00:00+00 BC'],
      ...['9999-12-31 23:59:59.999999+00', '10000-01-01 00:00+14', '294276-12-31 23:59:59.999999+00'],
      ...['0001-01-01 00:00:00+00', '1890-01-01 12:00:00+00:19:32', 'infinity', '-infinity'],
    ),
  },
  {
    type: 'interval',
    family: 'interval',
    values: texts(
      ...['1 year 2 mons 3 days 04:05:06.789', '-1 year -2 mons +3 days -04:05:06', '178000000 years'],
      ...['-178000000 years', '2147483647 days', '2562047788:00:54.775807', '-2562047788:00:54.775807'],
      ...['0', '1 mon -1 day', '-00:00:00.000001', '100 hours'],
    ),
  },
]

const others: readonly TypedValues[] = [
  {
    type: 'text',
    family: 'text',
    values: texts(
      '',
      ' ',
      'NULL',
      '\\N',
      '\\.',
      '"',
      "it's",
      'a,b',
      'é😀',
      '\ufeffx',
      '0044-03-15 BC',
      'NaN',
    ),
  },
  {
    type: 'text',
    family: 'text',
    values: ["E'\\x1a'", "E'a\\nb\\r\\nc\\td'", "E'\\u0001\\u001a'", "E'\\uFFFD'", "repeat('x', 100000)"],
  },
  { type: 'varchar(5)', family: 'text', values: texts('', 'ab   ', 'abcde') },
  { type: 'char(5)', family: 'text', values: texts('', 'ab') },
  { type: '"char"', family: 'text', values: ["'a'", "''"] },
  { type: 'name', family: 'text', values: texts('a name') },
  { type: 'bytea', family: 'bytes', values: ["''", "'\\x00ff22'", "'\\x'", "'\\xdeadbeef'"] },
  {
    type: 'uuid',
    family: 'text',
    values: texts('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
  },
  {
    type: 'json',
    family: 'json',
    values: texts(
      'null',
      '1e400',
      '{"a":1,"a":2}',
      '12345678901234567890123',
      '0.1000000000000000055511151231257827',
      '"\\u0000"',
      '"\\ud800"',
      '[]',
      '{ "b" : [1, {}] }',
      '-0',
      '"x"',
    ),
  },
  {
    type: 'jsonb',
    family: 'json',
    values: texts(
      'null',
      '1e400',
      '{"b":1,"a":2}',
      '12345678901234567890123',
      '0.1000000000000000055511151231257827',
      '[]',
      '"x"',
    ),
  },
  { type: 'xml', family: 'text', values: texts('<a b="c">d</a>', '<a/>') },
  { type: 'bit(3)', family: 'text', values: ["B'101'", "B'000'"] },
  { type: 'bit varying', family: 'text', values: ["B''", "B'1'", `B'${'10'.repeat(50)}'`] },
  { type: 'inet', family: 'text', values: texts('10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32') },
  { type: 'cidr', family: 'text', values: texts('10.0.0.0/8', '2001:db8::/32') },
  { type: 'macaddr', family: 'text', values: texts('08:00:2b:01:02:03') },
  { type: 'macaddr8', family: 'text', values: texts('08:00:2b:01:02:03:04:05') },
  { type: 'point', family: 'text', values: texts('(1.5,-2)', '(NaN,Infinity)') },
  { type: 'polygon', family: 'text', values: texts('((0,0),(1,1),(2,0))') },
  { type: 'circle', family: 'text', values: texts('<(0,0),1.5>') },
  { type: 'box', family: 'text', values: texts('(1,1),(0,0)') },
  { type: 'path', family: 'text', values: texts('[(0,0),(1,1)]') },
  { type: 'line', family: 'text', values: texts('{1,2,3}') },
  { type: 'int4range', family: 'text', values: texts('[1,5)', 'empty', '(,5)') },
  { type: 'numrange', family: 'text', values: texts('[1.5,2.5]', '(,)') },
  { type: 'tstzrange', family: 'text', values: texts('[2024-01-01 00:00+00,infinity)') },
  { type: 'daterange', family: 'text', values: texts('[2024-01-01,2024-02-01)') },
  { type: 'int4multirange', family: 'text', values: texts('{[1,3),[5,8)}', '{}') },
  { type: 'tsvector', family: 'text', values: texts("'a':1 'b':2A") },
  { type: 'tsquery', family: 'text', values: texts("'a' & !'b'") },
  { type: 'regclass', family: 'text', values: texts('pg_class') },
  { type: 'pg_lsn', family: 'text', values: texts('16/B374D848') },
  { type: 'jsonpath', family: 'text', values: texts('$."a"[*]') },
  { type: 'mood', family: 'text', values: texts('fine', 'so so', 'it, "quotes"') },
  { type: 'price', family: 'number', values: texts('10.5', 'NaN') },
  { type: 'open_price', family: 'number', values: texts('10.5', '1e50') },
  { type: 'word', family: 'text', values: texts('x', '') },
  { type: 'far_day', family: 'time', values: texts('2024-01-01', '0044-03-15 BC', 'infinity') },
]

const asJson = (value: string) => `to_json(${value})::text`

const lists: readonly TypedValues[] = [
  {
    type: 'integer[]',
    family: 'json',
    values: texts('{}', '{1,NULL,3}', '{{1,2},{3,4}}', '[2:3]={1,2}'),
    text: asJson,
  },
  {
    type: 'text[]',
    family: 'json',
    values: texts('{a,"b,c","",NULL,"NULL"}', '{"\\"q\\"","\\\\"}'),
    text: asJson,
  },
  { type: 'numeric[]', family: 'json', values: texts('{1.10,NaN}', `{${wide}}`, '{1e-30}'), text: asJson },
  { type: 'double precision[]', family: 'json', values: texts('{NaN,Infinity,0.1}'), text: asJson },
  { type: 'date[]', family: 'json', values: texts('{2024-01-01,"0044-03-15 BC",infinity}'), text: asJson },
  { type: 'timestamptz[]', family: 'json', values: texts('{"2024-01-01 00:00+05"}'), text: asJson },
  { type: 'boolean[]', family: 'json', values: texts('{t,f,NULL}'), text: asJson },
  { type: 'bytea[]', family: 'json', values: [`'{"\\\\x00ff"}'`], text: asJson },
  {
    type: 'jsonb[]',
    family: 'json',
    values: [`ARRAY['{"a": 1}', '12345678901234567890']::jsonb[]`],
    text: asJson,
  },
  { type: 'uuid[]', family: 'json', values: texts('{00000000-0000-0000-0000-000000000000}'), text: asJson },
  {
    type: 'pair',
    family: 'json',
    values: [`ROW(1, 'a')::pair`, `ROW(NULL, '')::pair`, `ROW(12345678901234567890.5, 'x')::pair`],
    text: asJson,
  },
]

export const postgresValues: readonly TypedValues[] = [...wholes, ...fractions, ...times, ...others, ...lists]

/** The types of the user among them. */
export const postgresTypes = `
  CREATE TYPE mood AS ENUM ('fine', 'so so', 'it, "quotes"');
  CREATE DOMAIN price AS numeric(12, 2);
  CREATE DOMAIN open_price AS numeric;
  CREATE DOMAIN word AS text;
  CREATE DOMAIN far_day AS date;
  CREATE TYPE pair AS (a numeric, b text);`
