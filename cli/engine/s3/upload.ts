/** Writes a file into a bucket. Readers see the old object or the new one: a service shows one when it is complete. */
import { open } from 'node:fs/promises'
import type { S3Client } from './client.ts'
import { elementOf, elementsOf, escaped } from './xml.ts'

/** Larger files go in parts, so that memory holds a part and a broken connection costs one. */
const usualPart = 16 << 20
/** No upload has more parts than ten thousand. */
const mostParts = 9000

export async function uploadFile(
  client: S3Client,
  key: string,
  path: string,
  partBytes = usualPart,
): Promise<void> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const length = Math.max(partBytes, Math.ceil(size / mostParts))
    const piece = async (at: number) => {
      const buffer = Buffer.alloc(Math.min(length, size - at))
      await file.read(buffer, 0, buffer.length, at)
      return buffer
    }
    if (size <= length) await client.ask({ method: 'PUT', key, body: await piece(0) })
    else await inParts(client, key, { size, length, piece })
  } finally {
    await file.close()
  }
}

interface Parts {
  readonly size: number
  readonly length: number
  readonly piece: (at: number) => Promise<Buffer>
}

async function inParts(client: S3Client, key: string, { size, length, piece }: Parts): Promise<void> {
  const begun = await client.ask({ method: 'POST', key, query: { uploads: '' } })
  const uploadId = elementOf(begun.text, 'UploadId') ?? ''
  try {
    const parts: string[] = []
    for (let at = 0; at < size; at += length) {
      const query = { partNumber: String(parts.length + 1), uploadId }
      const { headers } = await client.ask({ method: 'PUT', key, query, body: await piece(at) })
      parts.push(
        `<Part><PartNumber>${parts.length + 1}</PartNumber><ETag>${escaped(headers['etag'] ?? '')}</ETag></Part>`,
      )
    }
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
    await client.ask({ method: 'POST', key, query: { uploadId }, body })
  } catch (error) {
    // Parts that nobody puts together cost money until they are deleted.
    await client.ask({ method: 'DELETE', key, query: { uploadId } }).catch(() => undefined)
    throw error
  }
}

/** Gives up uploads of an object that were begun and not ended: their parts cost money, and no list of objects shows them. */
export async function giveUpUploads(client: S3Client, key: string): Promise<void> {
  const { bucket } = client.place
  const what = `the list of unfinished uploads of s3://${bucket}/${key}`
  const query = { uploads: '', 'encoding-type': 'url', prefix: key }
  const { text } = await client.ask({ method: 'GET', query, what })
  const uploads = elementsOf(text, 'Upload').filter(each => keyOf(each) === key)
  for (const each of uploads)
    await client.ask({ method: 'DELETE', key, query: { uploadId: elementOf(each, 'UploadId') ?? '' } })
}

function keyOf(upload: string): string {
  return decodeURIComponent((elementOf(upload, 'Key') ?? '').replaceAll('+', ' '))
}

/** Returns whether there is such an object. */
export async function objectExists(client: S3Client, key: string): Promise<boolean> {
  const { status } = await client.ask({ method: 'HEAD', key })
  return status !== 404
}
