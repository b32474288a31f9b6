/**
 * Decides whether the first record of a text file is a header, and what its columns are called. It is one where it holds
 * anything that could be a name, whatever the others are: years, months and numbers are names too. Where it could as well be a
 * record or a comment, a load warns.
 */
import type { FileOptions } from '../../../language/index.ts'
import { guessedType, isNote, isValue } from './value-kinds.ts'

export interface FoundHeader {
  readonly hasHeader: boolean
  /** Whether the first record could as well be the opposite, or a comment. */
  readonly isGuess: boolean
}

type Records = readonly (readonly string[])[]

export function findHeader(records: Records, options: FileOptions): FoundHeader {
  const [first, ...rest] = records
  if (options.header !== undefined) return { hasHeader: options.header, isGuess: false }
  if (first === undefined) return { hasHeader: false, isGuess: false }
  const columns = first.map((_, column) => rest.map(values => values[column] ?? ''))
  const isSaid = options.columns !== undefined
  // Names that the user gives are for files without a header, unless the types below say that there is one.
  if (isSaid) return { hasHeader: !isLikeRecords(first, columns, options), isGuess: false }
  const names = first.filter(value => value.trim() !== '' && !isValue(value))
  if (names.length === 0) return { hasHeader: false, isGuess: true }
  const values = first.filter(value => value.trim() !== '' && isValue(value))
  const isLikeRecord =
    values.length > 0 && !isSeries(values) && rest.length > 0 && isLikeRecords(first, columns, options)
  return { hasHeader: true, isGuess: isLikeRecord || isCommented(first[0] ?? '') }
}

/** A header that begins as comments do could be one, above a file without a header; a sign alone is the name of a column of numbers. */
function isCommented(name: string): boolean {
  return isNote(name) && /[\p{L}\p{N}]/u.test(name)
}

/** Returns whether each value of the line is of the type that its column has below. */
function isLikeRecords(first: readonly string[], columns: Records, options: FileOptions): boolean {
  return first.every((value, column) => {
    const below = columns[column] ?? []
    if (below.every(each => each === '')) return true
    const type = guessedType(below, options)
    if (type === 'VARCHAR') return !isValue(value) || below.some(isValue)
    return value === '' || guessedType([...below, value], options) !== 'VARCHAR'
  })
}

/** Years, months, numbers of weeks: whole numbers in equal steps. */
function isSeries(values: readonly string[]): boolean {
  const numbers = values.map(value => (/^[0-9]{1,4}$/.test(value.trim()) ? Number(value) : Number.NaN))
  const [first = Number.NaN, second = Number.NaN] = numbers
  const step = second - first
  return step !== 0 && numbers.every((number, index) => number === first + index * step)
}

/** Two columns whose names are one in the warehouse: nobody could say which is meant. */
export interface NameClash {
  readonly first: string
  readonly second: string
}

/**
 * Returns the names of the columns: those of the header, of the user, or made from their places (`column0`). A name that is
 * written alike again becomes `name_1`, `name_2`. Names that differ in their letters alone meet.
 */
export function columnNames(
  header: readonly string[] | undefined,
  width: number,
  options: FileOptions,
): { readonly names: readonly string[]; readonly clash: NameClash | undefined } {
  const digits = String(Math.max(width - 1, 0)).length
  const written = Array.from({ length: width }, (_, index) => {
    const own = options.columns?.[index] ?? header?.[index]?.replaceAll('\0', '').trim() ?? ''
    return own === '' ? `column${String(index).padStart(digits, '0')}` : own
  })
  const counts = new Map<string, number>()
  const names = written.map(name => {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return count === 0 ? name : `${name}_${count}`
  })
  const taken = new Map<string, number>()
  let clash: NameClash | undefined
  names.forEach((name, index) => {
    const key = name.toLowerCase()
    const other = taken.get(key)
    if (other !== undefined && clash === undefined)
      clash = { first: placed(written, names, other), second: placed(written, names, index) }
    taken.set(key, index)
  })
  return { names, clash }
}

function placed(written: readonly string[], names: readonly string[], index: number): string {
  const again = written[index] === names[index] ? '' : `, called "${names[index]}"`
  return `"${written[index]}" (column ${index + 1}${again})`
}
