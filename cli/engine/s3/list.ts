/** Lists the objects of a bucket, page by page. */
import type { S3Client } from './client.ts'
import { elementOf, elementsOf } from './xml.ts'

export interface S3Object {
  readonly key: string
  readonly size: number
  readonly etag: string | undefined
}

export interface ListOptions {
  readonly prefix: string
  /** Whether objects in further folders are left out. */
  readonly isFlat: boolean
}

export async function* listObjects(
  client: S3Client,
  { prefix, isFlat }: ListOptions,
): AsyncGenerator<readonly S3Object[]> {
  const { bucket } = client.place
  let token: string | undefined
  do {
    const { text } = await client.ask({
      method: 'GET',
      query: {
        'list-type': '2',
        // Names that XML cannot hold come as they stand in an address.
        'encoding-type': 'url',
        prefix,
        ...(isFlat && { delimiter: '/' }),
        ...(token !== undefined && { 'continuation-token': token }),
      },
      what: `the list of s3://${bucket}/${prefix}`,
    })
    const isEncoded = elementOf(text, 'EncodingType') === 'url'
    yield elementsOf(text, 'Contents').map(each => objectOf(each, isEncoded))
    token = elementOf(text, 'IsTruncated') === 'true' ? elementOf(text, 'NextContinuationToken') : undefined
  } while (token !== undefined)
}

function objectOf(xml: string, isEncoded: boolean): S3Object {
  const key = elementOf(xml, 'Key') ?? ''
  return {
    key: isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key,
    size: Number(elementOf(xml, 'Size') ?? 0),
    etag: elementOf(xml, 'ETag'),
  }
}
