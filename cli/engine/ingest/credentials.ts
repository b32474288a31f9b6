/**
 * Values of an asset that may stand in the environment: `env:NAME`. Resolved when a source is fetched and never
 * before, so that no hash, plan or file holds a secret.
 */
import { type Asset, redact } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { FetchContext } from './source.ts'

type Environment = FetchContext['env']

/** The text itself, or the variable that it names. Missing: `missing-credentials` that names the variable. */
export function resolveText(text: string, env: Environment, what: string): string {
  const name = variableOf(text)
  if (name === undefined) return text
  // A secret that was read from a file often ends with a line break, which no header may hold.
  const value = env[name]?.replace(/[\r\n]+$/, '')
  if (value !== undefined && value !== '') return value
  throw new SvcError('missing-credentials', `the environment variable ${name} is not set (${what})`, {
    hint: `Set ${name} and run again.`,
  })
}

/** The asset's credentials; undefined where the file does not name any and the default variable is not set. */
export function credentialsOf(asset: Asset, env: Environment): string | undefined {
  const { ingest } = asset.definition
  if (ingest.type === 'none') return undefined
  const name = variableOf(ingest.credentials)
  const isDefault = name === defaultVariable(asset.name)
  if (isDefault && (env[name] === undefined || env[name] === '')) return undefined
  return resolveText(ingest.credentials, env, 'ingest.credentials')
}

/** Credentials that the kind of `auth` cannot do without. */
export function requiredCredentials(asset: Asset, env: Environment, what: string): string {
  const found = credentialsOf(asset, env)
  if (found !== undefined) return found
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

/** What was resolved in one fetch, so that no message carries it. */
export interface Secrets {
  add(value: string): string
  hide(text: string): string
  /** For a file of ours: places instead of the secrets, also where they are written as in an address. */
  seal(text: string): string
  /** Undoes `seal` where the same secrets were added in the same order. */
  unseal(text: string): string
}

export function collectSecrets(): Secrets {
  const values: string[] = []
  return {
    add(value) {
      if (value !== '') values.push(value)
      return value
    },
    hide: text => redact(text, values),
    seal(text) {
      const places = sealedPlaces(values)
      const known = [...places.keys()].sort((a, b) => b.length - a.length).map(escapeRegExp)
      if (known.length === 0) return text
      return text.replace(new RegExp(known.join('|'), 'g'), found => places.get(found) ?? found)
    },
    unseal(text) {
      const secrets = new Map([...sealedPlaces(values)].map(([secret, place]) => [place, secret]))
      return text.replace(/\ue000[0-9]+\.[0-9]\ue000/g, place => secrets.get(place) ?? place)
    },
  }
}

/** A character of nobody's alphabet marks the places, so that none is mistaken for text. */
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
