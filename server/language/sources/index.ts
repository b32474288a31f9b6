/** Lists the kinds of source, one line per kind, in the order of the reference and of completion. */
import { file } from './file.ts'
import { restApi } from './rest-api.ts'
import { rows } from './rows.ts'
import type { SourceIngest, SourceKind } from './source-kind.ts'

type AnySourceKind = SourceKind<SourceIngest>

const kinds: Readonly<Record<SourceIngest['type'], AnySourceKind>> = { rest_api: restApi, file, rows }

export const sourceKinds: readonly AnySourceKind[] = Object.values(kinds)

/** The kinds that an editor offers for a new asset, the most common one first. */
export const sourcesToStartFrom: readonly AnySourceKind[] = [file, restApi, rows]

export function sourceKindOf({ type }: SourceIngest): AnySourceKind {
  return kinds[type]
}
