/** Lists the kinds of destination, one line per kind, in the order of the reference and of completion. */
import { type DestinationKind, unionOfKeys } from './destination-kind.ts'
import { duckdb } from './duckdb.ts'
import { file } from './file.ts'
import { http } from './http.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'

const kinds = { postgres, mysql, duckdb, http, file } as const satisfies Readonly<
  Record<string, DestinationKind>
>

export type DestinationType = keyof typeof kinds

export const destinationKinds: readonly DestinationKind[] = Object.values(kinds)

export function destinationKindOf(type: DestinationType): DestinationKind {
  return kinds[type]
}

/** The keys of all kinds: in an asset, `svc.yaml` may say which kind a target is. */
export const destinationKeys = unionOfKeys(destinationKinds)
