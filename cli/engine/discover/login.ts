/**
 * How a web service that is looked at lets somebody in: as it was said, as another part of the project does it, or as the
 * address shows. Secrets stay in variables: the new file names them.
 */
import { type Asset, didYouMean, yamlText } from '@svc/server/language'
import { blocksOf } from '../artifacts/blocks.ts'
import { SvcError } from '../errors.ts'
import { defaultVariable, variableOf } from '../ingest/credentials.ts'
import { type DiscoverRequest, firstAsset, type IngestKeys, type Look, optionalKey, placeOf } from './look.ts'

export interface Login {
  /** `auth`, `credentials` and `headers`, as far as there are any. */
  readonly keys: IngestKeys
  /** The asset or destination whose login it is. */
  readonly from: string | undefined
}

type Mapping = Readonly<Record<string, unknown>>

/** Throws `wrong-usage`. */
export function loginOf(look: Look): Login {
  const { request, address } = look
  if (request.auth !== undefined) return { keys: [['auth', givenAuth(look, request.auth)]], from: undefined }
  if (request.like !== undefined) return loginLike(look, request.like)
  if (address.auth !== undefined) return { keys: [['auth', flow(address.auth)]], from: undefined }
  return sameHost(look) ?? { keys: [], from: undefined }
}

export function refuseLogin({ auth, like }: Pick<DiscoverRequest, 'auth' | 'like'>): void {
  if (auth === undefined && like === undefined) return
  throw new SvcError('wrong-usage', '--auth and --like are for web services', {
    hint: 'The secret of a database or of files is in their address, or in a variable: env:NAME.',
  })
}

// ---------------------------------------------------------------- said

/** `bearer`, `basic username=ada`, or a mapping as `ingest.auth` has it. */
function givenAuth(look: Look, given: string): string {
  const yaml = given.trim().startsWith('{') ? given.trim() : flow(pairsOf(given))
  const { endpoint, resource } = placeOf(look)
  const asset = firstAsset(look, look.address.name, 'rest_api', [
    ['endpoint', yamlText(endpoint)],
    ['resource', yamlText(resource)],
    ['auth', yaml],
  ])
  const auth = ingestOf(asset)['auth']
  refuseSecrets(isMapping(auth) ? auth : {})
  return flow(auth)
}

function pairsOf(given: string): Mapping {
  const [type = '', ...pairs] = given.trim().split(/\s+/)
  const entries = pairs.map(pair => {
    const [, key = '', value = ''] = /^([a-z_]+)=(.+)$/.exec(pair) ?? []
    if (key === '') throw notAuth()
    return [key, value] as const
  })
  return { type, ...Object.fromEntries(entries) }
}

function notAuth(): SvcError {
  return new SvcError('wrong-usage', '--auth cannot be read', {
    hint: 'Write a type and its keys: --auth bearer, --auth "basic username=ada", --auth "{type: api_key, name: X-Api-Key}". svc explain ingest.auth shows all.',
  })
}

/** What is typed stays in the history of the shell, and what is written in the file. */
function refuseSecrets(auth: Mapping, at = ''): void {
  for (const [key, value] of Object.entries(auth)) {
    if (isMapping(value)) refuseSecrets(value, `${at}${key}.`)
    const isSecret = secretKeys.test(key) && typeof value === 'string' && variableOf(value) === undefined
    if (isSecret)
      throw new SvcError('wrong-usage', `--auth has a secret in it (${at}${key})`, {
        hint: `Set a variable, and name it: ${key}=env:NAME. Without ${key}, the variable SOURCE__<ASSET>__CREDENTIALS counts.`,
      })
  }
}

const secretKeys = /^(token|password|passwd|pwd|value|client_secret|refresh_token|secret|api_?key)$/i

// ---------------------------------------------------------------- as others do

function loginLike(look: Look, name: string): Login {
  const { project } = look.workspace
  const asset = project.byName.get(name)
  const target = project.settings.destinations[name]
  if (asset === undefined && target === undefined) {
    const names = [...project.byName.keys(), ...Object.keys(project.settings.destinations)]
    throw new SvcError(
      'wrong-usage',
      `no asset and no destination is called "${name}"${didYouMean(name, names)}`,
      {
        hint: '--like takes an asset with a source of type rest_api, or a destination of svc.yaml with type http.',
      },
    )
  }
  const login =
    asset === undefined ? loginOfTarget(name, target?.auth, target?.credentials) : loginOfSource(asset)
  if (login !== undefined) return login
  throw new SvcError('wrong-usage', `"${name}" has no login to a web service`, {
    hint: 'Say how to sign in: --auth bearer, and so on (svc explain ingest.auth).',
  })
}

function sameHost(look: Look): Login | undefined {
  const { project } = look.workspace
  const { origin } = new URL(look.address.endpoint)
  for (const asset of project.assets.values()) {
    const { ingest } = asset.definition
    if (!('auth' in ingest) || originOf(ingest.endpoint, look) !== origin) continue
    const login = loginOfSource(asset)
    if (login !== undefined) return login
  }
  for (const [name, { endpoint = '', auth, credentials }] of Object.entries(project.settings.destinations))
    if (originOf(endpoint, look) === origin) return loginOfTarget(name, auth, credentials)
  return undefined
}

function originOf(endpoint: string, { env }: Look): string | undefined {
  const name = variableOf(endpoint)
  const text = name === undefined ? endpoint : (env[name] ?? '')
  return URL.canParse(text) ? new URL(text).origin : undefined
}

function loginOfSource(asset: Asset): Login | undefined {
  if (!('auth' in asset.definition.ingest)) return undefined
  const { auth, credentials, headers } = ingestOf(asset)
  const isAsked = auth !== undefined && auth !== 'none' && !(isMapping(auth) && auth['type'] === 'none')
  const secretHeaders = isMapping(headers) && Object.values(headers).some(hasVariable)
  if (!isAsked && !secretHeaders) return undefined
  const variable = typeof credentials === 'string' ? credentials : `env:${defaultVariable(asset.name)}`
  return {
    from: asset.name,
    keys: copied(asset.name, [
      ...optionalKey('headers', secretHeaders ? flow(headers) : undefined),
      ...optionalKey('auth', isAsked ? flow(auth) : undefined),
      ...optionalKey('credentials', isAsked && !hasVariable(auth) ? yamlText(variable) : undefined),
    ]),
  }
}

/** A destination has its secret in its own variable, and by default sends it as a token. */
function loginOfTarget(name: string, auth: unknown, credentials: string | undefined): Login | undefined {
  const variable =
    credentials ?? `env:DESTINATION__${name.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}__CREDENTIALS`
  const written: Mapping = auth === undefined ? { type: 'bearer' } : (asWritten(auth) as Mapping)
  if (written['type'] === 'none') return undefined
  return {
    from: name,
    keys: copied(name, [
      ['auth', flow(written)],
      ...optionalKey('credentials', hasVariable(written) ? undefined : yamlText(variable)),
    ]),
  }
}

/** A secret that stands in a file is hidden where that file is shown, and is copied into no other. */
function copied(name: string, keys: IngestKeys): IngestKeys {
  if (!keys.some(([, yaml]) => yaml.includes('***'))) return keys
  throw new SvcError('wrong-usage', `the secret of "${name}" stands in its file`, {
    hint: 'Put it into a variable (env:NAME) there first.',
  })
}

/** The names of keys as they are written, of the names that they have in a definition. */
function asWritten(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, each]) => [
    key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
    asWritten(each),
  ])
  return Object.fromEntries(entries)
}

function hasVariable(value: unknown): boolean {
  if (typeof value === 'string') return variableOf(value) !== undefined
  return isMapping(value) && Object.values(value).some(hasVariable)
}

function ingestOf(asset: Asset): Mapping {
  const { ingest } = blocksOf(asset)
  return isMapping(ingest) ? ingest : {}
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** YAML on one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (isMapping(value)) {
    const entries = Object.entries(value).filter(([, each]) => each !== undefined)
    return `{${entries.map(([key, each]) => `${yamlText(key)}: ${flow(each)}`).join(', ')}}`
  }
  return typeof value === 'string' ? yamlText(value) : String(value ?? null)
}
