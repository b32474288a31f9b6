/**
 * Which language model answers: `ai` in `svc.yaml`, over `~/.svc/config` (interface.md 4.4, `config ai`). A key as it is
 * lives in the file of the user's home alone, and goes nowhere that a project's file names.
 */
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type AiSettings, parseGlobalSettings, placeAt } from '@svc/server/language'
import { readIfExists } from '@svc/server/workspace'
import { replaceWhole } from '../artifacts/write-file.ts'
import { SvcError } from '../errors.ts'
import { resolveText, variableOf } from '../ingest/credentials.ts'

export type ProviderName = NonNullable<AiSettings['provider']>
/** Who answers: a provider that is configured, or the editor's own model. */
export type Answerer = ProviderName | 'editor'
type Environment = Readonly<Record<string, string | undefined>>

/** How the file in the user's home is called in messages. */
export const globalFile = '~/.svc/config'

export interface ModelChoice {
  readonly provider: Answerer
  readonly model: string
  /** The key itself; undefined for a provider that needs none. */
  readonly key: string | undefined
  /** Undefined means the provider's own address. */
  readonly endpoint: string | undefined
  readonly timeoutMs: number
  readonly price: AiSettings['price']
}

export type Origin = 'svc.yaml' | typeof globalFile | 'environment'

/** The settings that count, each with the file that says it. */
export interface KnownSettings {
  readonly settings: AiSettings
  readonly from: Readonly<Partial<Record<keyof AiSettings, Origin>>>
}

/** The variables that the providers' own programs read. */
const usualVariables: Readonly<Partial<Record<ProviderName, string>>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  gemini: 'GEMINI_API_KEY',
}

const usualTimeoutMs = 120_000

export function globalPath(env: Environment): string {
  return join(env['HOME'] ?? env['USERPROFILE'] ?? homedir(), '.svc', 'config')
}

/** Throws SvcError `invalid-settings` with the place. */
export function readGlobalSettings(env: Environment): AiSettings {
  const path = globalPath(env)
  const text = readIfExists(path) ?? ''
  const { ai, diagnostics } = parseGlobalSettings(text, globalFile)
  const problem = diagnostics.find(({ severity }) => severity === 'error')
  if (problem === undefined) return ai
  throw new SvcError('invalid-settings', `${globalFile}: ${problem.message}`, {
    place: placeAt(path, text, problem.range.start),
    hint: problem.hint ?? 'Correct it there, or delete the file and set the model anew: svc config ai.',
  })
}

/**
 * Puts both files together. The user's own model, key and address belong to the user's own provider; and a key never
 * goes to an address that came with a project, unless the project names the key too.
 */
export function knownSettings(project: AiSettings | undefined, own: AiSettings): KnownSettings {
  const inProject = project ?? {}
  const sameProvider = inProject.provider === undefined || inProject.provider === own.provider
  const { apiKey, ...withoutKey } = sameProvider ? own : {}
  const isOwnPlace = inProject.endpoint === undefined && apiKey !== undefined
  const usable: AiSettings = isOwnPlace ? { ...withoutKey, apiKey } : withoutKey
  return {
    settings: { ...usable, ...inProject },
    from: { ...said(usable, globalFile), ...said(inProject, 'svc.yaml') },
  }
}

function said(settings: AiSettings, origin: Origin): KnownSettings['from'] {
  return Object.fromEntries(Object.keys(settings).map(key => [key, origin]))
}

/** Throws SvcError `ai-not-configured`, `missing-credentials`. */
export function chooseModel({ settings, from }: KnownSettings, env: Environment): ModelChoice {
  const { provider, model, endpoint, timeoutMs = usualTimeoutMs, price } = settings
  if (provider === undefined) {
    throw new SvcError('ai-not-configured', 'no language model is configured', {
      hint: 'Choose one: svc config ai --provider <provider> --model <model> --api-key env:NAME.',
    })
  }
  if (model === undefined) {
    throw new SvcError('ai-not-configured', `no model of ${provider} is chosen`, {
      hint: 'Name it as the provider does: svc config ai --model <model>.',
    })
  }
  const isForeign = from.endpoint === 'svc.yaml' && from.apiKey === undefined
  return { provider, model, key: keyOf(settings, provider, isForeign, env), endpoint, timeoutMs, price }
}

/** The model of the editor, for which nothing is configured. */
export function modelOfEditor(model: string): ModelChoice {
  const none = { key: undefined, endpoint: undefined, price: undefined }
  return { provider: 'editor', model, timeoutMs: usualTimeoutMs, ...none }
}

function keyOf(
  { apiKey }: AiSettings,
  provider: ProviderName,
  isForeign: boolean,
  env: Environment,
): string | undefined {
  const usual = usualVariables[provider]
  if (usual === undefined && apiKey === undefined) return undefined
  if (apiKey !== undefined) return resolveText(apiKey, env, 'ai.api_key')
  if (isForeign) {
    throw new SvcError('ai-not-configured', 'svc.yaml names an endpoint of its own and no key for it', {
      hint: 'Write ai.api_key: env:NAME beside it; your own key is for your own provider.',
    })
  }
  const value = env[usual ?? '']?.trim()
  if (value !== undefined && value !== '') return value
  throw new SvcError('missing-credentials', `no key for ${provider}`, {
    hint: `Set ${usual}, or svc config ai --api-key <key or env:NAME>.`,
  })
}

/** Returns whether a key is a reference to a variable and not the key itself. */
export function isReference(key: string): boolean {
  return variableOf(key) !== undefined
}

/** Returns the variable that is read when no file names a key. */
export function usualVariable(provider: ProviderName): string | undefined {
  return usualVariables[provider]
}

/** Nobody else may read the file: it may hold a key. */
export function writeGlobalSettings(env: Environment, text: string, pid: number): void {
  const path = globalPath(env)
  const folder = dirname(path)
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
  replaceWhole(path, [text], pid, 0o600)
}
