/** Renders what somebody did to relations of svc, for a plan and a rollback that is only looked at. */
import type { JsonOf } from '@svc/server/contract'
import { type Repair, repairWords } from '../engine/run/repairs.ts'
import { entry } from './entry.ts'
import type { Style } from './style.ts'

export type Repairs = ReadonlyMap<string, readonly Repair[]>

/** `! orders  replaced  its view was replaced in the warehouse, not by svc: a run puts its own in its place` */
export function repairLines(repairs: Repairs | undefined, verb: 'run' | 'rollback', style: Style): string[] {
  return told(repairs).flatMap(({ asset, repair }) =>
    entry(
      style.yellow('!'),
      asset,
      repair.replaced === true ? 'replaced' : 'gone',
      [sentence(repair, verb)],
      style,
    ),
  )
}

/** Items of a list in Markdown. */
export function repairItems(repairs: Repairs | undefined): string[] {
  return told(repairs).map(({ asset, repair }) => `- \`${asset}\`: ${sentence(repair, 'run')}`)
}

/** Absent if nobody did anything. */
export function repairsJson(repairs: Repairs | undefined): Pick<JsonOf<'plan'>, 'repairs'> {
  const all = told(repairs)
  if (all.length === 0) return {}
  return {
    repairs: all.map(({ asset, repair: { relation, replaced = false } }) => ({ asset, relation, replaced })),
  }
}

function sentence(repair: Repair, verb: 'run' | 'rollback'): string {
  const what = repair.replaced === true ? 'puts that of svc in its place' : 'makes it again'
  return `${repairWords(repair)}: a ${verb} ${what}`
}

function told(repairs: Repairs = new Map()) {
  return [...repairs].flatMap(([asset, all]) => all.map(repair => ({ asset, repair })))
}
