/**
 * Determines the types of CSV columns from every value. It starts with DuckDB's guess from the first lines,
 * and accepts a type only if each text has the form in which that type is written, so that `007`, `+4912`,
 * `05/06/2024` and integers that a DOUBLE would round stay text.
 */
import { type LocalReader, quoteLiteral, quoteName } from '@svc/server/catalog'
import type { SourceType } from '@svc/server/language'
import { type CsvGroup, csvFrom } from './record-source.ts'

export interface CsvTypes {
  readonly type: SourceType
  readonly rows: number
}

type Test = (value: string) => string

const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const clock = '[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6})?)?'

/** Candidate types of each kind, each with the condition under which a text is a value of the type. */
function ladders(point: string): Readonly<Record<string, readonly (readonly [string, Test])[]>> {
  const fraction = point === '.' ? '\\.' : point
  const number = `-?((0|[1-9][0-9]{0,14})(${fraction}[0-9]*)?|${fraction}[0-9]+)([eE][-+]?[0-9]+)?|-?(?i:inf|infinity)|(?i:nan)`
  const numbers = [
    ['BIGINT', matches('-?(0|[1-9][0-9]{0,17})')],
    ['HUGEINT', matches('-?(0|[1-9][0-9]{0,37})')],
    ['DOUBLE', matches(number)],
  ] as const
  const times = [
    ['DATE', castable('DATE', day, 10)],
    ['TIMESTAMP', castable('TIMESTAMP', `${day}([T ]${clock})?`, 19)],
    ['TIMESTAMP WITH TIME ZONE', castable('TIMESTAMPTZ', `${day}[T ]${clock}(Z|[+-][0-9]{2}(:?[0-9]{2})?)`)],
  ] as const
  return {
    BOOLEAN: [['BOOLEAN', value => `lower(${value}) IN ('true', 'false')`]],
    BIGINT: numbers,
    DOUBLE: numbers,
    DATE: times,
    TIMESTAMP: times,
    'TIMESTAMP WITH TIME ZONE': times,
    TIME: [['TIME', castable('TIME', clock)]],
  }
}

function matches(pattern: string): Test {
  return value => `regexp_full_match(${value}, ${quoteLiteral(pattern)})`
}

/**
 * A text of `usualLength` that the type writes back unchanged certainly matches the pattern, and this check
 * takes half the time; only other texts are tested against the pattern.
 */
function castable(type: string, pattern: string, usualLength?: number): Test {
  return value => {
    const cast = `TRY_CAST(${value} AS ${type})`
    const fits = `(${matches(pattern)(value)} AND ${cast} IS NOT NULL)`
    if (usualLength === undefined) return fits
    const asWritten = `length(${value}) = ${usualLength} AND CAST(${cast} AS VARCHAR) = ${value}`
    return `(CASE WHEN ${asWritten} THEN true ELSE ${fits} END)`
  }
}

interface Candidate {
  readonly name: string
  readonly rungs: readonly (readonly [string, Test])[]
}

export async function csvTypes(
  local: LocalReader,
  groups: readonly (CsvGroup & { readonly guesses: readonly string[] })[],
  decimalSeparator = '.',
): Promise<CsvTypes> {
  const from = csvFrom(groups, new Map())
  const known = ladders(decimalSeparator)
  const guesses = new Map(
    groups.flatMap(group => group.columns.map((name, index) => [name, group.guesses[index]])),
  )
  const candidates = [...guesses].flatMap(([name, guess]) => {
    const rungs = known[guess ?? '']
    return rungs === undefined ? [] : [{ name, rungs }]
  })
  // Most guesses are right, so the guess is tested alone first, and the other candidates only if it was
  // wrong.
  const first = candidates.map(({ name, rungs }) => ({ name, rungs: rungOf(rungs, guesses.get(name)) }))
  const { types, rows } = await test(local, from, first)
  const wrong = candidates.filter(({ name, rungs }) => !types.has(name) && rungs.length > 1)
  const second = wrong.length === 0 ? undefined : await test(local, from, wrong)
  const fields = [...guesses.keys()].map(name => {
    const type = types.get(name) ?? second?.types.get(name) ?? 'VARCHAR'
    return { name, type: { kind: 'scalar' as const, type } }
  })
  return { type: { kind: 'struct', fields }, rows }
}

/** DuckDB may have guessed DOUBLE for integers that are too long for it. */
function rungOf(rungs: Candidate['rungs'], guess: string | undefined): Candidate['rungs'] {
  const exact = rungs.filter(([type]) => type === guess)
  return exact.length > 0 && guess !== 'DOUBLE' ? exact : rungs
}

async function test(
  local: LocalReader,
  from: string,
  candidates: readonly Candidate[],
): Promise<{ types: Map<string, string>; rows: number }> {
  const tests = candidates.flatMap(({ name, rungs }, column) =>
    rungs.map(([, fits], rung) => {
      const value = quoteName(name)
      return `count(*) FILTER (${value} IS NOT NULL AND NOT ${fits(value)}) AS c${column}_${rung}`
    }),
  )
  const [row] = await local.rows(`SELECT ${['count(*) AS n', ...tests].join(', ')} FROM ${from}`)
  const types = new Map<string, string>()
  candidates.forEach(({ name, rungs }, column) => {
    const right = rungs.find((_, rung) => Number(row?.[`c${column}_${rung}`]) === 0)
    if (right !== undefined) types.set(name, right[0])
  })
  return { types, rows: Number(row?.['n'] ?? 0) }
}
