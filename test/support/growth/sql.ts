/** Much of one thing in an SQL text. */
import { type Dimension, fromBase, list, many, sqlOf, validate } from './dimension.ts'

export const sqlDimensions: readonly Dimension[] = [
  {
    name: 'windows',
    least: 75,
    files: sqlOf(
      size => `SELECT ${list(size, index => `lag(a) OVER (ORDER BY b, c) AS c${index}`)} FROM ${fromBase}`,
    ),
    lines: validate,
  },
  {
    name: 'AND',
    least: 300,
    files: sqlOf(size => `SELECT a FROM ${fromBase} WHERE ${list(size, index => `a <> ${index}`, ' AND ')}`),
    lines: validate,
  },
  {
    name: 'OR',
    least: 75,
    files: sqlOf(size => `SELECT a FROM ${fromBase} WHERE ${list(size, index => `a = ${index}`, ' OR ')}`),
    lines: validate,
  },
  {
    name: 'IN',
    least: 750,
    files: sqlOf(size => `SELECT a FROM ${fromBase} WHERE a IN (${list(size, index => String(index))})`),
    lines: validate,
  },
  {
    name: 'VALUES',
    least: 300,
    files: sqlOf(
      size => `SELECT * FROM (VALUES ${list(size, index => `(${index}, 'v${index}')`)}) AS v(a, b)`,
    ),
    lines: validate,
  },
  {
    name: 'CASE branches',
    least: 150,
    files: sqlOf(
      size =>
        `SELECT CASE ${list(size, index => `WHEN a = ${index} THEN 'v${index}'`, ' ')} END AS v FROM ${fromBase}`,
    ),
    lines: validate,
  },
  {
    name: 'CTEs',
    least: 20,
    isDeep: true,
    files: sqlOf(
      size =>
        `WITH ${list(size, index => `q${index} AS (SELECT a FROM ${index === 0 ? fromBase : `q${index - 1}`})`)} SELECT * FROM q${size - 1}`,
    ),
    lines: validate,
  },
  {
    name: 'unions',
    least: 25,
    isDeep: true,
    files: sqlOf(size => list(size, index => `SELECT a, ${index} AS i FROM ${fromBase}`, '\nUNION ALL\n')),
    lines: validate,
  },
  {
    name: 'joins',
    least: 3,
    isDeep: true,
    files: sqlOf(
      size =>
        `SELECT t0.a FROM ${fromBase} AS t0 ${list(size, index => `JOIN ${fromBase} AS t${index + 1} ON t0.a = t${index + 1}.a`, ' ')}`,
    ),
    lines: validate,
  },
  {
    name: 'brackets',
    least: 10,
    isDeep: true,
    files: sqlOf(size => `SELECT ${'('.repeat(size)}a${' + 1)'.repeat(size)} AS a FROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'subqueries in each other',
    least: 5,
    isDeep: true,
    files: sqlOf(
      size =>
        `SELECT a FROM ${'(SELECT a FROM '.repeat(size)}${fromBase}${many(size, index => `) AS s${index}`).join('')}`,
    ),
    lines: validate,
  },
  {
    name: 'operands of +',
    // From 500 parts on the engine plans the expression to see that it can, in a time of its own: below that the work is svc's.
    least: 14,
    isDeep: true,
    files: sqlOf(size => `SELECT ${list(size, () => 'a', ' + ')} AS a FROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'arguments of a call',
    least: 300,
    files: sqlOf(size => `SELECT concat(${list(size, () => 'a')}) AS a FROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'a line of SQL',
    least: 1000,
    files: sqlOf(size => `SELECT a /* ${'x'.repeat(size * 16)} */ FROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'comments',
    least: 250,
    files: sqlOf(size => `SELECT a\n${list(size, index => `-- note ${index}`, '\n')}\nFROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'string literals',
    least: 150,
    files: sqlOf(size => `SELECT ${list(size, index => `'v${index}' AS c${index}`)} FROM ${fromBase}`),
    lines: validate,
  },
  {
    name: 'dates that are compared',
    least: 75,
    files: sqlOf(
      size =>
        `SELECT a FROM ${fromBase} WHERE DATE '2024-01-01' + CAST(a AS INTEGER) IN (${list(size, index => `'20${10 + (index % 80)}-01-02'`)})`,
    ),
    lines: validate,
  },
]
