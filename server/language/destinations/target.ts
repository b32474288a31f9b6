/** A target of an asset as it counts: its own keys over those of `destinations` in `svc.yaml`, with defaults. */
import type { Engine } from '../engines/engine.ts'
import type { Asset, Settings } from '../project/project.ts'
import type { Amount, Destination, OnDelete, PublishLimits, PublishMode } from '../schema/definition.ts'
import { nearestNames } from '../text/nearest-names.ts'
import { type DestinationKind, needsKey } from './destination-kind.ts'
import { type DestinationType, destinationKindOf } from './index.ts'

export interface PublishTarget
  extends Omit<Destination, 'limits' | 'key' | 'onDelete' | 'mark' | 'environments'> {
  readonly name: string
  readonly type: DestinationType
  readonly endpoint: string
  readonly resource: string
  readonly credentials: string
  /** The environments whose production goes there. */
  readonly environments: readonly string[]
  readonly mode: PublishMode
  readonly onDelete: OnDelete
  /** The field that gets the time when a row has gone, with `onDelete: mark`. */
  readonly mark: string
  /** Columns of the asset; empty where the whole is written anew. */
  readonly key: readonly string[]
  readonly batch: number
  /** Undefined for the usual limit. */
  readonly maxChange?: Amount
  readonly limits: PublishLimits
}

/** What is wrong with a target, with the path of the key below `publish.<target>`. */
export interface TargetProblem {
  readonly at: readonly string[]
  readonly message: string
  readonly hint: string
  readonly suggestions?: readonly string[]
}

export type ReadTarget =
  | { readonly target: PublishTarget; readonly problem?: undefined }
  | { readonly target?: undefined; readonly problem: TargetProblem }

/** Other environments are for trying things out, and a destination is the real one. */
export const publishedByDefault: readonly string[] = ['prod']

/** Returns the names of the targets of an asset. */
export function targetNames({ definition }: Pick<Asset, 'definition'>): readonly string[] {
  return Object.keys(definition.publish)
}

export function defaultCredentials(target: string): string {
  return `DESTINATION__${target.toUpperCase().replace(/[^A-Z0-9_]/g, '_')}__CREDENTIALS`
}

/**
 * Returns the name of the destination that somebody means, who may have written it in other letters: names that read one variable
 * are one destination. One that no file describes is called as its variable says.
 */
export function destinationCalled(written: string, names: Iterable<string>): string {
  const known = [...names]
  if (known.includes(written)) return written
  const variable = defaultCredentials(written)
  return known.find(name => defaultCredentials(name) === variable) ?? nameInVariable(variable)
}

function nameInVariable(variable: string): string {
  return variable.slice('DESTINATION__'.length, -'__CREDENTIALS'.length).toLowerCase()
}

/** Returns the target, or the first thing that is wrong with it. The asset need not name the target. */
export function readTarget(
  { definition }: Pick<Asset, 'definition'>,
  name: string,
  { destinations }: Pick<Settings, 'destinations'>,
): ReadTarget {
  const own = definition.publish[name] ?? {}
  const shared = destinations[name] ?? {}
  const merged: Destination = { ...shared, ...own, limits: { ...shared.limits, ...own.limits } }
  const { type } = merged
  if (type === undefined) return { problem: withoutType(name, destinations) }
  const kind = destinationKindOf(type)
  const problem =
    foreignKey(own, name, kind) ??
    idleLimit(own, name, kind) ??
    missingKey(merged, name, kind) ??
    wrongEndpoint(merged, name, kind) ??
    wrongMode(merged, kind) ??
    wrongOnDelete(merged, kind)
  if (problem !== undefined) return { problem }
  const mode = merged.mode ?? kind.modes(merged)[0] ?? 'upsert'
  const key = merged.key ?? primaryKey(definition)
  if (needsKey(mode) && key.length === 0) return { problem: withoutKey(name) }
  const obstacle = kind.obstacle?.({ ...merged, mode, onDelete: onDeleteOf(merged, mode) })
  if (obstacle !== undefined) return { problem: { at: [], ...obstacle } }
  return { target: complete(merged, { name, type, mode, key, kind }) }
}

/** Returns the columns that are sent: the key, and those of `fields` or all. */
export function publishedColumns(
  { fields, key }: Pick<PublishTarget, 'fields' | 'key'>,
  columns: readonly string[],
  { fold }: Engine,
): readonly string[] {
  if (fields === undefined) return columns
  const named = new Set([...key, ...Object.values(fields)].map(name => fold(name)))
  return columns.filter(column => named.has(fold(column)))
}

interface Known extends Pick<PublishTarget, 'name' | 'type' | 'mode' | 'key'> {
  readonly kind: DestinationKind
}

function complete(merged: Destination, { name, type, mode, key, kind }: Known): PublishTarget {
  return {
    ...merged,
    ...{ name, type, mode, key },
    onDelete: onDeleteOf(merged, mode),
    mark: merged.mark ?? 'deleted_at',
    ...placeAndSecret(merged, name, kind),
    resource: merged.resource ?? '',
    environments: merged.environments ?? publishedByDefault,
    batch: merged.batch ?? kind.batch(merged),
    limits: {
      ...merged.limits,
      concurrency: merged.limits?.concurrency ?? kind.concurrency,
      timeoutMs: merged.limits?.timeoutMs ?? 60_000,
      retries: merged.limits?.retries ?? 5,
    },
  }
}

/** Where the files name no address of a database, its credentials are one, with the password in it. */
function placeAndSecret(
  { endpoint, credentials: given }: Destination,
  name: string,
  { addressInCredentials }: DestinationKind,
): Pick<PublishTarget, 'endpoint' | 'credentials'> {
  const credentials = given ?? `env:${defaultCredentials(name)}`
  if (endpoint === undefined && addressInCredentials === true)
    return { endpoint: credentials, credentials: '' }
  return { endpoint: endpoint ?? '', credentials }
}

/** What identifies a row: the columns with that role, else the key of the source. */
function primaryKey({ columns, ingest }: Asset['definition']): readonly string[] {
  const named = Object.keys(columns).filter(name => columns[name]?.role === 'primary_key')
  return named.length > 0 || ingest.type === 'none' ? named : ingest.primaryKey
}

function withoutType(name: string, destinations: Settings['destinations']): TargetProblem {
  const names = Object.keys(destinations)
  const near = nearestNames(name, names)
  return {
    at: [],
    message: `no destination is called "${name}": it has no type here, and svc.yaml does not describe it`,
    hint:
      near.length > 0
        ? `Did you mean "${near[0]}"?`
        : names.length > 0
          ? `svc.yaml has ${names.join(', ')}. Or add type, endpoint and resource here.`
          : `Add destinations: {${name}: {type: …, endpoint: …}} to svc.yaml, or the same keys here.`,
    ...(near.length > 0 && { suggestions: near }),
  }
}

/** The names of keys as they are written, of the names that they have in a definition. */
function written(property: string): string {
  return property.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

function foreignKey(own: Destination, name: string, { variant }: DestinationKind): TargetProblem | undefined {
  const known = new Set(['type', ...variant.keys.map(key => key.name)])
  const foreign = Object.keys(own)
    .map(written)
    .find(key => !known.has(key))
  if (foreign === undefined) return undefined
  return {
    at: [foreign],
    message: `"${foreign}" is no key of "publish.${name}" with type ${variant.value}`,
    hint: `Its keys are ${[...known].join(', ')}.`,
  }
}

/** A limit that the kind passes over, though others have it. */
function idleLimit(
  { limits = {} }: Destination,
  name: string,
  { variant }: DestinationKind,
): TargetProblem | undefined {
  const shape = variant.keys.find(key => key.name === 'limits')?.shape
  const idle = shape?.kind === 'object' ? shape.idle : undefined
  const written = Object.keys(limits).map(property => (property === 'timeoutMs' ? 'timeout' : property))
  const first = idle?.names.find(each => written.includes(each))
  if (idle === undefined || first === undefined) return undefined
  return {
    at: ['limits', first],
    message: `"publish.${name}.limits.${first}" means nothing with type ${variant.value}: ${idle.why}`,
    hint: 'Take it out.',
  }
}

function missingKey(merged: Destination, name: string, kind: DestinationKind): TargetProblem | undefined {
  const missing = kind.required.find(key => merged[key as keyof Destination] === undefined)
  if (missing === undefined) return undefined
  const key = kind.variant.keys.find(each => each.name === missing)
  return {
    at: [],
    message: `"publish.${name}" has no "${missing}"`,
    hint: `Add ${missing} here, or under destinations.${name} in svc.yaml. ${key?.doc ?? ''}`.trim(),
  }
}

function wrongEndpoint(
  { endpoint }: Destination,
  name: string,
  { variant }: DestinationKind,
): TargetProblem | undefined {
  const shape = variant.keys.find(key => key.name === 'endpoint')?.shape
  const format = shape?.kind === 'text' ? shape.format : undefined
  if (endpoint === undefined || format === undefined || format.pattern.test(endpoint)) return undefined
  const { unbuilt } = format
  const message = unbuilt?.pattern.test(endpoint) ? `${unbuilt.what} is not built yet` : format.rule
  return {
    at: ['endpoint'],
    message: `"publish.${name}.endpoint": ${message}`,
    hint: unbuilt?.hint ?? 'Check type and endpoint: they belong together.',
  }
}

function wrongMode(merged: Destination, kind: DestinationKind): TargetProblem | undefined {
  const modes = kind.modes(merged)
  if (merged.mode === undefined || modes.includes(merged.mode)) return undefined
  const what = merged.recipe === undefined ? kind.inWords : `the recipe ${merged.recipe}`
  return {
    at: ['mode'],
    message: `mode "${merged.mode}" does not go to ${what}`,
    hint: `Allowed: ${modes.join(', ')}.`,
    suggestions: modes,
  }
}

function onDeleteOf({ onDelete }: Destination, mode: PublishMode): OnDelete {
  return onDelete ?? (mode === 'mirror' ? 'delete' : 'ignore')
}

/** A row that comes back has to lose its mark, which nothing does where rows are only added. */
function wrongOnDelete(merged: Destination, kind: DestinationKind): TargetProblem | undefined {
  const mode = merged.mode ?? kind.modes(merged)[0] ?? 'upsert'
  const { onDelete, mark } = merged
  if (onDelete !== undefined && mode === 'replace') {
    return {
      at: ['on_delete'],
      message: 'with mode "replace" the whole is written anew: there is nothing that "on_delete" could do',
      hint: 'Take on_delete out.',
    }
  }
  if (onDelete === 'mark' && mode === 'insert') {
    return {
      at: ['on_delete'],
      message: 'on_delete "mark" does not go with mode "insert": a row that comes back would stay marked',
      hint: 'Write mode: upsert, or on_delete: ignore.',
      suggestions: ['ignore', 'delete'],
    }
  }
  if (mark === undefined || onDelete === 'mark') return undefined
  return {
    at: ['mark'],
    message: '"mark" needs on_delete: mark',
    hint: 'Add on_delete: mark, or take mark out.',
  }
}

function withoutKey(name: string): TargetProblem {
  return {
    at: [],
    message: `"publish.${name}" has no "key": rows cannot be told apart`,
    hint: 'Name the column that identifies a row, as in key: id, or give it role: primary_key under columns.',
  }
}
