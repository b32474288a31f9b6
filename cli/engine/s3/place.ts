/** Where a bucket is and who asks: the address `s3://bucket/folder`, the key `s3` of the file, variables and profiles of AWS. */
import { redact, type S3Settings } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { resolveText } from '../ingest/credentials.ts'
import { readProfile } from './profiles.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface S3Request {
  /** `s3://bucket/folder`. */
  readonly endpoint: string
  readonly settings: S3Settings | undefined
  /** `id:secret` or `id:secret:token`; undefined if the asset has none. */
  readonly credentials: string | undefined
  readonly env: Env
  /** The block of the file with the settings, for messages: `ingest.s3`. */
  readonly where: string
}

export interface S3Keys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

export interface S3Place {
  readonly bucket: string
  /** The beginning of the keys, without a slash at its ends; empty for the whole bucket. */
  readonly folder: string
  /** The address of the service. */
  readonly service: URL
  readonly region: string
  readonly isPathStyle: boolean
  /** Undefined: nothing is signed. */
  readonly keys: S3Keys | undefined
  readonly where: string
  /** `s3://bucket/folder`. */
  readonly shown: string
  hide(text: string): string
}

/** Throws SvcError `missing-credentials` and `invalid-project`. */
export async function s3Place(request: S3Request): Promise<S3Place> {
  const { env, settings, where } = request
  const { bucket, folder } = bucketOf(request)
  const profile = await readProfile(env, settings?.profile, where)
  const region =
    resolved(request, 'region') ??
    env['AWS_REGION'] ??
    env['AWS_DEFAULT_REGION'] ??
    profile?.region ??
    'us-east-1'
  const given = resolved(request, 'endpoint') ?? env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL']
  const other = given === undefined || given === '' ? profile?.endpoint : given
  const service = serviceOf(other ?? `https://s3.${region}.amazonaws.com`, where)
  const keys = keysOf(request, profile?.keys)
  const secrets = keys === undefined ? [] : [keys.secretAccessKey, keys.sessionToken ?? '']
  return {
    ...{ bucket, folder, service, region, keys, where },
    // A certificate for *.s3.amazonaws.com does not count for a bucket with a dot in its name.
    isPathStyle: settings?.pathStyle ?? (other !== undefined || bucket.includes('.')),
    shown: `s3://${bucket}${folder === '' ? '' : `/${folder}`}`,
    hide: text =>
      redact(
        text,
        secrets.filter(secret => secret !== ''),
      ),
  }
}

function bucketOf({ endpoint, where }: S3Request): { readonly bucket: string; readonly folder: string } {
  const [, bucket = '', rest = ''] = /^s3:\/\/([^/?#]+)\/?(.*)$/i.exec(endpoint) ?? []
  if (bucket === '' || bucket.includes('@') || bucket.includes(':')) {
    throw new SvcError('invalid-project', 'the endpoint has to be s3://bucket or s3://bucket/folder', {
      hint: `Keys and the address of the service have their places in ${where}.`,
    })
  }
  return { bucket, folder: rest.replace(/^\/+|\/+$/g, '') }
}

function serviceOf(text: string, where: string): URL {
  if (URL.canParse(text)) {
    const url = new URL(text)
    if (/^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url
  }
  throw new SvcError(
    'invalid-project',
    'the address of the S3 service has to begin with https:// or http://',
    {
      hint: `It is ${where}.endpoint, AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL; keys are no part of it.`,
    },
  )
}

function resolved({ settings, env, where }: S3Request, name: 'endpoint' | 'region'): string | undefined {
  const value = settings?.[name]
  return value === undefined ? undefined : resolveText(value, env, `${where}.${name}`)
}

/** What the file says counts before what the machine says. */
function keysOf(request: S3Request, ofProfile: S3Keys | undefined): S3Keys | undefined {
  const { settings, env, credentials, where } = request
  if (settings?.anonymous === true) return undefined
  const own = ownKeys(request)
  if (own !== undefined) return own
  if (credentials !== undefined) return fromText(credentials)
  if (settings?.profile !== undefined && ofProfile !== undefined) return ofProfile
  const {
    AWS_ACCESS_KEY_ID: id = '',
    AWS_SECRET_ACCESS_KEY: secret = '',
    AWS_SESSION_TOKEN: token = '',
  } = env
  if (id !== '' && secret !== '') return withToken(id, secret, token)
  if (ofProfile !== undefined) return ofProfile
  throw new SvcError('missing-credentials', `nothing says with which key to ask for ${request.endpoint}`, {
    hint: `Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or credentials: env:NAME with id:secret; a bucket that is open to everybody needs ${where}.anonymous: true.`,
  })
}

function ownKeys({ settings = { anonymous: false }, env, where }: S3Request): S3Keys | undefined {
  const { accessKeyId, secretAccessKey, sessionToken } = settings
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new SvcError('invalid-project', `${where} has one half of a key`, {
      hint: 'Write access_key_id and secret_access_key, both as env:NAME.',
    })
  }
  return withToken(
    resolveText(accessKeyId, env, `${where}.access_key_id`),
    resolveText(secretAccessKey, env, `${where}.secret_access_key`),
    sessionToken === undefined ? '' : resolveText(sessionToken, env, `${where}.session_token`),
  )
}

function fromText(credentials: string): S3Keys {
  const [id = '', secret = '', ...token] = credentials.split(':')
  if (id === '' || secret === '') {
    throw new SvcError('missing-credentials', 'the credentials are no key of S3', {
      hint: 'They have to be id:secret, or id:secret:token.',
    })
  }
  return withToken(id, secret, token.join(':'))
}

function withToken(accessKeyId: string, secretAccessKey: string, token: string): S3Keys {
  return { accessKeyId, secretAccessKey, ...(token !== '' && { sessionToken: token }) }
}
