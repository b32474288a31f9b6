/**
 * Lets the engine evaluate expressions without columns. Each is evaluated once and its result is remembered.
 */
import type { BindError } from '../bind-error.ts'
import type { Binder } from '../binder.ts'
import type { Check } from './spots.ts'

export type Verdict = BindError | 'fine'

const known = new WeakMap<Binder, Map<string, Verdict>>()

/** Returns for each check why it fails; undefined if it does not, or if the engine cannot tell. */
export async function failuresOf(
  binder: Binder,
  checks: readonly Check[],
): Promise<(check: Check) => BindError | undefined> {
  const verdicts = known.get(binder) ?? new Map<string, Verdict>()
  known.set(binder, verdicts)
  await judge(
    binder,
    checks.map(check => check.sql),
    verdicts,
  )
  const doubtful = checks.flatMap(({ sql, control }) => (verdicts.get(sql) === 'fine' ? [] : (control ?? [])))
  await judge(binder, doubtful, verdicts)
  return ({ sql, control }) => {
    const verdict = verdicts.get(sql)
    if (verdict === undefined || verdict === 'fine') return undefined
    return control === undefined || verdicts.get(control) === 'fine' ? verdict : undefined
  }
}

async function judge(
  binder: Binder,
  wanted: readonly string[],
  verdicts: Map<string, Verdict>,
): Promise<void> {
  await judgeHalves(
    binder,
    [...new Set(wanted)].filter(sql => !verdicts.has(sql)),
    verdicts,
  )
}

/** Evaluates all checks in one call, since usually none fails; if that fails, either half on its own. */
async function judgeHalves(
  binder: Binder,
  sqls: readonly string[],
  verdicts: Map<string, Verdict>,
): Promise<void> {
  if (sqls.length === 0) return
  const verdict = await verdictOf(binder, sqls.join(', '))
  if (verdict === 'fine' || sqls.length === 1) {
    for (const sql of sqls) verdicts.set(sql, verdict)
    return
  }
  const middle = sqls.length >> 1
  await judgeHalves(binder, sqls.slice(0, middle), verdicts)
  await judgeHalves(binder, sqls.slice(middle), verdicts)
}

async function verdictOf(binder: Binder, expressions: string): Promise<Verdict> {
  return (await binder.run([`SELECT ${expressions}`])) ?? 'fine'
}
