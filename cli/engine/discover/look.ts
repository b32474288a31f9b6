/** What looking at a source is about, and how its file is written, whatever the kind of the source. */
import { type Asset, checkAsset, yamlText } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { OpenedWorkspace } from '../workspace/open-workspace.ts'
import { pathOf } from './asset-name.ts'
import { assetText, type DiscoveredSource } from './asset-text.ts'
import { type SampledColumn, sampleSource } from './sample-source.ts'
import type { SourceAddress } from './source-address.ts'

export interface DiscoverRequest {
  readonly address: string
  /** `schema.table`; undefined for the only one. */
  readonly table: string | undefined
  readonly name: string | undefined
  readonly all: boolean
  /** How a web service is signed in to, as `ingest.auth` has it; undefined if nobody says it. */
  readonly auth?: string | undefined
  /** The asset or destination whose login it is. */
  readonly like?: string | undefined
  /** Whether the names have to be free. */
  readonly isNew: boolean
}

export interface DiscoveredAsset {
  readonly name: string
  readonly text: string
  readonly columns: readonly SampledColumn[]
  readonly primaryKey: readonly string[]
  /** What the first page says of more, where no way of paging was found. */
  readonly more: string | undefined
  /** The asset or destination whose login was taken. */
  readonly loginOf: string | undefined
}

export type Opened = Pick<
  OpenedWorkspace,
  'project' | 'root' | 'world' | 'signal' | 'environment' | 'warehouse' | 'variables'
>

export interface Look {
  readonly request: DiscoverRequest
  readonly address: SourceAddress
  readonly workspace: Opened
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Returns where the source is, as the file has it. An address that the project keeps in a variable stays there: the new file names
 * the variable, because no output shows its value.
 */
export function placeOf({ address, workspace }: Look): {
  readonly endpoint: string
  readonly resource: string
} {
  const { variables, world } = workspace
  const { type, endpoint, resource = type === 'file' ? '' : '/' } = address
  for (const name of variables) {
    const value = (world.env[name] ?? '').replace(/\/+$/, '')
    if (value === '') continue
    if (value === endpoint) return { endpoint: `env:${name}`, resource }
    const whole = `${endpoint}/${resource}`
    if (type === 'rest_api' && /^https?:\/\/./i.test(value) && whole.startsWith(`${value}/`))
      return { endpoint: `env:${name}`, resource: whole.slice(value.length + 1) }
  }
  return { endpoint, resource }
}

export type IngestKeys = readonly (readonly [string, string])[]

/** A key that has no value is left out. */
export function optionalKey(key: string, yaml: string | undefined): IngestKeys {
  return yaml === undefined ? [] : [[key, yaml]]
}

/** Returns the column that is named like a key, and is one in all records that were seen. */
export function likelyKey(columns: readonly SampledColumn[], name: string): string | undefined {
  const singular = name.replace(/s$/, '')
  const wanted = ['id', 'uuid', 'key', `${singular}_id`, `${name}_id`, 'code']
  return wanted.find(each => columns.some(column => column.name === each && column.isKey))
}

export function surroundings({ workspace: { project, root, world, signal }, env }: Look) {
  return { engine: project.engine, root, env, now: world.now, signal }
}

export function sampleOf(look: Look, name: string, type: DiscoveredSource['type'], keys: IngestKeys) {
  return sampleSource(firstAsset(look, name, type, keys), surroundings(look))
}

/** Returns an asset that reads the source as it comes. */
export function firstAsset(
  look: Look,
  name: string,
  type: DiscoveredSource['type'],
  keys: IngestKeys,
): Asset {
  const ingest = keys.map(([key, yaml]) => `  ${key}: ${yaml}`)
  const text = [
    `name: ${name}`,
    'ingest:',
    `  type: ${type}`,
    ...ingest,
    'transform: SELECT * FROM {{ source }}',
    '',
  ]
  return checked(look, name, text.join('\n'))
}

export function written(look: Look, source: DiscoveredSource): DiscoveredAsset {
  const { name, columns, primaryKey, more, loginOf } = source
  const text = assetText(source, look.workspace.project.engine)
  checked(look, name, text)
  return { name, text, columns, primaryKey, more, loginOf }
}

/** Throws before anything is fetched. */
export function refuseTaken({ request, workspace: { project } }: Look, name: string): void {
  const path = project.byName.get(name)?.path
  if (path === undefined || !request.isNew) return
  throw new SvcError('asset-exists', `an asset called "${name}" exists already: ${path}`, {
    hint: 'Choose another name with --name, or look at the new text with --no-write.',
  })
}

/** Throws if the file would have errors: then the name or the address is at fault. */
function checked({ workspace: { project } }: Look, name: string, text: string): Asset {
  const path = project.byName.get(name)?.path ?? pathOf(project.settings.models, name)
  const changed = project.with(path, text)
  const problem = checkAsset(changed, path, undefined).find(({ severity }) => severity === 'error')
  const asset = changed.assets.get(path)
  if (problem === undefined && asset !== undefined) return asset
  throw new SvcError(
    'wrong-usage',
    `the file of "${name}" would have an error: ${problem?.message ?? 'no asset'}`,
    {
      hint: problem?.hint ?? 'Choose another name with --name.',
    },
  )
}

export function yamlMapping(values: Readonly<Record<string, string | number>>): string {
  const entries = Object.entries(values).map(
    ([key, value]) => `${yamlText(key)}: ${typeof value === 'number' ? value : yamlText(value)}`,
  )
  return `{${entries.join(', ')}}`
}
