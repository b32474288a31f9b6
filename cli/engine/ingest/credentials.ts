/**
 * Values of an asset that may come from environment variables: `env:NAME`. They are resolved only when a
 * source is fetched, so that no hash, plan or file contains a secret.
 */
import { type Asset, addressSecrets, redact } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { FetchContext } from './source.ts'

type Environment = FetchContext['env']

/**
 * Returns the text itself, or the value of the variable that it names. Throws `missing-credentials` with the
 * name of the variable if it is not set.
 */
export function resolveText(text: string, env: Environment, what: string): string {
  const name = variableOf(text)
  if (name === undefined) return text
  // A secret that was read from a file often ends with a line break, which a header must not contain.
  const value = env[name]?.replace(/[\r\n]+$/, '')
  if (value !== undefined && value !== '') return value
  throw new SvcError('missing-credentials', `the environment variable ${name} is not set (${what})`, {
    hint: `Set ${name} and run again.`,
  })
}

/** As `resolveText`; what a variable says counts as a secret. */
export function resolveSecret(text: string, env: Environment, what: string, secrets: Secrets): string {
  const value = resolveText(text, env, what)
  return variableOf(text) === undefined ? value : secrets.add(value)
}

/** As `resolveSecret`, for an address: the secret parts of it, or the whole where it is none. */
export function resolveAddress(text: string, env: Environment, what: string, secrets: Secrets): string {
  const address = resolveText(text, env, what)
  if (variableOf(text) !== undefined)
    for (const secret of addressSecrets(address) ?? [address]) secrets.add(secret)
  return address
}

/** Returns the asset's credentials; undefined if the file names none and the default variable is not set. */
export function credentialsOf(asset: Asset, env: Environment): string | undefined {
  const { ingest } = asset.definition
  if (ingest.type === 'none') return undefined
  return optionalSecret(ingest.credentials, defaultVariable(asset.name), env, 'ingest.credentials')
}

/** As `resolveText`; undefined if the text names the usual variable, and that is not set. */
export function optionalSecret(
  text: string,
  usual: string,
  env: Environment,
  what: string,
): string | undefined {
  if (variableOf(text) === usual && (env[usual] ?? '') === '') return undefined
  return resolveText(text, env, what)
}

/** Returns the credentials for a kind of `auth` that requires them. */
export function requiredCredentials(asset: Asset, env: Environment, what: string): string {
  const credentials = credentialsOf(asset, env)
  if (credentials !== undefined) return credentials
  const name = defaultVariable(asset.name)
  throw new SvcError('missing-credentials', `the environment variable ${name} is not set (${what})`, {
    hint: `Set ${name}, or write ingest.credentials: env:NAME for a variable of another name.`,
  })
}

export function defaultVariable(asset: string): string {
  return `SOURCE__${asset.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}__CREDENTIALS`
}

export function variableOf(text: string): string | undefined {
  return /^env:\s*(\S+)$/.exec(text)?.[1]
}

/** The secrets that were resolved during one fetch, so that messages can be cleaned of them. */
export type Secrets = ReturnType<typeof collectSecrets>

export function collectSecrets() {
  const values: string[] = []
  return {
    add(value: string): string {
      if (value !== '') values.push(value)
      return value
    },
    hide: (text: string) => redact(text, values),
    /** Replaces secrets by placeholders in text for one of svc's own files, also where they are URL-encoded. */
    seal(text: string): string {
      const places = sealedPlaces(values)
      const known = [...places.keys()].sort((a, b) => b.length - a.length).map(escapeRegExp)
      if (known.length === 0) return text
      return text.replace(new RegExp(known.join('|'), 'g'), found => places.get(found) ?? found)
    },
    /** Reverses `seal` if the same secrets were added in the same order. */
    unseal(text: string): string {
      const secrets = new Map([...sealedPlaces(values)].map(([secret, place]) => [place, secret]))
      return text.replace(/\ue000[0-9]+\.[0-9]\ue000/g, place => secrets.get(place) ?? place)
    },
  }
}

/** Placeholders use a private-use character, so that no ordinary text is mistaken for one. */
function sealedPlaces(values: readonly string[]): Map<string, string> {
  const places = new Map<string, string>()
  values.forEach((value, index) => {
    const inAddress = [encodeURIComponent(value), new URLSearchParams({ v: value }).toString().slice(2)]
    for (const [kind, written] of [value, ...inAddress].entries()) {
      if (!places.has(written)) places.set(written, `\ue000${index}.${kind}\ue000`)
    }
  })
  return places
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
