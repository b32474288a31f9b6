/** SQL that asks for far more than any SQL should, and what is said of it. `any`: that it ends, and harms nobody else. */
export interface NastySql {
  readonly name: string
  readonly sql: string
  readonly says: 'nothing' | 'any' | 'too-expensive' | 'another error'
}

const times = (count: number, part: (index: number) => string, separator = ''): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(separator)

const wide = (count: number): string => times(count, index => `${index} AS c${index}`, ', ')

export const nastySql: readonly NastySql[] = [
  { name: 'a gigabyte of text', sql: "SELECT repeat('x', 1000000000) AS a", says: 'nothing' },
  {
    name: 'the length of four gigabytes',
    sql: "SELECT length(repeat('x', 4000000000)) AS a",
    says: 'too-expensive',
  },
  {
    name: 'gigabytes put together',
    sql: `SELECT ${times(20, () => "repeat('x', 100000000)", ' || ')} AS a`,
    says: 'too-expensive',
  },
  { name: 'a sum of a billion numbers', sql: 'SELECT list_sum(range(1000000000)) AS a', says: 'nothing' },
  {
    name: 'a list of ten billion numbers as rows',
    sql: 'SELECT unnest(range(10000000000)) AS a',
    says: 'nothing',
  },
  {
    name: 'a PIVOT over a hundred million rows',
    sql: 'FROM (PIVOT range(100000000) ON range USING count(*))',
    says: 'any',
  },
  { name: 'nested block comments', sql: `SELECT 1 AS a ${'/*'.repeat(20_000)}`, says: 'any' },
  {
    name: 'nested block comments that are closed',
    sql: `SELECT 1 AS a ${'/*'.repeat(20_000)}${'*/'.repeat(20_000)}`,
    says: 'any',
  },
  {
    name: 'nested parentheses',
    sql: `SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)} AS a`,
    says: 'another error',
  },
  { name: 'a long sum', sql: `SELECT ${'1 + '.repeat(20_000)}1 AS a`, says: 'another error' },
  { name: 'NOT again and again', sql: `SELECT ${'NOT '.repeat(20_000)}true AS a`, says: 'another error' },
  {
    name: 'nested subqueries',
    sql: `SELECT * FROM ${'(SELECT * FROM '.repeat(3000)}(SELECT 1 AS a)${')'.repeat(3000)}`,
    says: 'another error',
  },
  {
    name: 'nested CASE',
    sql: `SELECT ${'CASE WHEN true THEN '.repeat(900)}1${' END'.repeat(900)} AS a`,
    says: 'any',
  },
  { name: 'brackets that never close', sql: `SELECT ${'['.repeat(20_000)}`, says: 'another error' },
  { name: 'quotes that never close', sql: `SELECT ${"'x' || ".repeat(5000)}'`, says: 'another error' },
  { name: 'dollar quotes', sql: `SELECT ${times(5000, index => `$a${index}$`)}`, says: 'another error' },
  {
    name: 'a pattern that tries everything',
    sql: `SELECT '${'a'.repeat(60)}b' SIMILAR TO '(a|aa)+(a|aa)+(a|aa)+c' AS a`,
    says: 'nothing',
  },
  {
    name: 'a pattern with stars',
    sql: `SELECT repeat('a', 100000) LIKE '${'%a'.repeat(8)}%b' AS a`,
    says: 'nothing',
  },
  {
    name: 'COLUMNS with a pattern that tries everything',
    sql: `SELECT COLUMNS('(a*)*b') FROM (SELECT 1 AS ${'a'.repeat(40)}b)`,
    says: 'any',
  },
  {
    name: 'repetitions of repetitions',
    sql: "SELECT regexp_matches('a', '((((a{1,100}){1,100}){1,100}){1,100})') AS a",
    says: 'another error',
  },
  { name: 'thirty thousand columns', sql: `SELECT ${wide(30_000)}`, says: 'any' },
  {
    name: 'all columns of all',
    sql: `WITH a AS (SELECT ${wide(1000)}) SELECT ${times(300, index => `a${index}.*`, ', ')} FROM ${times(300, index => `a a${index}`, ', ')}`,
    says: 'any',
  },
  {
    name: 'CTEs that double',
    sql: `WITH c0 AS (SELECT 1 AS a)${times(30, index => `, c${index + 1} AS (SELECT x.a FROM c${index} x, c${index} y)`)} SELECT * FROM c30`,
    says: 'nothing',
  },
  {
    name: 'CTEs whose columns double',
    sql: `WITH c0 AS (SELECT 1 AS a)${times(24, index => `, c${index + 1} AS (SELECT x.*, y.* FROM c${index} x, c${index} y)`)} SELECT * FROM c24`,
    says: 'any',
  },
  {
    name: 'joins without end',
    sql: `SELECT count(*) AS a FROM ${times(200, index => `(SELECT 1 AS x) t${index}`, ' NATURAL JOIN ')}`,
    says: 'nothing',
  },
  {
    name: 'a CUBE',
    sql: `SELECT count(*) AS a FROM (SELECT ${wide(15)}) GROUP BY CUBE(${times(15, index => `c${index}`, ', ')})`,
    says: 'nothing',
  },
  {
    name: 'a recursive CTE that never ends',
    sql: 'WITH RECURSIVE t AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM t) SELECT * FROM t',
    says: 'nothing',
  },
  {
    name: 'a type of a billion values',
    sql: "SELECT CAST('[1]' AS INTEGER[100000]) AS a, CAST(NULL AS VARCHAR[10000][10000]) AS b",
    says: 'any',
  },
  {
    name: 'deep types',
    sql: `SELECT CAST(NULL AS ${'STRUCT(a '.repeat(2000)}INTEGER${')'.repeat(2000)}) AS a`,
    says: 'any',
  },
  {
    name: 'a literal of nested lists',
    sql: `SELECT CAST('${'['.repeat(50_000)}' AS INTEGER[]) AS a`,
    says: 'any',
  },
]
