/** The types of MySQL and MariaDB with ordinary and extreme values of each, as their SQL writes them. */
import type { TypedValues } from './postgres-values.ts'

const texts = (...values: readonly string[]) => values.map(value => `'${value.replaceAll("'", "''")}'`)
const wide = '12345678901234567890123456789012345'
const manyNumbers = Array.from({ length: 120 }, (_, n) => `${n}.25`)

const numbers: readonly TypedValues[] = [
  { type: 'TINYINT', family: 'number', values: ['-128', '0', '127'] },
  { type: 'TINYINT UNSIGNED', family: 'number', values: ['0', '255'] },
  { type: 'TINYINT(1)', family: 'boolean', values: ['0', '1', '2', '-128'] },
  { type: 'SMALLINT', family: 'number', values: ['-32768', '32767'] },
  { type: 'SMALLINT UNSIGNED', family: 'number', values: ['0', '65535'] },
  { type: 'MEDIUMINT', family: 'number', values: ['-8388608', '8388607'] },
  { type: 'MEDIUMINT UNSIGNED', family: 'number', values: ['0', '16777215'] },
  { type: 'INT', family: 'number', values: ['-2147483648', '2147483647'] },
  { type: 'INT UNSIGNED', family: 'number', values: ['0', '4294967295'] },
  { type: 'INT(6) ZEROFILL', family: 'number', values: ['1', '4294967295'] },
  { type: 'BIGINT', family: 'number', values: ['-9223372036854775808', '9223372036854775807'] },
  { type: 'BIGINT UNSIGNED', family: 'number', values: ['0', '18446744073709551615'] },
  {
    type: 'FLOAT',
    family: 'float32',
    values: ['0.1', '-3.4028234e38', '3.4028234e38', '1.2e-38', '16777217', '1e-45'],
    text: value => `CAST(${value} AS DOUBLE)`,
  },
  {
    type: 'DOUBLE',
    family: 'float',
    values: [
      '0.1',
      '1.7976931348623157e308',
      '2.2250738585072014e-308',
      '5e-324',
      '9007199254740993',
      '-0e0',
      '0.30000000000000004',
    ],
  },
  { type: 'DECIMAL(10,2)', family: 'number', values: ['99999999.99', '-99999999.99', '0.10'] },
  { type: 'DECIMAL(38,10)', family: 'number', values: [`${'9'.repeat(28)}.${'9'.repeat(10)}`, '1'] },
  { type: 'DECIMAL(65,0)', family: 'number', values: ['9'.repeat(65), '1', '-1'] },
  { type: 'DECIMAL(65,0)', family: 'number', values: [...manyNumbers, '9'.repeat(65)] },
  { type: 'DECIMAL(65,0)', family: 'number', values: ['1', '2'] },
  { type: 'DECIMAL(65,30)', family: 'number', values: [`${wide}.${'1'.repeat(30)}`, '0.5'] },
  { type: 'DECIMAL(10,2) UNSIGNED', family: 'number', values: ['99999999.99', '0'] },
  { type: 'YEAR', family: 'number', values: ['1901', '2155', '0'] },
  {
    type: 'BIT(1)',
    family: 'boolean',
    values: ["b'0'", "b'1'"],
    text: value => `CAST(${value} + 0 AS CHAR)`,
  },
  {
    type: 'BIT(64)',
    family: 'number',
    values: ["b'0'", `b'${'1'.repeat(64)}'`],
    text: value => `CAST(${value} + 0 AS CHAR)`,
  },
]

const times: readonly TypedValues[] = [
  {
    type: 'DATE',
    family: 'time',
    values: texts(
      '2024-02-29',
      '0000-00-00',
      '2024-00-00',
      '2024-02-00',
      '0001-01-01',
      '1000-01-01',
      '9999-12-31',
      '0000-01-01',
    ),
  },
  {
    type: 'DATETIME',
    family: 'time',
    values: texts(
      '2024-02-29 12:34:56',
      '0000-00-00 00:00:00',
      '2024-00-10 10:00:00',
      '9999-12-31 23:59:59',
      '0001-01-01 00:00:00',
    ),
  },
  {
    type: 'DATETIME(6)',
    family: 'time',
    values: texts('2024-02-29 12:34:56.789012', '9999-12-31 23:59:59.999999', '0000-00-00 00:00:00'),
  },
  {
    type: 'TIMESTAMP',
    family: 'moment',
    values: texts('1970-01-01 00:00:01', '2038-01-19 03:14:07', '0000-00-00 00:00:00'),
  },
  {
    type: 'TIMESTAMP(6)',
    family: 'moment',
    values: texts('2024-02-29 12:34:56.789012'),
  },
  {
    type: 'TIME',
    family: 'time',
    values: texts('00:00:00', '23:59:59', '24:00:00', '838:59:59', '-838:59:59', '-00:00:01'),
  },
  { type: 'TIME(6)', family: 'time', values: texts('23:59:59.999999', '838:59:58.999999') },
]

const others: readonly TypedValues[] = [
  {
    type: 'VARCHAR(50)',
    family: 'text',
    values: [
      ...texts('', ' ', 'NULL', '"', "it's", 'a,b', 'é😀', '\ufeffx', '0000-00-00'),
      'CHAR(26)',
      'CHAR(0)',
      "'a\\nb\\r\\nc'",
    ],
  },
  { type: 'CHAR(5)', family: 'text', values: texts('', 'ab') },
  { type: 'TEXT', family: 'text', values: ["REPEAT('x', 60000)", "''", "'a\\\\b'"] },
  { type: 'VARCHAR(20) CHARACTER SET latin1', family: 'text', values: texts('é', '€') },
  { type: 'VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin', family: 'text', values: texts('é', '😀') },
  {
    type: 'VARBINARY(20)',
    family: 'bytes',
    values: ["x''", "x'00ff22'", "x'1a'"],
    text: value => `HEX(${value})`,
  },
  { type: 'BINARY(4)', family: 'bytes', values: ["x'00ff'"], text: value => `HEX(${value})` },
  { type: 'BLOB', family: 'bytes', values: ["x'deadbeef'", "''"], text: value => `HEX(${value})` },
  { type: "ENUM('a','b','it''s')", family: 'text', values: texts('a', "it's") },
  { type: "SET('a','b','c')", family: 'text', values: texts('', 'a', 'a,c') },
  {
    type: 'JSON',
    family: 'json',
    values: texts('null', '{"a":1,"a":2}', '12345678901234567890123', '1e400', '"\\\\u0000"', '[1.10]'),
  },
  { type: 'UUID', family: 'text', values: texts('ffffffff-ffff-ffff-ffff-ffffffffffff') },
  { type: 'INET6', family: 'text', values: texts('::1', '::ffff:10.0.0.1') },
  { type: 'POINT', family: 'text', values: ['POINT(1, 2.5)'], text: value => `ST_AsText(${value})` },
]

export const mariadbValues: readonly TypedValues[] = [...numbers, ...times, ...others]
