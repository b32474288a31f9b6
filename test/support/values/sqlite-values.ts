/** SQLite: a column's declared type says little, and any column may hold values of any kind. */
import type { TypedValues } from './postgres-values.ts'

const odd = ["'text'", "x'00ff'", '1.5', "''"]
const manyWholes = Array.from({ length: 120 }, (_, n) => String(n))

/** A real is shown with all of its digits. */
const number = (value: string) =>
  `CASE typeof(${value}) WHEN 'real' THEN printf('%!.17g', ${value}) WHEN 'blob' THEN hex(${value}) ELSE CAST(${value} AS TEXT) END`
const blob = (value: string) =>
  `CASE typeof(${value}) WHEN 'blob' THEN hex(${value}) ELSE CAST(${value} AS TEXT) END`

export const sqliteValues: readonly TypedValues[] = [
  {
    type: 'INTEGER',
    family: 'dynamic',
    values: ['0', '-9223372036854775808', '9223372036854775807'],
    text: number,
  },
  {
    type: 'INTEGER',
    family: 'dynamic',
    values: [...manyWholes, '9223372036854775808', ...odd],
    text: number,
  },
  { type: 'INT', family: 'dynamic', values: ['1', '9223372036854775808', '1e300'], text: number },
  {
    type: 'REAL',
    family: 'dynamic',
    values: [
      '0.1',
      '1.7976931348623157e308',
      '5e-324',
      '9007199254740993',
      '9223372036854775807',
      '9e999',
      '-9e999',
    ],
    text: number,
  },
  { type: 'REAL', family: 'float', values: ['-0.0', '0.5'], text: number },
  { type: 'DOUBLE', family: 'dynamic', values: ['1', "'text'", "x'00'"], text: number },
  {
    type: 'NUMERIC',
    family: 'dynamic',
    values: ['1', '0.1', '1e15', '9223372036854775808', '-9223372036854775809'],
    text: number,
  },
  { type: 'NUMERIC', family: 'dynamic', values: ['1', '1e300', '0.1'], text: number },
  { type: 'NUMERIC', family: 'dynamic', values: [...manyWholes, "'text'"], text: number },
  { type: 'NUMERIC', family: 'dynamic', values: ["'12345678901234567890123'", '0.1'], text: number },
  {
    type: 'DECIMAL(10,2)',
    family: 'dynamic',
    values: ['1.25', '99999999.99', '100000000000.5'],
    text: number,
  },
  {
    type: '',
    family: 'dynamic',
    values: ['1', '9223372036854775807', '0.5', '9007199254740993'],
    text: number,
  },
  { type: '', family: 'dynamic', values: ['9223372036854775807', '-1'], text: number },
  { type: '', family: 'text', values: ["'a'", '1', "x'00ff'"], text: blob },
  { type: '', family: 'bytes', values: ["x'00ff'", "x''"], text: value => `hex(${value})` },
  { type: '', family: 'dynamic', values: ['1.0', '9223372036854775808', '0.1'], text: number },
  {
    type: 'TEXT',
    family: 'text',
    values: ["''", "'é😀'", "'\ufeffx'", "'a,\"b'", 'char(26)', "'a' || char(10)", "x'00ff'"],
    text: blob,
  },
  { type: 'TEXT', family: 'text', values: ["'a' || char(0) || 'b'", "'x'"], text: blob },
  {
    type: 'BLOB',
    family: 'bytes',
    values: ["x'00ff22'", "x''", "'text'", '5'],
    text: value => `hex(${value})`,
  },
  { type: 'BOOLEAN', family: 'boolean', values: ['0', '1', '2', "'true'"] },
  {
    type: 'DATE',
    family: 'time',
    values: ["'2024-02-29'", "'0000-00-00'", "'9999-12-31'", "'2024-02-30'", "'10000-01-01'"],
  },
  {
    type: 'DATETIME',
    family: 'time',
    values: ["'2024-02-29 12:34:56.789'", "'2024-02-29T12:34:56'", "'now'", "'9999-12-31 23:59:59'"],
  },
  {
    type: 'JSON',
    family: 'json',
    values: ['\'{"a":1e400}\'', "'not json'", "'[12345678901234567890123]'", "'null'", '\'"\\ud800"\''],
  },
]
