/** The kinds of `deploy.materialize`, in the order in which they are offered. */
import { ephemeral } from './ephemeral.ts'
import type { Materialization } from './materialization.ts'
import { table } from './table.ts'
import { view } from './view.ts'

export const materializations = [table, view, ephemeral] as const

export type MaterializeKind = (typeof materializations)[number]['kind']

export const materializeKinds: readonly MaterializeKind[] = materializations.map(({ kind }) => kind)

const byKind: ReadonlyMap<string, Materialization> = new Map(materializations.map(each => [each.kind, each]))

export function materializationOf(kind: MaterializeKind): Materialization {
  const known = byKind.get(kind)
  if (known === undefined) throw new Error(`no materialization "${kind}"`)
  return known
}
