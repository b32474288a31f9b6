/** The types of DuckDB with ordinary and extreme values of each, as its SQL writes them. */
import type { TypedValues } from './postgres-values.ts'

const texts = (...values: readonly string[]) => values.map(value => `'${value.replaceAll("'", "''")}'`)
const asJson = (value: string) => `CAST(to_json(${value}) AS VARCHAR)`

const numbers: readonly TypedValues[] = [
  { type: 'BOOLEAN', family: 'boolean', values: ['true', 'false'] },
  { type: 'TINYINT', family: 'number', values: ['-128', '127'] },
  { type: 'UTINYINT', family: 'number', values: ['0', '255'] },
  { type: 'SMALLINT', family: 'number', values: ['-32768', '32767'] },
  { type: 'USMALLINT', family: 'number', values: ['65535'] },
  { type: 'INTEGER', family: 'number', values: ['-2147483648', '2147483647'] },
  { type: 'UINTEGER', family: 'number', values: ['4294967295'] },
  { type: 'BIGINT', family: 'number', values: ['-9223372036854775808', '9223372036854775807'] },
  { type: 'UBIGINT', family: 'number', values: ['18446744073709551615'] },
  {
    type: 'HUGEINT',
    family: 'number',
    values: ['-170141183460469231731687303715884105728', '170141183460469231731687303715884105727'],
  },
  { type: 'UHUGEINT', family: 'number', values: ['340282366920938463463374607431768211455'] },
  { type: 'BIGNUM', family: 'number', values: [`'${'9'.repeat(60)}'`, "'-1'"] },
  {
    type: 'FLOAT',
    family: 'float32',
    values: ['0.1', "'-0'", "'NaN'", "'Infinity'", "'-Infinity'", '3.4028235e38', '1e-45'],
  },
  {
    type: 'DOUBLE',
    family: 'float',
    values: ['0.1', "'-0'", "'NaN'", "'Infinity'", "'-Infinity'", '1.7976931348623157e308', '5e-324'],
  },
  { type: 'DECIMAL(18,2)', family: 'number', values: ['9999999999999999.99'] },
  { type: 'DECIMAL(38,38)', family: 'number', values: [`'0.${'9'.repeat(38)}'`] },
  { type: 'DECIMAL(38,0)', family: 'number', values: [`'${'9'.repeat(38)}'`, `'-${'9'.repeat(38)}'`] },
]

const times: readonly TypedValues[] = [
  {
    type: 'DATE',
    family: 'time',
    values: texts(
      '2024-02-29',
      '0044-03-15 (BC)',
      '5877642-06-25 (BC)',
      '5881580-07-10',
      'infinity',
      '-infinity',
      '4714-11-24 (BC)',
    ),
  },
  { type: 'TIME', family: 'time', values: texts('00:00:00', '23:59:59.999999', '24:00:00') },
  { type: 'TIME_NS', family: 'time', values: texts('23:59:59.999999999', '12:00:00.000001') },
  {
    type: 'TIME WITH TIME ZONE',
    family: 'time',
    values: texts('12:00:00+15:59:59', '12:00:00-15:59:59', '23:59:59.999999+00', '12:00:00+05:30'),
  },
  {
    type: 'TIMESTAMP',
    family: 'time',
    values: texts(
      '2024-02-29 12:34:56.789012',
      '0044-03-15 (BC) 12:00:00',
      '290309-12-22 (BC) 00:00:00',
      '294247-01-10 04:00:54.775806',
      'infinity',
      '-infinity',
    ),
  },
  { type: 'TIMESTAMP_S', family: 'time', values: texts('2024-02-29 12:34:56', '290308-12-22 (BC) 00:00:00') },
  { type: 'TIMESTAMP_MS', family: 'time', values: texts('2024-02-29 12:34:56.789') },
  {
    type: 'TIMESTAMP_NS',
    family: 'time',
    values: texts(
      '2024-02-29 12:34:56.789012345',
      '1677-09-22 00:00:00',
      '2262-04-11 23:47:16.854775806',
      'infinity',
    ),
  },
  {
    type: 'TIMESTAMP WITH TIME ZONE',
    family: 'time',
    values: texts(
      '2024-02-29 12:34:56.789012+05:30',
      '0044-03-15 (BC) 12:00:00+00',
      '290309-12-22 (BC) 00:00:00+00',
      '294247-01-10 04:00:54.775806+00',
      'infinity',
      '-infinity',
    ),
  },
  {
    type: 'INTERVAL',
    family: 'interval',
    values: texts('1 year 2 months 3 days 04:05:06.789', '-1 month', '2147483647 days', '999999999:00:00'),
  },
  {
    type: 'INTERVAL',
    family: 'interval',
    values: ["INTERVAL '2562047788 hours'", "INTERVAL '-1 year' + INTERVAL '3 days'"],
  },
]

const others: readonly TypedValues[] = [
  {
    type: 'VARCHAR',
    family: 'text',
    values: [
      ...texts('', ' ', 'NULL', '"', 'é😀', '\ufeffx', '\\N'),
      "'a' || chr(0) || 'b'",
      'chr(26)',
      "'a' || chr(10) || chr(13) || chr(10)",
    ],
  },
  { type: 'BLOB', family: 'bytes', values: ["'\\x00\\xFF'", "''"], text: value => `hex(${value})` },
  { type: 'BIT', family: 'text', values: texts('101', '0'.repeat(70)) },
  { type: 'UUID', family: 'text', values: texts('ffffffff-ffff-ffff-ffff-ffffffffffff') },
  {
    type: 'JSON',
    family: 'json',
    values: texts(
      'null',
      '1e400',
      '{"a":1,"a":2}',
      '12345678901234567890123',
      '"\\u0000"',
      '0.1000000000000000055511151231257827',
    ),
  },
  { type: "ENUM('a', 'it''s')", family: 'text', values: texts('a', "it's") },
]

const nested: readonly TypedValues[] = [
  { type: 'INTEGER[]', family: 'json', values: ['[]', '[1, NULL]'], text: asJson },
  {
    type: 'HUGEINT[]',
    family: 'json',
    values: ['[170141183460469231731687303715884105727]'],
    text: () => `'[170141183460469231731687303715884105727]'`,
  },
  {
    type: 'DECIMAL(38,2)[]',
    family: 'json',
    values: ['[123456789012345678901234567890.12]'],
    text: () => `'[123456789012345678901234567890.12]'`,
  },
  {
    type: 'DOUBLE[]',
    family: 'json',
    values: ["['NaN'::DOUBLE, 'Infinity'::DOUBLE, 0.1]"],
    text: () => `'["nan", "inf", 0.1]'`,
  },
  { type: 'DATE[]', family: 'json', values: ["['0044-03-15 (BC)'::DATE]"], text: asJson },
  { type: 'INTEGER[3]', family: 'json', values: ['[1, 2, 3]'], text: asJson },
  { type: 'INTEGER[][]', family: 'json', values: ['[[1], [], NULL]'], text: asJson },
  {
    type: 'STRUCT(a INTEGER, b VARCHAR)',
    family: 'json',
    values: ["{a: 1, b: 'x'}", '{a: NULL, b: NULL}'],
    text: asJson,
  },
  {
    type: 'STRUCT(a UBIGINT, b DECIMAL(38,1))',
    family: 'json',
    values: ['{a: 18446744073709551615, b: 1234567890123456789012345678901234567.5}'],
    text: () => `'{"a":18446744073709551615,"b":1234567890123456789012345678901234567.5}'`,
  },
  { type: 'MAP(VARCHAR, INTEGER)', family: 'json', values: ["MAP {'a': 1}"], text: asJson },
  { type: 'MAP(INTEGER, VARCHAR)', family: 'json', values: ["MAP {1: 'x', 2: NULL}"], text: asJson },
  {
    type: 'UNION(n INTEGER, t VARCHAR)',
    family: 'json',
    values: ['union_value(n := 1)', "union_value(t := '1')"],
    text: asJson,
  },
  {
    type: 'STRUCT(a JSON, b VARCHAR)',
    family: 'json',
    values: [`{a: '{"a":1,"a":2}', b: 'x'}`, `{a: '12345678901234567890123', b: NULL}`],
    text: asJson,
  },
  { type: 'JSON[]', family: 'json', values: [`['{"a":1,"a":2}', '1e400', NULL]`], text: asJson },
  { type: 'MAP(VARCHAR, JSON)', family: 'json', values: [`MAP {'k"': '[1, {"a":1}]'}`], text: asJson },
  { type: 'BLOB[]', family: 'json', values: ["['\\x00\\xFF'::BLOB]"], text: asJson },
]

export const duckdbValues: readonly TypedValues[] = [...numbers, ...times, ...others, ...nested]
