/** The first line of a plan: which environment, where its tables are, and whether anything is to be done. */
import { countOf, formatAge } from './numbers.ts'
import type { PlanReport } from './plan.ts'
import type { Style } from './style.ts'
import { oneLine } from './width.ts'

export function headOf(report: PlanReport, style: Style): string {
  const { environment, assets, selector } = report.plan
  const selected = selector === undefined ? '' : ` selected by ${oneLine(selector)}`
  return `Plan for ${style.bold(environment)} ${placeOfPlan(report)}, ${countOf(assets.length, 'asset')}${selected}`
}

/** The schema of `dev` depends on what is checked out, so each plan names it, also one of nothing. */
function placeOfPlan({ plan: { schema, warehouse }, isDetached = false }: PlanReport): string {
  return `(${schema} in ${warehouse}${isDetached ? '; no git branch is checked out' : ''})`
}

/** A run of a plan without any work still fails where a source breaks its contract. */
export function brokenContracts({ contracts }: PlanReport): number {
  return contracts.filter(check => check.status === 'broken').length
}

export function nothingToDo(report: PlanReport): string {
  const { plan, now } = report
  if (plan.assets.length === 0 && plan.selector !== undefined)
    return `Nothing to do for ${plan.environment} ${placeOfPlan(report)}: ${plan.selector} selects no asset.`
  const last = plan.lastDeployment
  const seconds = last === undefined ? 0 : (now.getTime() - Date.parse(last.finishedAt)) / 1000
  const since = last === undefined ? '' : ` (run ${last.runId}, ${formatAge(seconds)})`
  const fetches = plan.assets.filter(asset => asset.fetches).length
  const standing = `${countOf(plan.assets.length, 'asset')} ${plan.assets.length === 1 ? 'is' : 'are'} as deployed${since}`
  const broken = brokenContracts(report)
  if (broken > 0)
    return `A run for ${plan.environment} ${placeOfPlan(report)} would fail: ${standing}, but ${countOf(broken, 'source')} ${broken === 1 ? 'breaks its contract' : 'break their contracts'}.`
  const unknown =
    fetches === 0 ? '' : ` A run fetches ${countOf(fetches, 'source')} and builds what came new.`
  return `Nothing to do for ${plan.environment} ${placeOfPlan(report)}: ${standing}.${unknown}`
}
