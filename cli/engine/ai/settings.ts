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
import { settingsFile } from '../config/find-project.ts'
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
  /** What the user's own file says. */
  readonly own: AiSettings
  /** Whether the address that counts is the provider's own, or one of the user's own file. */
  readonly isOwnPlace: boolean
}

/** Other variables that the providers' own programs read a key from. */
const otherVariables = [
  'ANTHROPIC_AUTH_TOKEN',
  'AZURE_OPENAI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'HF_TOKEN',
  'OPENAI_ADMIN_KEY',
]

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
 * goes to an address that came with a project, unless the user's own file has that address too.
 */
export function knownSettings(project: AiSettings | undefined, own: AiSettings): KnownSettings {
  const inProject = project ?? {}
  const sameProvider = inProject.provider === undefined || inProject.provider === own.provider
  const { apiKey, ...withoutKey } = sameProvider ? own : {}
  const isOwnPlace = inProject.endpoint === undefined || isSameAddress(inProject.endpoint, own.endpoint)
  const usable: AiSettings = isOwnPlace && apiKey !== undefined ? { ...withoutKey, apiKey } : withoutKey
  return {
    settings: { ...usable, ...inProject },
    from: { ...said(usable, globalFile), ...said(inProject, 'svc.yaml') },
    own,
    isOwnPlace,
  }
}

function isSameAddress(a: string, b: string | undefined): boolean {
  const plain = (text: string) => (URL.canParse(text) ? new URL(text).href : text).replace(/\/+$/, '')
  return b !== undefined && plain(a) === plain(b)
}

function said(settings: AiSettings, origin: Origin): KnownSettings['from'] {
  return Object.fromEntries(Object.keys(settings).map(key => [key, origin]))
}

/** Throws SvcError `ai-not-configured`, `missing-credentials`. */
export function chooseModel(known: KnownSettings, env: Environment): ModelChoice {
  const { settings } = known
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
  return { provider, model, key: keyOf(known, provider, env), endpoint, timeoutMs, price }
}

/** The model of the editor, for which nothing is configured. */
export function modelOfEditor(model: string): ModelChoice {
  const none = { key: undefined, endpoint: undefined, price: undefined }
  return { provider: 'editor', model, timeoutMs: usualTimeoutMs, ...none }
}

function keyOf(known: KnownSettings, provider: ProviderName, env: Environment): string | undefined {
  const { apiKey } = known.settings
  const usual = usualVariables[provider]
  if (usual === undefined && apiKey === undefined) return undefined
  if (apiKey !== undefined) {
    const key = resolveText(apiKey, env, 'ai.api_key')
    refuseOwnKey(known, key, env)
    return key
  }
  if (!known.isOwnPlace) {
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

/** A key that was made for a provider goes to no address of a project, by whatever variable the project names it. */
function refuseOwnKey({ settings, own, isOwnPlace }: KnownSettings, key: string, env: Environment): void {
  const { apiKey = '', endpoint = '' } = settings
  if (isOwnPlace) return
  const variable = variableOf(apiKey) ?? ''
  const personal = new Set([...Object.values(usualVariables), ...otherVariables])
  const ownReference = variableOf(own.apiKey ?? '')
  if (ownReference !== undefined) personal.add(ownReference)
  // On some systems names of variables have no case.
  const isNamed = [...personal].some(name => name.toUpperCase() === variable.toUpperCase())
  const values = [...personal].map(name => env[name]?.trim())
  if (!isNamed && key.trim() !== own.apiKey && !values.includes(key.trim())) return
  throw new SvcError(
    'ai-not-configured',
    `svc.yaml would send your own key (${variable}) to an endpoint of its own`,
    {
      place: settingsFile,
      hint: `Name a variable that was made for it in ai.api_key. If the address is yours: svc config ai --provider ${settings.provider} --endpoint ${endpoint}.`,
    },
  )
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
