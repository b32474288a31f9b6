/** What of the marked mistakes a list of problems shows. */
import type { Diagnostic, Range } from '@svc/server/language'
import type { Mark, MarkedText } from './marked-text.ts'

export interface Verdict {
  readonly mark: Mark
  readonly isShown: boolean
  readonly isExact: boolean
  /** The problem that shows it. */
  readonly by: Diagnostic | undefined
}

export interface Judgement {
  readonly verdicts: readonly Verdict[]
  /** Problems on a place where nothing is wrong. */
  readonly falseOnes: readonly Diagnostic[]
}

/** One problem shows one mistake: an exact one first, then one that overlaps it, then one within its reach. */
export function judge({ marks, tolerated, broken }: MarkedText, problems: readonly Diagnostic[]): Judgement {
  const free = new Set(problems)
  const shownBy = new Map<Mark, Diagnostic>()
  const assign = (fits: (mark: Mark, range: Range) => boolean): void => {
    for (const mark of marks) {
      if (shownBy.has(mark)) continue
      const problem = [...free].find(each => mayShow(mark, each) && fits(mark, each.range))
      if (problem === undefined) continue
      free.delete(problem)
      shownBy.set(mark, problem)
    }
  }
  assign((mark, range) => isSame(mark.range, range))
  assign((mark, range) => overlaps(mark.range, range) && isNear(broken, mark.reach, range))
  assign((mark, range) => overlaps(mark.reach, range) && isNear(broken, mark.reach, range))
  for (const mark of marks) {
    const problem = [...free].find(
      each => mayShow(mark, each) && tolerated.some(place => overlaps(place, each.range)),
    )
    if (mark.kind !== 'slip' || shownBy.has(mark) || problem === undefined) continue
    free.delete(problem)
    shownBy.set(mark, problem)
  }
  const verdicts = marks.map(mark => {
    const by = shownBy.get(mark)
    return { mark, by, isShown: by !== undefined, isExact: by !== undefined && isSame(mark.range, by.range) }
  })
  return { verdicts, falseOnes: [...free].filter(each => !isExplained(each, marks, tolerated, broken)) }
}

/** That the syntax is wrong shows a slip and nothing else. */
function mayShow(mark: Mark, { code }: Diagnostic): boolean {
  return mark.kind === 'slip' || code !== 'sql-syntax'
}

/** A second problem on the same mistake is no false one. */
function isExplained(
  { range }: Diagnostic,
  marks: readonly Mark[],
  tolerated: readonly Range[],
  text: string,
): boolean {
  if (tolerated.some(place => overlaps(place, range))) return true
  return marks.some(mark => overlaps(mark.reach, range) && isNear(text, mark.reach, range))
}

function isSame(a: Range, b: Range): boolean {
  return a.start === b.start && a.end === b.end
}

/** Two that touch overlap only where one of them is empty. */
function overlaps(a: Range, b: Range): boolean {
  if (a.start === a.end || b.start === b.end) return a.start <= b.end && b.start <= a.end
  return a.start < b.end && b.start < a.end
}

/** A problem that covers lines on which the mistake is not says nothing about it. */
function isNear(text: string, reach: Range, range: Range): boolean {
  const start = text.lastIndexOf('\n', reach.start - 1)
  const end = text.indexOf('\n', reach.end)
  return range.start > start && (end < 0 || range.end <= end)
}
