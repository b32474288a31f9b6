/** Says what an S3 service answered, in words that say what to do. */
import { type ErrorCode, SvcError } from '../errors.ts'
import type { S3Place } from './place.ts'
import { elementOf } from './xml.ts'

export interface S3Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The beginning of the body. */
  readonly text: string
}

interface Said {
  readonly message: string
  readonly hint: string
  readonly code?: ErrorCode
}

type Words = (facts: { readonly place: S3Place; readonly answer: S3Answer; readonly what: string }) => Said

const denied: Words = ({ place, what }) => ({
  message:
    place.keys === undefined
      ? `the bucket "${place.bucket}" is not open to everybody`
      : `the key may not read or write ${what}`,
  hint:
    place.keys === undefined
      ? `Leave ${place.where}.anonymous out, and give a key.`
      : 'Ask the owner of the bucket for the rights s3:ListBucket and s3:GetObject, to publish also s3:PutObject.',
})

const wrongRegion: Words = ({ place, answer }) => {
  const region = answer.headers['x-amz-bucket-region'] ?? elementOf(answer.text, 'Region')
  return {
    message: `the bucket "${place.bucket}" is not in the region ${place.region}`,
    hint: `Write ${place.where}.region${region === undefined ? ' with its region' : `: ${region}`}, or set AWS_REGION.`,
  }
}

const byCode: Readonly<Record<string, Words>> = {
  NoSuchBucket: ({ place }) => ({
    message: `there is no bucket "${place.bucket}" at ${place.service.host}`,
    hint: `Check the endpoint, and ${place.where}.endpoint for a service other than Amazon.`,
  }),
  NoSuchKey: ({ what }) => ({ message: `${what} is not there any more`, hint: 'Run again.' }),
  AccessDenied: denied,
  AllAccessDisabled: denied,
  InvalidAccessKeyId: () => ({
    message: 'the service does not know the key (InvalidAccessKeyId)',
    hint: 'Check the id of the key, and that it belongs to this service.',
  }),
  SignatureDoesNotMatch: () => ({
    message: 'the secret of the key is wrong (SignatureDoesNotMatch)',
    hint: 'Check the secret of the key: it often loses a character when it is copied.',
  }),
  ExpiredToken: () => ({
    message: 'the key has expired (ExpiredToken)',
    hint: 'Get a new one and run again.',
  }),
  InvalidToken: () => ({
    message: 'the token of the key is wrong (InvalidToken)',
    hint: 'Key, secret and token belong together: set all three anew.',
  }),
  RequestTimeTooSkewed: ({ answer }) => ({
    message: `the clock of this machine is wrong: the service has ${elementOf(answer.text, 'ServerTime') ?? answer.headers['date'] ?? 'another time'}`,
    hint: 'Set the clock, for example with timedatectl set-ntp true, and run again.',
  }),
  PermanentRedirect: wrongRegion,
  TemporaryRedirect: wrongRegion,
  AuthorizationHeaderMalformed: wrongRegion,
  IllegalLocationConstraintException: wrongRegion,
  PreconditionFailed: ({ what }) => ({
    message: `${what} changed while it was read`,
    hint: 'Run again when whatever writes it has finished.',
  }),
}

/** An answer without a body, such as that to HEAD, has only its status. */
const byStatus: Readonly<Record<number, string>> = {
  301: 'PermanentRedirect',
  307: 'TemporaryRedirect',
  403: 'AccessDenied',
  404: 'NoSuchKey',
  412: 'PreconditionFailed',
}

/** @param what the file or list that was asked for, as `s3://bucket/name` */
export function s3Failure(place: S3Place, answer: S3Answer, what: string): SvcError {
  const code = elementOf(answer.text, 'Code') ?? byStatus[answer.status] ?? ''
  const words = Object.hasOwn(byCode, code) ? byCode[code] : undefined
  if (words !== undefined) {
    const { message, hint } = words({ place, answer, what })
    return new SvcError('http-status', place.hide(message), { hint: place.hide(hint) })
  }
  const said = elementOf(answer.text, 'Message')
  return new SvcError(
    'http-status',
    place.hide(
      `${what}: status ${answer.status}${code === '' ? '' : ` ${code}`}${said === undefined ? '' : `, it says "${said}"`}`,
    ),
    { hint: `Check ${place.where}.endpoint and the address, and whether the service runs.` },
  )
}

/** Returns whether it may work at another time. */
export function isPassing({ status, text }: S3Answer): boolean {
  if (status === 429 || status === 408 || (status >= 500 && status !== 501)) return true
  return ['SlowDown', 'RequestTimeout', 'InternalError', 'ServiceUnavailable'].includes(
    elementOf(text, 'Code') ?? '',
  )
}
