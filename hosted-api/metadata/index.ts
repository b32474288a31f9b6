/** The metadata store (interface.md 4.2): uploads and queries. */
import type { AnyRoute, CursorSigner } from '../http/index.ts'
import { assetRoutes } from './read/asset-routes.ts'
import { policyRoutes } from './read/policy-routes.ts'
import { projectRoutes } from './read/project-routes.ts'
import { uploadRoutes } from './upload/upload-routes.ts'

export function metadataRoutes(signer: CursorSigner): readonly AnyRoute[] {
  return [...uploadRoutes, ...projectRoutes(signer), ...assetRoutes, ...policyRoutes]
}

export { fillAssetSearch } from './store/fill-asset-search.ts'
