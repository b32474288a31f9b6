/** The kinds of source, one line a kind, in the order in which the reference and completion show them. */
import { file } from './file.ts'
import { restApi } from './rest-api.ts'
import { rows } from './rows.ts'
import type { SourceIngest, SourceKind } from './source-kind.ts'

type AnySourceKind = SourceKind<SourceIngest>

const kinds: Readonly<Record<SourceIngest['type'], AnySourceKind>> = { rest_api: restApi, file, rows }

export const sourceKinds: readonly AnySourceKind[] = Object.values(kinds)

/** What an editor offers to start from, the usual one first. */
export const sourcesToStartFrom: readonly AnySourceKind[] = [file, restApi, rows]

export function sourceKindOf({ type }: SourceIngest): AnySourceKind {
  return kinds[type]
}
