/**
 * A target that no file describes: the variable with its credentials says where it is, as an address or as a JSON object. So
 * rows can be sent somewhere without a line in the project.
 */
import {
  type Asset,
  type Destination,
  type DestinationType,
  defaultCredentials,
  destinationKinds,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { World } from '../workspace/workspace.ts'

export interface GivenDestination {
  readonly destination: Destination
  /** The password or token, if it is not part of the address. */
  readonly secret: string
}

/** Returns undefined if the variable is not set. Throws SvcError `unknown-destination`. */
export function givenDestination(
  asset: Asset,
  name: string,
  env: World['env'],
): GivenDestination | undefined {
  const variable = defaultCredentials(name)
  const text = (env[variable] ?? '').trim()
  if (text.startsWith('{')) return fromJson(text, asset, variable)
  const type = schemes.find(([scheme]) => scheme.test(text))?.[1]
  if (text === '') return undefined
  // The value itself is not shown: it may be the secret of a destination whose name was mistyped.
  if (type === undefined)
    throw unusable(
      variable,
      'is set, but holds no address, and no file describes the destination',
      `Its value begins with postgres://, mysql://, duckdb:, http:// or https://, or is a JSON object: {"type": …, "endpoint": …}. For a secret alone, describe the destination under publish in ${asset.path}, or under destinations in svc.yaml.`,
    )
  // The address is read from the variable again, so that its secrets are known as such.
  return { destination: { type, endpoint: `env:${variable}`, resource: asset.name }, secret: '' }
}

const schemes: readonly (readonly [RegExp, DestinationType])[] = [
  [/^postgres(ql)?:\/\//i, 'postgres'],
  [/^(mysql|mariadb):\/\//i, 'mysql'],
  [/^duckdb:/i, 'duckdb'],
  [/^https?:\/\//i, 'http'],
]

const members = ['type', 'endpoint', 'resource', 'key', 'mode', 'secret'] as const

function fromJson(text: string, asset: Asset, variable: string): GivenDestination {
  const given = parsed(text, variable)
  const unknown = Object.keys(given).find(name => !members.some(member => member === name))
  if (unknown !== undefined)
    throw unusable(variable, `has no member "${unknown}"`, `Its members are ${members.join(', ')}.`)
  const notText = members.find(member => given[member] !== undefined && typeof given[member] !== 'string')
  if (notText !== undefined)
    throw unusable(variable, `has a "${notText}" that is no text`, 'Write it in quotes.')
  const {
    type,
    endpoint,
    key,
    secret = '',
    ...others
  } = given as Readonly<Record<string, string | undefined>>
  const types = destinationKinds.map(({ variant }) => variant.value)
  if (type === undefined || !types.includes(type) || endpoint === undefined) {
    throw unusable(
      variable,
      'needs type and endpoint',
      `As in {"type": "postgres", "endpoint": "postgres://user@host/name"}; types are ${types.join(', ')}.`,
    )
  }
  const destination = {
    resource: asset.name,
    ...others,
    type: type as DestinationType,
    endpoint,
    ...(key !== undefined && { key: key.split(',').map(column => column.trim()) }),
  } as Destination
  return { destination, secret }
}

function parsed(text: string, variable: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    // What is wrong with it may be part of a secret.
    throw unusable(variable, 'is no JSON', 'It begins with { and has to be a JSON object.')
  }
}

function unusable(variable: string, what: string, hint: string): SvcError {
  return new SvcError('unknown-destination', `the environment variable ${variable} ${what}`, { hint })
}
