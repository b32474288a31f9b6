/** Compares what the analysis says of a case with what is right. */
import type { AssetAnalysis } from '@svc/server/language'
import { type Case, type Expected, personalOf } from './corpus.ts'
import { type Grade, type Grades, gradesOf } from './grades.ts'

export interface Mistake {
  readonly kind: 'leak' | 'false alarm'
  readonly what: string
}

export interface Verdict {
  readonly of: Case
  readonly mistakes: readonly Mistake[]
}

const order: readonly Grade[] = ['none', 'derived', 'personal']
const personal = [...personalOf('c'), ...personalOf('u')]

export function judge(of: Case, analysis: AssetAnalysis): Verdict {
  const grades = gradesOf(analysis)
  const mistakes = of.columns.flatMap((expected, index) =>
    mistakesOf(expected, grades[index], `column ${index + 1}`),
  )
  if (grades.length === of.columns.length) return { of, mistakes }
  const count = `${grades.length} columns instead of ${of.columns.length}`
  const problem = analysis.diagnostics.find(each => each.severity === 'error')?.message
  // Columns that are not known are no false alarm of theirs, but nothing follows what flows through them.
  return { of, mistakes: [...mistakes, { kind: 'leak', what: problem ? `${count}: ${problem}` : count }] }
}

function mistakesOf(expected: Expected, said: Grades | undefined, place: string): Mistake[] {
  return personal.flatMap((origin): Mistake[] => {
    const grade = said?.get(origin) ?? 'none'
    const [least, most] = expected.origins.get(origin) ?? ['none', 'none']
    const what = (right: Grade) => `${place}: ${origin} is ${right}, shown as ${grade}`
    if (order.indexOf(grade) < order.indexOf(least)) return [{ kind: 'leak', what: what(least) }]
    if (!expected.isOpen && order.indexOf(grade) > order.indexOf(most))
      return [{ kind: 'false alarm', what: what(most) }]
    return []
  })
}

export interface Score {
  readonly cases: number
  readonly right: number
  /** Cases in which at least one column's mark is lost. */
  readonly leaks: readonly Verdict[]
  /** Cases without a leak in which at least one column is marked more than is right. */
  readonly falseAlarms: readonly Verdict[]
}

export function score(verdicts: readonly Verdict[]): Score {
  const has = (kind: Mistake['kind']) => (verdict: Verdict) =>
    verdict.mistakes.some(each => each.kind === kind)
  const right = verdicts.filter(({ mistakes }) => mistakes.length === 0).length
  return {
    cases: verdicts.length,
    right,
    leaks: verdicts.filter(has('leak')),
    falseAlarms: verdicts.filter(verdict => !has('leak')(verdict) && has('false alarm')(verdict)),
  }
}

/** Both kinds count: a case with a leak may show a false alarm as well. */
export function shownVerdict({ of, mistakes }: Verdict): string {
  const lines = mistakes.map(({ kind, what }) => `    ${kind}: ${what}`)
  return [`${of.file}:${of.line} (${of.topic})`, `    ${of.sql.replaceAll('\n', ' ')}`, ...lines].join('\n')
}
