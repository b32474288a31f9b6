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

export { fillEntrySearch } from './fill-search.ts'

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
