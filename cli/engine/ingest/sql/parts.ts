/** The parts of a table that are read at the same time. */
import { internalNames } from '@svc/server/language'
import { DatabaseError } from './database.ts'

const own = internalNames('least', 'greatest')

/** Asks for one row. */
export type RangeOf = (sql: string) => Promise<Readonly<Record<string, string | null>> | undefined>

/**
 * Returns a condition for each part: ranges of whole numbers between the least and the greatest, the last one
 * with the rows that have none.
 */
export async function integerRanges(
  ask: RangeOf,
  column: string,
  relation: string,
  parts: number,
): Promise<readonly string[]> {
  const found = await ask(
    `SELECT min(${column}) AS ${own.least}, max(${column}) AS ${own.greatest} FROM ${relation}`,
  )
  const [least, greatest] = [found?.[own.least], found?.[own.greatest]]
  if (least === null || greatest === null || least === undefined || greatest === undefined) return ['1 = 1']
  if (![least, greatest].every(each => /^-?\d+$/.test(String(each)))) {
    throw new DatabaseError('statement', `${column} has no whole numbers to split by`, {
      hint: 'Name a column of whole numbers in ingest.split.by.',
    })
  }
  const from = BigInt(least)
  const size = (BigInt(greatest) - from) / BigInt(parts) + 1n
  return Array.from({ length: parts }, (_, index) => {
    const start = `${column} >= ${from + size * BigInt(index)}`
    if (index === parts - 1) return `(${start} OR ${column} IS NULL)`
    return `${index === 0 ? '' : `${start} AND `}${column} < ${from + size * BigInt(index + 1)}`
  })
}

/** Reads all parts, or stops all of them: none may write any more when this returns or throws. */
export async function partsTogether<T>(
  parts: readonly T[],
  read: (part: T, index: number) => Promise<void>,
  stop: () => void,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined
  const reading = parts.map((part, index) =>
    read(part, index).catch(error => {
      failure ??= { error }
      stop()
    }),
  )
  await Promise.all(reading)
  if (failure !== undefined) throw failure.error
}
