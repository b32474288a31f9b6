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
}

export function collectSecrets(): Secrets {
  const values: string[] = []
  return {
    add(value) {
      if (value !== '') values.push(value)
      return value
    },
    hide: text => redact(text, values),
  }
}
