/** Much of one thing in an SQL text. */
import { type Dimension, fromBase, list, many, sqlOf, validate } from './dimension.ts'

const baseTable = 'CREATE TABLE base (a BIGINT, b BIGINT, c BIGINT)'
const compared = (size: number, operator: string, between: string, table: string) =>
  `SELECT a FROM ${table} WHERE ${list(size, index => `a ${operator} ${index}`, between)}`

export const sqlDimensions: readonly Dimension[] = [
  {
    name: 'windows',
    most: 2000,
    files: sqlOf(
      size => `SELECT ${list(size, index => `lag(a) OVER (ORDER BY b, c) AS c${index}`)} FROM ${fromBase}`,
    ),
    lines: validate,
  },
  {
    name: 'AND',
    most: 4000,
    files: sqlOf(size => compared(size, '<>', ' AND ', fromBase)),
    lines: validate,
    engine: size => ({ tables: [baseTable], query: compared(size, '<>', ' AND ', 'base'), isPlanned: true }),
  },
  {
    name: 'OR',
    most: 4000,
    files: sqlOf(size => compared(size, '=', ' OR ', fromBase)),
    lines: validate,
    engine: size => ({ tables: [baseTable], query: compared(size, '=', ' OR ', 'base'), isPlanned: true }),
  },
  {
    name: 'IN',
    most: 16_000,
    files: sqlOf(size => `SELECT a FROM ${fromBase} WHERE a IN (${list(size, index => String(index))})`),
    lines: validate,
  },
  {
    name: 'VALUES',
    most: 16_000,
    files: sqlOf(
      size => `SELECT * FROM (VALUES ${list(size, index => `(${index}, 'v${index}')`)}) AS v(a, b)`,
    ),
    lines: validate,
  },
  {
    name: 'CASE branches',
    most: 4000,
    files: sqlOf(
      size =>
        `SELECT CASE ${list(size, index => `WHEN a = ${index} THEN 'v${index}'`, ' ')} END AS v FROM ${fromBase}`,
    ),
    lines: validate,
  },
  {
    name: 'CTEs',
    most: 320,
    files: sqlOf(
      size =>
        `WITH ${list(size, index => `q${index} AS (SELECT a FROM ${index === 0 ? fromBase : `q${index - 1}`})`)} SELECT * FROM q${size - 1}`,
    ),
    lines: validate,
  },
  {
    name: 'unions',
    most: 400,
    files: sqlOf(size => list(size, index => `SELECT a, ${index} AS i FROM ${fromBase}`, '\nUNION ALL\n')),
    lines: validate,
  },
  {
    name: 'joins',
    most: 48,
    files: sqlOf(
      size =>
        `SELECT t0.a FROM ${fromBase} AS t0 ${list(size, index => `JOIN ${fromBase} AS t${index + 1} ON t0.a = t${index + 1}.a`, ' ')}`,
    ),
    lines: validate,
  },
  {
    name: 'brackets',
    most: 160,
    files: sqlOf(size => `SELECT ${'('.repeat(size)}a${' + 1)'.repeat(size)} AS a FROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'subqueries in each other',
    most: 80,
    files: sqlOf(
      size =>
        `SELECT a FROM ${'(SELECT a FROM '.repeat(size)}${fromBase}${many(size, index => `) AS s${index}`).join('')}`,
    ),
    lines: validate,
  },
  {
    name: 'operands of +',
    // From 500 parts on the engine plans the expression to see that it can, in a time of its own: below that the work is svc's.
    most: 224,
    files: sqlOf(size => `SELECT ${list(size, () => 'a', ' + ')} AS a FROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'arguments of a call',
    most: 4000,
    files: sqlOf(size => `SELECT concat(${list(size, () => 'a')}) AS a FROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'a line of SQL',
    most: 28_800,
    files: sqlOf(size => `SELECT a /* ${'x'.repeat(size * 16)} */ FROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'comments',
    most: 16_000,
    files: sqlOf(size => `SELECT a\n${list(size, index => `-- note ${index}`, '\n')}\nFROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'string literals',
    most: 4000,
    files: sqlOf(size => `SELECT ${list(size, index => `'v${index}' AS c${index}`)} FROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'dates that are compared',
    most: 4000,
    files: sqlOf(
      size =>
        `SELECT a FROM ${fromBase} WHERE DATE '2024-01-01' + CAST(a AS INTEGER) IN (${list(size, index => `'20${10 + (index % 80)}-01-02'`)})`,
    ),
    lines: validate,
  },
]
