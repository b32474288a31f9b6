/** A file of a bucket. */
import { s3Client } from '../s3/client.ts'
import { s3Place } from '../s3/place.ts'
import { giveUpUploads, objectExists, uploadFile } from '../s3/upload.ts'
import { optionalCredentials } from './credentials.ts'
import { draftIn, type FilePlace, type PlaceRequest } from './file-place.ts'

export async function s3FilePlace({ request, endpoint }: PlaceRequest): Promise<FilePlace> {
  const { target, env, now, signal, secrets, folder } = request
  const credentials = optionalCredentials(target, env)
  const where = `publish.${target.name}.s3`
  const place = await s3Place({ endpoint, settings: target.s3, credentials, env, where })
  if (place.keys !== undefined) {
    secrets.add(place.keys.secretAccessKey)
    secrets.add(place.keys.sessionToken ?? '')
  }
  const client = s3Client({ place, env, now, signal, limits: target.limits, note: () => undefined })
  const key = place.folder === '' ? target.resource : `${place.folder}/${target.resource}`
  const shown = `s3://${place.bucket}/${key}`
  return {
    shown,
    place: `${place.service.origin} ${shown}`,
    exists: () => objectExists(client, key),
    draft: () => draftIn(folder),
    put: draft => uploadFile(client, key, draft),
    tidy: () => giveUpUploads(client, key),
    close: () => client.close(),
  }
}
