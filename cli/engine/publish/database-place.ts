/** Where a table of another database is: its address, how it is shown, and what tells it from others. */

import { SvcError } from '../errors.ts'
import { resolvedAddress } from '../ingest/sql/address.ts'
import { optionalCredentials } from './credentials.ts'
import type { DestinationRequest } from './destination.ts'

/** Throws `missing-credentials`, or `invalid-project` where the endpoint is no address. */
export function databasePlace(request: DestinationRequest) {
  const { target } = request
  const address = addressOf(request)
  return {
    address,
    shown: `${target.resource} of ${address.shown}`,
    place: `${placeOf(address.text)} ${target.resource}`,
  }
}

/** A password that is a whole address is the address: other tools keep them so. */
function addressOf({ target, env, secrets }: DestinationRequest) {
  const at = `publish.${target.name}`
  const password = optionalCredentials(target, env)
  if (password === undefined || !wholeAddress.test(password))
    return resolvedAddress({ endpoint: target.endpoint, password, at }, env, secrets)
  const whole = resolvedAddress({ endpoint: target.credentials, password: undefined, at }, env, secrets)
  const written = resolvedAddress({ endpoint: target.endpoint, password: undefined, at }, env, secrets)
  if (bare(written.text) === bare(whole.text)) return whole
  throw new SvcError('invalid-project', `${at}.endpoint and the address in its credentials are two places`, {
    hint: 'Take endpoint out, and the address of the credentials counts; or let the credentials be the password alone.',
  })
}

const wholeAddress = /^(postgres(ql)?|mysql|mariadb):\/\/[^/?#]|^duckdb:./i

function bare(text: string): string {
  return placeOf(text)
    .replace(/^postgresql:/i, 'postgres:')
    .replace(/^mariadb:/i, 'mysql:')
}

/** A new user, password or option is the same place. */
function placeOf(text: string): string {
  if (!text.includes('://')) return text
  const { protocol, host, pathname, searchParams } = new URL(text)
  const hosts = ['host', 'port', 'socket'].flatMap(name => searchParams.get(name) ?? [])
  return [`${protocol}//${host}${pathname}`, ...hosts].join(' ')
}
