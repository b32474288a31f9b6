/** The asset of files that were looked at: one for all that a pattern matches. */
import { formatOf, remoteScheme, yamlText } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import {
  type DiscoveredAsset,
  type IngestKeys,
  type Look,
  likelyKey,
  optionalKey,
  placeOf,
  refuseTaken,
  sampleOf,
  written,
} from './look.ts'

export async function fileAsset(look: Look): Promise<DiscoveredAsset> {
  const { name } = look.address
  const { endpoint, resource } = placeOf(look)
  refuseTables(look)
  refuseTaken(look, name)
  const format = formatOf(resource)
  if (format === undefined) {
    throw new SvcError('wrong-usage', `the name "${resource}" does not say how the file is written`, {
      hint: 'Names end in .csv, .tsv, .json, .ndjson or .parquet, and .gz behind it.',
    })
  }
  const keys: IngestKeys = [
    ['endpoint', yamlText(endpoint)],
    ['resource', yamlText(resource)],
  ]
  const sampled = await sampleOf(look, name, 'file', keys)
  if (sampled.rows === 0 && format !== 'parquet') {
    throw new SvcError(
      'source-empty',
      `${resource} has no records, so that nothing shows the types of its columns`,
      {
        hint: 'Discover it when it has some.',
      },
    )
  }
  const key = likelyKey(sampled.columns, name)
  const isInVariable = endpoint !== look.address.endpoint
  const place = remoteScheme(endpoint) === undefined ? endpoint : new URL(endpoint).host
  return written(look, {
    ...sampled,
    name,
    type: 'file',
    description: `Records of ${resource}${place === '.' || isInVariable ? '' : ` in ${place}`}.`,
    ingest: [...keys, ...optionalKey('primary_key', key)],
    primaryKey: key === undefined ? [] : [key],
    required: [],
    descriptions: new Map(),
  })
}

function refuseTables({ request }: Look): void {
  if (!request.all && request.table === undefined) return
  throw new SvcError('wrong-usage', 'files have no tables', {
    hint: 'A pattern such as "data/orders-*.csv" is one asset with the records of all files that it matches.',
  })
}
