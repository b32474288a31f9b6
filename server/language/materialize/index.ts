/** Lists the kinds of `deploy.materialize`, in the order in which they are offered. */
import type { Materialize } from '../../contract/index.ts'
import { ephemeral } from './ephemeral.ts'
import type { Materialization } from './materialization.ts'
import { table } from './table.ts'
import { view } from './view.ts'

export type MaterializeKind = Materialize

/** The contract lists the kinds too: a kind that only one of the two has is a type error here. */
const kinds: { readonly [Kind in MaterializeKind]: Materialization & { readonly kind: Kind } } = {
  table,
  view,
  ephemeral,
}

export const materializations = Object.values(kinds)

export const materializeKinds: readonly MaterializeKind[] = materializations.map(({ kind }) => kind)

const byKind: ReadonlyMap<string, Materialization> = new Map(materializations.map(each => [each.kind, each]))

export function materializationOf(kind: MaterializeKind): Materialization {
  const known = byKind.get(kind)
  if (known === undefined) throw new Error(`no materialization "${kind}"`)
  return known
}
