/** Tells what follows from a missing bracket: until that stands where it belongs, such findings would be noise beside the one mistake. */
import { wordSet } from '../../language/sql/grammar.ts'
import type { Doubt, SyntaxProblem } from '../../language/sql/tree.ts'
import type { Range } from '../../language/text/range.ts'
import type { Finding } from './finding.ts'
import type { KnownNames } from './treatment.ts'

const nameCodes: ReadonlySet<string> = wordSet(
  'sql-unknown-column sql-unknown-function sql-unknown-table sql-ambiguous-column sql-unknown-type',
)

/** Returns the findings that stand by themselves. */
export async function withoutFollowing(
  findings: readonly Finding[],
  slips: readonly SyntaxProblem[],
  text: string,
  names: KnownNames,
): Promise<readonly Finding[]> {
  const doubts = slips.flatMap(({ doubt }) => doubt ?? [])
  if (doubts.length === 0) return findings
  const functions = doubts.some(({ list }) => list !== undefined) ? (await names.functions()).all : []
  const hasGrown = (range: Range): boolean => {
    const written = text.slice(range.start, range.end).toLowerCase()
    return functions.some(name => name.length > 2 && name !== written && written.startsWith(name))
  }
  const follows = ({ code, range }: Finding, { start, end, names: named, list }: Doubt): boolean => {
    if (!nameCodes.has(code)) return isWithin(range, { start, end })
    if (named === undefined) return false
    return isWithin(range, named) || (isWithin(range, { start: list ?? end, end }) && hasGrown(range))
  }
  return findings.filter(
    finding => finding.code === 'sql-syntax' || !doubts.some(doubt => follows(finding, doubt)),
  )
}

function isWithin(range: Range, { start, end }: Range): boolean {
  return start <= range.start && range.end <= end
}
