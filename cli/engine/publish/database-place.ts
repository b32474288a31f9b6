/** Where a table of another database is: its address, how it is shown, and what tells it from others. */

import { resolvedAddress } from '../ingest/sql/address.ts'
import { optionalCredentials } from './credentials.ts'
import type { DestinationRequest } from './destination.ts'

/** Throws `missing-credentials`, or `invalid-project` where the endpoint is no address. */
export function databasePlace({ target, env, secrets }: DestinationRequest) {
  const password = optionalCredentials(target, env)
  const address = resolvedAddress(
    { endpoint: target.endpoint, password, at: `publish.${target.name}` },
    env,
    secrets,
  )
  return {
    address,
    shown: `${target.resource} of ${address.shown}`,
    place: `${placeOf(address.text)} ${target.resource}`,
  }
}

/** A new user, password or option is the same place. */
function placeOf(text: string): string {
  if (!text.includes('://')) return text
  const { protocol, host, pathname, searchParams } = new URL(text)
  const hosts = ['host', 'port', 'socket'].flatMap(name => searchParams.get(name) ?? [])
  return [`${protocol}//${host}${pathname}`, ...hosts].join(' ')
}
