/**
 * The types that texts can have, and which texts of a column a type cannot hold. A type is accepted only for
 * texts in the form in which it is written, so that `007`, `+4912`, `05/06/2024` and integers that a DOUBLE
 * would round stay what they are. A column in which very few texts are no values of its type at all keeps the
 * type: those few become rejects.
 */
import type { FileOptions, SourceType } from '../../language/index.ts'
import { countTests } from './count-tests.ts'
import { decimalTypes } from './decimal-width.ts'
import type { LocalReader } from './local-reader.ts'
import { matches, numberLadder } from './number-rungs.ts'
import { quoteLiteral } from './quoting.ts'

export type Test = (value: string) => string

export interface Rung {
  /** `DECIMAL` where the digits of a column decide about its width. */
  readonly type: string
  /** The type rounds some of the texts that fit it. */
  readonly rounds?: true
  /** The texts are numbers, of which no type of numbers holds all: they stay texts. */
  readonly staysText?: true
  /** Whether a text is a value of the type, in the form in which it is written. */
  readonly fits: Test
  /** Whether the type would take the text all the same, and change it. */
  readonly changes: Test
}

export type Ladder = readonly Rung[]

export interface Candidate {
  readonly name: string
  /** SQL of the text. */
  readonly value: string
  readonly rungs: Ladder
}

export interface FoundType {
  readonly type: string
  /** Whether a few values do not fit it. */
  readonly loose: boolean
  /** Whether some of the values are numbers that a DOUBLE rounds, or would round. */
  readonly inexact?: true
}

/** Returns a found type as the type of a source's values. */
export function scalarOf({ type, loose, inexact }: FoundType): SourceType {
  return { kind: 'scalar', type, ...(loose ? { loose } : {}), ...(inexact === true ? { inexact } : {}) }
}

const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}'
const clock = '[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,6})?)?'

export interface Ladders {
  readonly booleans: Ladder
  readonly numbers: Ladder
  readonly times: Ladder
  readonly clocks: Ladder
}

/** Returns the types of each kind, the narrowest first. */
export function laddersFor({
  decimalSeparator = '.',
  dateFormat,
  timestampFormat,
}: FileOptions = {}): Ladders {
  const date = dateFormat === undefined ? written('DATE', day, '.*:.*', 10) : formatted('DATE', dateFormat)
  const timestamp =
    timestampFormat === undefined
      ? written('TIMESTAMP', `${day}([T ]${clock})?`, '.*:[0-9.]+ *(Z|[+-][0-9]{2}(:?[0-9]{2})?)', 19)
      : formatted('TIMESTAMP', timestampFormat)
  const zoned = written('TIMESTAMP WITH TIME ZONE', `${day}[T ]${clock}(Z|[+-][0-9]{2}(:?[0-9]{2})?)`, '')
  return {
    booleans: [
      {
        type: 'BOOLEAN',
        fits: value => `lower(${value}) IN ('true', 'false', 't', 'f')`,
        changes: value => `TRY_CAST(${value} AS BOOLEAN) IS NOT NULL`,
      },
    ],
    numbers: numberLadder(decimalSeparator),
    times: [date, timestamp, zoned],
    clocks: [written('TIME', clock, '')],
  }
}

/**
 * `changed`: texts of which the type would drop a part, the time of a timestamp or its zone. A text of `usualLength` that the type writes back unchanged certainly matches the pattern, and this check
 * takes half the time; only other texts are tested against the pattern.
 */
function written(type: string, pattern: string, changed: string, usualLength?: number): Rung {
  const fits: Test = value => {
    const cast = `TRY_CAST(${value} AS ${type})`
    const fits = `(${matches(pattern)(value)} AND ${cast} IS NOT NULL)`
    if (usualLength === undefined) return fits
    const asWritten = `length(${value}) = ${usualLength} AND CAST(${cast} AS VARCHAR) = ${value}`
    return `(CASE WHEN ${asWritten} THEN true ELSE ${fits} END)`
  }
  return { type, fits, changes: changed === '' ? () => 'false' : matches(changed) }
}

function formatted(type: string, format: string): Rung {
  const fits: Test = value => `try_strptime(${value}, ${quoteLiteral(format)}) IS NOT NULL`
  return { type, fits, changes: () => 'false' }
}

/** Where texts are: a FROM clause, or several with the candidates that each of them has. */
export type TextsFrom = string | readonly { readonly from: string; readonly names: ReadonlySet<string> }[]

export interface Counting {
  readonly isTolerated?: (misfits: number, values: number) => boolean
  /** Whether lines may repeat the header, whose values say nothing about a type. */
  readonly hasHeaders?: boolean
}

/**
 * Returns the type of each candidate that has one, and how many rows there are.
 * `types`: by name; a candidate without a type that fits is absent.
 * `empty`: the candidates without any value.
 */
export async function foundTypes(
  local: LocalReader,
  from: TextsFrom,
  candidates: readonly Candidate[],
  counting: Counting = {},
) {
  const { isTolerated = isTolerable } = counting
  const { rows, columns } = await countMisfits(local, from, candidates, counting)
  // What a type would change matters only where no type fits every value, which is rare and costs as much again.
  const tolerated = columns.map(({ rungs, values, headers }) =>
    values <= 0 || rungs.some(({ misfits, rung }) => misfits === 0 && rung.staysText === undefined)
      ? []
      : rungs.filter(
          ({ misfits, rung }) => rung.staysText === undefined && isTolerated(misfits - headers, values),
        ),
  )
  const changed = await countChanged(local, from, columns, tolerated)
  const chosen = new Map<string, Chosen>()
  columns.forEach(({ candidate, rungs, values }, column) => {
    const exact = values <= 0 ? [] : rungs.filter(({ misfits }) => misfits === 0)
    const loose = fewestMisfits((tolerated[column] ?? []).filter(each => !changed.has(each)))
    // Numbers stay texts only where no type holds all but a few of them.
    const isLoose = loose.length > 0
    const found = isLoose ? loose : exact
    if (found.length > 0)
      chosen.set(candidate.name, { candidate, rungs: found.map(({ rung }) => rung), loose: isLoose })
  })
  const types = await withWidths(local, from, chosen)
  const empty = columns.flatMap(({ candidate, values, headers }) =>
    values + headers === 0 ? [candidate.name] : [],
  )
  return { types, empty: new Set(empty), rows }
}

interface CountedRung {
  readonly rung: Rung
  readonly misfits: number
}

interface CountedColumn {
  readonly candidate: Candidate
  /** Without the lines that repeat the header, which say nothing about the type. */
  readonly values: number
  readonly headers: number
  readonly rungs: readonly CountedRung[]
}

/** Returns how many values of each candidate each of its types does not hold, and how many rows there are. */
export async function countMisfits(
  local: LocalReader,
  from: TextsFrom,
  candidates: readonly Candidate[],
  { hasHeaders = false }: Counting = {},
): Promise<{ readonly rows: number; readonly columns: readonly CountedColumn[] }> {
  const texts = candidates.map(({ name, value, rungs }) => {
    const isHeader = (text: string, own: string) => (hasHeaders ? `${text} = ${own}` : 'false')
    const exists = (text: string) => `${text} IS NOT NULL`
    const tests = [exists, isHeader, ...rungs.map(rung => (text: string) => isMisfit(text, rung))]
    return { name, value, tests }
  })
  const { rows, counts } = await countTests(local, from, texts)
  const columns = candidates.map((candidate, column) => {
    const [values = 0, headers = 0, ...misfits] = counts[column] ?? []
    const rungs = candidate.rungs.map((rung, index) => ({ rung, misfits: misfits[index] ?? 0 }))
    return { candidate, values: values - headers, headers, rungs }
  })
  return { rows, columns }
}

function isMisfit(value: string, { fits }: Rung): string {
  return `${value} IS NOT NULL AND NOT ${fits(value)}`
}

/** Returns those of the tolerated types that would take some of the misfits all the same, and change them. */
async function countChanged(
  local: LocalReader,
  from: TextsFrom,
  columns: readonly CountedColumn[],
  tolerated: readonly (readonly CountedRung[])[],
): Promise<ReadonlySet<CountedRung>> {
  const asked = columns.flatMap(({ candidate: { name, value } }, column) =>
    (tolerated[column] ?? []).map(counted => ({ name, value, counted })),
  )
  if (asked.length === 0) return new Set()
  const texts = asked.map(({ name, value, counted: { rung } }) => {
    const changes = (text: string) => `${isMisfit(text, rung)} AND ${rung.changes(text)}`
    return { name, value, tests: [changes] }
  })
  const { counts } = await countTests(local, from, texts)
  return new Set(asked.filter((_, index) => (counts[index]?.[0] ?? 0) > 0).map(each => each.counted))
}

function fewestMisfits(rungs: readonly CountedRung[]): readonly CountedRung[] {
  const fewest = Math.min(...rungs.map(({ misfits }) => misfits))
  return rungs.filter(({ misfits }) => misfits === fewest)
}

/** The types that fit a column equally well, the best first. */
interface Chosen {
  readonly candidate: Candidate
  readonly rungs: Ladder
  readonly loose: boolean
}

/** Returns the type of each column; a decimal has the width that the digits of the column need, and is none if that is too large. */
async function withWidths(
  local: LocalReader,
  from: TextsFrom,
  chosen: ReadonlyMap<string, Chosen>,
): Promise<Map<string, FoundType>> {
  const decimals = [...chosen.values()].filter(({ rungs: [best] }) => best?.type === 'DECIMAL')
  const widths = await decimalTypes(
    local,
    from,
    decimals.map(({ candidate, rungs: [best] }) => ({ ...candidate, fits: best?.fits ?? (() => 'false') })),
  )
  const types = new Map<string, FoundType>()
  for (const [name, { rungs, loose }] of chosen) {
    const best = rungs.find(({ type }) => type !== 'DECIMAL' || widths.has(name))
    if (best === undefined) continue
    const isInexact = best.type === 'DECIMAL' || best.rounds === true || best.staysText === true
    const type = best.type === 'DECIMAL' ? (widths.get(name) ?? best.type) : best.type
    types.set(name, { type, loose, ...(isInexact ? { inexact: true as const } : {}) })
  }
  return types
}

/** Whether so few values say nothing about the type of a column: one of ten, or one in a hundred. */
export function isTolerable(misfits: number, values: number): boolean {
  return misfits * 100 <= values || (misfits === 1 && values >= 10)
}
