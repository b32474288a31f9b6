/** Files of a bucket. */
import { s3Client } from '../../s3/client.ts'
import { listObjects } from '../../s3/list.ts'
import { s3Place } from '../../s3/place.ts'
import { credentialsOf } from '../credentials.ts'
import type { FileStore, StoredFile } from './file-store.ts'
import type { StoreRequest } from './open-store.ts'

export async function s3Store({ ingest, endpoint, context, note }: StoreRequest): Promise<FileStore> {
  const { env, now, signal, asset, onRequest } = context
  const credentials = credentialsOf(asset, env)
  const place = await s3Place({ endpoint, settings: ingest.s3, credentials, env, where: 'ingest.s3' })
  const client = s3Client({ place, env, now, signal, limits: ingest.limits, note, onRequest })
  const base = place.folder === '' ? '' : `${place.folder}/`
  return {
    shown: place.shown,
    async *list(glob, look) {
      const prefix = base + glob.prefix
      for await (const objects of listObjects(client, { prefix, isFlat: glob.isFlat })) {
        look(objects.length)
        yield objects.flatMap(({ key, size, etag }): StoredFile[] => {
          const name = key.slice(base.length)
          return glob.matches(name) ? [{ name, size, stamp: etag }] : []
        })
      }
    },
    save: ({ name, stamp }, target) =>
      client.save(base + name, stamp, { ...target, bodyBytes: ingest.limits.bodyBytes }),
    close: () => client.close(),
  }
}
