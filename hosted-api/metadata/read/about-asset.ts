/** What the routes about one asset share. */
import { Type } from '@sinclair/typebox'
import { type Call, notFound, RecordId } from '../../http/index.ts'
import { projectOfAsset, readAsset, type StoredAsset } from '../store/assets.ts'
import { headOf, type Reading } from '../store/visible.ts'

export const assetPath = '/api/svc/metadata/assets/:asset'

const params = Type.Object({ asset: RecordId })

type AssetCall = Call<typeof params.static>

export const aboutAsset = {
  method: 'GET' as const,
  tag: 'metadata',
  scope: 'metadata:read' as const,
  project: {
    from: 'find' as const,
    find: (call: AssetCall) => projectOfAsset(call.storage.reads, call.params.asset),
  },
  params,
}

/**
 * Returns the asset of a request with the visible upload of its project.
 * @throws Problem `not_found` for an asset that is in no complete upload
 */
export async function assetOf({ storage, params, pace }: Pick<AssetCall, 'storage' | 'params' | 'pace'>) {
  const { reads: queries } = storage
  const asset = await readAsset(queries, params.asset)
  if (asset === undefined) throw notFound('asset')
  const reading: Reading = { queries, head: await headOf(queries, asset.project), pace }
  return { reading, asset }
}

/** Names an asset in an answer (interface.md 2.11). */
export function refOf({ id, name }: Pick<StoredAsset, 'id' | 'name'>) {
  return { asset_id: id, asset_name: name }
}
