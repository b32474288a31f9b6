/**
 * Counts in how many records texts pass tests. A query of one expression for each column and test costs the square of the
 * columns, so the texts of wide records are counted below each other: as many rows as there are values, and one expression a test.
 */
import { internalName, internalNames } from '../../language/index.ts'
import type { LocalReader } from './local-reader.ts'
import { quoteLiteral } from './quoting.ts'
import type { TextsFrom } from './type-rungs.ts'

export interface TestedText {
  readonly name: string
  /** SQL of the text. */
  readonly value: string
  /** Each returns a condition from SQL of the text and of its column's name. */
  readonly tests: readonly ((text: string, name: string) => string)[]
}

const own = internalNames('rows', 'text', 'name', 'column')

function countName(text: number, test: number): string {
  return internalName(`c${text}_${test}`)
}

/** So many texts are counted beside each other. */
const mostBeside = 40

export interface TestCounts {
  readonly rows: number
  /** Of each text, how many records pass each of its tests. */
  readonly counts: readonly (readonly number[])[]
}

export async function countTests(
  local: LocalReader,
  from: TextsFrom,
  texts: readonly TestedText[],
): Promise<TestCounts> {
  const parts = typeof from === 'string' ? [{ from, names: undefined }] : from
  const counts = texts.map(({ tests }) => tests.map(() => 0))
  let rows = 0
  for (const part of parts) {
    const indices = texts.flatMap(({ name }, index) => (part.names?.has(name) === false ? [] : [index]))
    const own = indices.map(index => texts[index] as TestedText)
    const found =
      own.length <= mostBeside ? await beside(local, part.from, own) : await below(local, part.from, own)
    rows += found.rows
    found.counts.forEach((numbers, position) => {
      const into = counts[indices[position] as number] as number[]
      numbers.forEach((number, test) => {
        into[test] = (into[test] ?? 0) + number
      })
    })
  }
  return { rows, counts }
}

async function beside(local: LocalReader, from: string, texts: readonly TestedText[]): Promise<TestCounts> {
  const tests = texts.flatMap(({ name, value, tests }, column) =>
    tests.map(
      (test, index) => `count(*) FILTER (${test(value, quoteLiteral(name))}) AS ${countName(column, index)}`,
    ),
  )
  const [row] = await local.rows(`SELECT ${[`count(*) AS ${own.rows}`, ...tests].join(', ')} FROM ${from}`)
  const counts = texts.map(({ tests }, column) =>
    tests.map((_, index) => Number(row?.[countName(column, index)] ?? 0)),
  )
  return { rows: Number(row?.[own.rows] ?? 0), counts }
}

/** One query for each kind of text: those that are tested for the same. */
async function below(local: LocalReader, from: string, texts: readonly TestedText[]): Promise<TestCounts> {
  const [row] = await local.rows(`SELECT count(*) AS ${own.rows} FROM ${from}`)
  const kinds = new Map<string, number[]>()
  texts.forEach(({ tests }, index) => {
    const kind = conditions(tests).join('\n')
    kinds.set(kind, [...(kinds.get(kind) ?? []), index])
  })
  const counts = texts.map(({ tests }) => tests.map(() => 0))
  for (const indices of kinds.values()) {
    const alike = indices.map(index => texts[index] as TestedText)
    const tests = conditions(alike[0]?.tests ?? []).map(
      (test, index) => `count(*) FILTER (${test}) AS ${countName(0, index)}`,
    )
    const values = alike.map(({ value }) => value).join(', ')
    const names = alike.map(({ name }) => quoteLiteral(name)).join(', ')
    const list = `unnest([${values}]) AS ${own.text}, unnest([${names}]) AS ${own.name}, unnest(range(${alike.length})) AS ${own.column}`
    const found = await local.rows(
      `SELECT ${own.column}, ${tests.join(', ')} FROM (SELECT ${list} FROM ${from}) GROUP BY ${own.column}`,
    )
    for (const row of found) {
      const into = counts[indices[Number(row[own.column])] as number] as number[]
      into.forEach((_, test) => {
        into[test] = Number(row[countName(0, test)] ?? 0)
      })
    }
  }
  return { rows: Number(row?.[own.rows] ?? 0), counts }
}

function conditions(tests: TestedText['tests']): readonly string[] {
  return tests.map(test => test(own.text, own.name))
}
