/** Lists the objects of a bucket, page by page. */
import { SvcError } from '../errors.ts'
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
    refuseOtherText(text, `s3://${bucket}/${prefix}`)
    const isEncoded = elementOf(text, 'EncodingType') === 'url'
    yield elementsOf(text, 'Contents').map(each => objectOf(each, isEncoded))
    token = nextToken(text, token, `s3://${bucket}/${prefix}`)
  } while (token !== undefined)
}

/** A page of a login, or the beginning of a list, has no objects either. */
function refuseOtherText(text: string, shown: string): void {
  if (/<ListBucketResult[ >]/.test(text) && /<\/ListBucketResult>\s*$/.test(text)) return
  if (/<ListBucketResult[^>]*\/>\s*$/.test(text)) return
  throw new SvcError('http-body', `the list of ${shown} is no whole list of S3`, {
    hint: 'Check that the endpoint is a service that speaks S3, and not a page in front of it.',
  })
}

/** Returns undefined behind the last page. Throws where a service says that there is more, and not how to get it. */
function nextToken(text: string, before: string | undefined, shown: string): string | undefined {
  if (elementOf(text, 'IsTruncated')?.toLowerCase() !== 'true') return undefined
  const token = elementOf(text, 'NextContinuationToken')
  if (token !== undefined && token !== before) return token
  throw new SvcError(
    'http-body',
    `the list of ${shown} says that there are more objects, and not where they begin`,
    {
      hint: 'The service has to know version 2 of the list of objects (NextContinuationToken); choose fewer objects with a narrower pattern.',
    },
  )
}

function objectOf(xml: string, isEncoded: boolean): S3Object {
  const key = elementOf(xml, 'Key') ?? ''
  return {
    key: isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key,
    size: Number(elementOf(xml, 'Size') ?? 0),
    etag: elementOf(xml, 'ETag'),
  }
}
