/**
 * A server that speaks S3 as Amazon describes it: buckets in memory, lists in pages, ranges, uploads in parts. It checks
 * every signature by itself (Node's crypto, none of svc's code), the hash of a body, the clock, the region and the key.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Options {
  readonly keys?: Readonly<Record<string, { readonly secret: string; readonly token?: string }>>
  readonly region?: string
  /** How many objects a page of a list has. */
  readonly pageSize?: number
}

export interface S3Server {
  readonly origin: string
  readonly buckets: Map<string, Map<string, Buffer>>
  /** Buckets that everybody may read. */
  readonly open: Set<string>
  /** Every request, as `GET /bucket/key?query`. */
  readonly asked: string[]
  /** Uploads in parts that are neither complete nor given up. */
  readonly uploads: Map<string, Map<number, Buffer>>
  /** The keys of these uploads. */
  readonly uploadKeys: Map<string, string>
  /** The keys that may not write. */
  readonly readers: Set<string>
  /** Answers in place of the server where it returns true. */
  before: (request: IncomingMessage, response: ServerResponse) => boolean
  put(bucket: string, key: string, content: string | Uint8Array): void
  close(): Promise<void>
}

export const s3Key = { id: 'AKIATEST', secret: 'c2VjcmV0/+of=the test' }

export async function startS3Server(options: S3Options = {}): Promise<S3Server> {
  const {
    keys = { [s3Key.id]: { secret: s3Key.secret } },
    region = 'eu-central-1',
    pageSize = 1000,
  } = options
  const state = { keys, region, pageSize }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    self.asked.push(`${request.method} ${request.url}`)
    if (self.before(request, response)) return
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => answer({ request, response, body: Buffer.concat(chunks), ...state }, self))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const self: S3Server = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    buckets: new Map(),
    open: new Set(),
    asked: [],
    uploads: new Map(),
    uploadKeys: new Map(),
    readers: new Set(),
    before: () => false,
    put(bucket, key, content) {
      const objects = self.buckets.get(bucket) ?? new Map<string, Buffer>()
      self.buckets.set(bucket, objects.set(key, Buffer.from(content)))
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return self
}

interface Asked extends Required<S3Options> {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
}

class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly more: string

  constructor(status: number, code: string, message: string, more = '') {
    super(message)
    this.status = status
    this.code = code
    this.more = more
  }
}

function answer(asked: Asked, server: S3Server): void {
  const { request, response } = asked
  try {
    const url = new URL(request.url ?? '/', server.origin)
    const [, bucket = '', ...steps] = url.pathname.split('/').map(decodeURIComponent)
    const id = verify(asked, url)
    const objects = server.buckets.get(bucket)
    if (objects === undefined) throw new Refusal(404, 'NoSuchBucket', 'The specified bucket does not exist')
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    const mayDo =
      id === undefined ? isReading && server.open.has(bucket) : isReading || !server.readers.has(id)
    if (!mayDo) throw new Refusal(403, 'AccessDenied', 'Access Denied')
    const key = steps.join('/')
    if (key === '' && url.searchParams.has('uploads')) listUploads(asked, url, server)
    else if (key === '') list(asked, url, objects)
    else if (isReading) get(asked, key, objects)
    else change(asked, url, key, objects, server)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, code, message, more } = error
    response.writeHead(status, { 'content-type': 'application/xml' })
    response.end(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message>${more}</Error>`,
    )
  }
}

// ---------------------------------------------------------------- who asks

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** Returns the id of the key; undefined for a request that is not signed. */
function verify({ request, body, keys, region }: Asked, url: URL): string | undefined {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  const [, id = '', day = '', where = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      header,
    ) ?? []
  const key = keys[id]
  if (key === undefined)
    throw new Refusal(403, 'InvalidAccessKeyId', 'The key does not exist in our records.')
  const time = String(request.headers['x-amz-date'])
  refuseSkew(time)
  if (where !== region) {
    const message = `The authorization header is malformed; the region '${where}' is wrong; expecting '${region}'`
    throw new Refusal(400, 'AuthorizationHeaderMalformed', message, `<Region>${region}</Region>`)
  }
  if (key.token !== undefined && request.headers['x-amz-security-token'] !== key.token)
    throw new Refusal(400, 'InvalidToken', 'The provided token is malformed or otherwise invalid.')
  const signedHeaders = names.split(';')
  if (
    !signedHeaders.includes('host') ||
    (key.token !== undefined && !signedHeaders.includes('x-amz-security-token'))
  )
    throw new Refusal(403, 'AccessDenied', 'There were headers present in the request which were not signed')
  const hash = String(request.headers['x-amz-content-sha256'])
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body))
    throw new Refusal(400, 'XAmzContentSHA256Mismatch', 'The hash of the body does not match.')
  const canonical = [
    request.method,
    (request.url ?? '').split('?')[0],
    canonicalQuery(url),
    ...signedHeaders.map(name => `${name}:${String(request.headers[name]).trim()}`),
    '',
    names,
    hash,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const signing = ['aws4_request'].reduce(
    (from, part) => hmac(from, part),
    hmac(hmac(hmac(`AWS4${key.secret}`, day), region), 's3'),
  )
  if (hmac(signing, text).toString('hex') !== signature)
    throw new Refusal(
      403,
      'SignatureDoesNotMatch',
      'The signature does not match the signature you provided.',
    )
  return id
}

function refuseSkew(time: string): void {
  const iso = time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  if (Math.abs(Date.now() - Date.parse(iso)) <= 15 * 60_000) return
  const now = `<ServerTime>${new Date().toISOString()}</ServerTime>`
  throw new Refusal(403, 'RequestTimeTooSkewed', 'The difference between the clocks is too large.', now)
}

const strict = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

function canonicalQuery(url: URL): string {
  return [...url.searchParams]
    .map(([name, value]) => `${strict(name)}=${strict(value)}`)
    .sort()
    .join('&')
}

// ---------------------------------------------------------------- what is asked

const etagOf = (content: Buffer) => `"${createHash('md5').update(content).digest('hex')}"`
const xml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')

function listUploads({ response }: Asked, url: URL, { uploads, uploadKeys }: S3Server): void {
  const prefix = url.searchParams.get('prefix') ?? ''
  const begun = [...uploads.keys()].flatMap(id => {
    const key = uploadKeys.get(id) ?? ''
    if (!key.startsWith(prefix)) return []
    return `<Upload><Key>${strict(key)}</Key><UploadId>${id}</UploadId></Upload>`
  })
  response.end(`<ListMultipartUploadsResult>${begun.join('')}</ListMultipartUploadsResult>`)
}

function list({ response, pageSize }: Asked, url: URL, objects: ReadonlyMap<string, Buffer>): void {
  const of = (name: string) => url.searchParams.get(name) ?? ''
  const [prefix, delimiter, after] = [of('prefix'), of('delimiter'), of('continuation-token')]
  const encode = of('encoding-type') === 'url' ? (key: string) => strict(key).replaceAll('%2F', '/') : xml
  const all = [...objects.keys()]
    .filter(
      key => key.startsWith(prefix) && (delimiter === '' || !key.slice(prefix.length).includes(delimiter)),
    )
    .sort()
    .filter(key => key > after)
  const page = all.slice(0, pageSize)
  const last = page.at(-1) ?? ''
  const contents = page.map(key => {
    const content = objects.get(key) ?? Buffer.alloc(0)
    return `<Contents><Key>${encode(key)}</Key><LastModified>2026-11-23T10:00:00.000Z</LastModified><ETag>${xml(etagOf(content))}</ETag><Size>${content.length}</Size></Contents>`
  })
  const more = all.length > page.length
  response.setHeader('content-type', 'application/xml')
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Prefix>${encode(prefix)}</Prefix><KeyCount>${page.length}</KeyCount>${of('encoding-type') === 'url' ? '<EncodingType>url</EncodingType>' : ''}<IsTruncated>${more}</IsTruncated>${more ? `<NextContinuationToken>${xml(last)}</NextContinuationToken>` : ''}${contents.join('')}</ListBucketResult>`,
  )
}

function get({ request, response }: Asked, key: string, objects: ReadonlyMap<string, Buffer>): void {
  const content = objects.get(key)
  if (content === undefined) throw new Refusal(404, 'NoSuchKey', 'The specified key does not exist.')
  const etag = etagOf(content)
  const wanted = request.headers['if-match']
  if (wanted !== undefined && wanted !== etag)
    throw new Refusal(412, 'PreconditionFailed', 'At least one of the preconditions did not hold')
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const start = Number(from ?? 0)
  const end = from === undefined ? content.length : Math.min(content.length, Number(to || Infinity) + 1)
  const part = content.subarray(start, end)
  response.writeHead(from === undefined ? 200 : 206, {
    etag,
    'content-length': part.length,
    ...(from !== undefined && { 'content-range': `bytes ${start}-${end - 1}/${content.length}` }),
  })
  response.end(request.method === 'HEAD' ? undefined : part)
}

function change(
  { request, response, body }: Asked,
  url: URL,
  key: string,
  objects: Map<string, Buffer>,
  { uploads, uploadKeys }: S3Server,
): void {
  const id = url.searchParams.get('uploadId') ?? ''
  const parts = uploads.get(id)
  if (id !== '' && parts === undefined) throw new Refusal(404, 'NoSuchUpload', 'The upload does not exist.')
  if (request.method === 'POST' && url.searchParams.has('uploads')) {
    const upload = randomUUID()
    uploads.set(upload, new Map())
    uploadKeys.set(upload, key)
    response.end(
      `<InitiateMultipartUploadResult><UploadId>${upload}</UploadId></InitiateMultipartUploadResult>`,
    )
  } else if (request.method === 'PUT' && parts !== undefined) {
    parts.set(Number(url.searchParams.get('partNumber')), body)
    response.writeHead(200, { etag: etagOf(body) }).end()
  } else if (request.method === 'POST' && parts !== undefined) {
    objects.set(key, joined(parts, body.toString()))
    uploads.delete(id)
    response.end('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
  } else if (request.method === 'DELETE') {
    if (parts === undefined) objects.delete(key)
    else uploads.delete(id)
    response.writeHead(204).end()
  } else if (request.method === 'PUT') {
    objects.set(key, body)
    response.writeHead(200, { etag: etagOf(body) }).end()
  } else throw new Refusal(405, 'MethodNotAllowed', 'The method is not allowed.')
}

/** All parts but the last have five megabytes or more, and each is named with its hash. */
function joined(parts: ReadonlyMap<number, Buffer>, order: string): Buffer {
  const named = [...order.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)]
  const pieces = named.map(([, number, etag = ''], index) => {
    const piece = parts.get(Number(number))
    if (piece === undefined || etagOf(piece) !== etag.replace(/&quot;|&#34;/g, '"'))
      throw new Refusal(400, 'InvalidPart', 'One of the parts could not be found.')
    if (index < named.length - 1 && piece.length < 5 << 20)
      throw new Refusal(400, 'EntityTooSmall', 'A part is smaller than the minimum size.')
    return piece
  })
  if (pieces.length !== parts.size) throw new Refusal(400, 'InvalidPart', 'A part is not named.')
  return Buffer.concat(pieces)
}
