/** The business glossary (interface.md 4.1). */
import type { AnyRoute, CursorSigner } from '../http/index.ts'
import { allKinds } from './kinds.ts'
import { bulkRoute } from './routes/bulk.ts'
import { patchRoute, replaceRoute } from './routes/change.ts'
import { createRoute } from './routes/create.ts'
import { exportRoute, importRoute } from './routes/exchange.ts'
import { listRoute, readRoute } from './routes/read.ts'
import { deleteRoute, restoreRoute } from './routes/remove.ts'
import { searchRoute } from './routes/search.ts'
import { versionRoute, versionsRoute } from './routes/versions.ts'

export { contentProblems, readContent } from './content.ts'
export type { ChangeAuthor, Origin } from './create.ts'
export { fillEntrySearch } from './fill-search.ts'
export type { Kind, KindName } from './kind.ts'
export { allKinds, entryKinds, kinds } from './kinds.ts'
export type { Content, GlossaryRecord } from './record.ts'
export { type UpsertOptions, type UpsertStatus, upsertRecord } from './upsert.ts'

export function glossaryRoutes(signer: CursorSigner): readonly AnyRoute[] {
  const ofKinds = allKinds.flatMap(kind => [
    createRoute(kind),
    bulkRoute(kind),
    listRoute(kind, signer),
    readRoute(kind),
    replaceRoute(kind),
    patchRoute(kind),
    deleteRoute(kind),
    restoreRoute(kind),
    versionsRoute(kind),
    versionRoute(kind),
  ])
  return [...ofKinds, exportRoute(), importRoute(), searchRoute()]
}
