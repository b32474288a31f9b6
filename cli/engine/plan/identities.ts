/**
 * Computes the definition hashes of a project's assets, each once, and their build keys (decisions 2,
 * "Identity"). It never reads the warehouse: what is live and what was loaded are arguments.
 */
import {
  type Asset,
  buildKey,
  canonicalDefinition,
  type Hash,
  type JsonScalar,
  knownDefinitionHash,
  knownRawHash,
  type Project,
  rawKey,
} from '@svc/server/language'

export type Vars = Readonly<Record<string, JsonScalar>>

export interface Identities {
  definitionHash(name: string): string
  rawDefinitionHash(name: string): string
  /** Returns the definition as text, for what a plan says of its changes. */
  canonical(name: string): string
}

export function identitiesOf(project: Project, vars: Vars, hash: Hash): Identities {
  const { engine } = project
  const definitions = new Map<string, string>()
  const raws = new Map<string, string>()
  return {
    definitionHash: name =>
      memo(definitions, name, () => knownDefinitionHash(assetOf(project, name), engine, vars, hash)),
    rawDefinitionHash: name => memo(raws, name, () => knownRawHash(assetOf(project, name), hash)),
    canonical: name => canonicalDefinition(assetOf(project, name), engine, vars),
  }
}

export function assetOf(project: Project, name: string): Asset {
  const asset = project.byName.get(name)
  if (asset === undefined) throw new Error(`no asset "${name}" in the project`)
  return asset
}

function memo(known: Map<string, string>, name: string, compute: () => string): string {
  const before = known.get(name)
  if (before !== undefined) return before
  const value = compute()
  known.set(name, value)
  return value
}

export interface KeyInput {
  readonly project: Project
  readonly identities: Identities
  /** The assets to give a key, parents first. */
  readonly names: readonly string[]
  /** Returns the key of a parent that is not among `names`: that of its live build. */
  readonly liveKey: (name: string) => string | undefined
  /**
   * Returns the key of an asset's raw load; undefined if it is unknown (never loaded, or the fetch failed).
   */
  readonly rawKey: (name: string) => string | undefined
  /** Returns the final key, from that of definition and inputs; undefined if only a run determines it. */
  readonly salted: (name: string, key: string) => string | undefined
  readonly hash: Hash
}

/** Returns build keys by name. An asset whose inputs are not all known has none, and is certainly built. */
export function buildKeys(input: KeyInput): Map<string, string> {
  const keys = new Map<string, string>()
  const selected = new Set(input.names)
  for (const name of input.names) {
    const key = keyOf(name, input, parent =>
      selected.has(parent) ? keys.get(parent) : input.liveKey(parent),
    )
    if (key !== undefined) keys.set(name, key)
  }
  return keys
}

function keyOf(
  name: string,
  input: KeyInput,
  parentKey: (name: string) => string | undefined,
): string | undefined {
  const parentKeys: string[] = []
  for (const parent of input.project.parents(name)) {
    const key = parentKey(parent)
    if (key === undefined) return undefined
    parentKeys.push(key)
  }
  const asset = input.project.byName.get(name)
  const fetches = asset !== undefined && hasSource(asset)
  const raw = fetches ? input.rawKey(name) : undefined
  if (fetches && raw === undefined) return undefined
  const definition = ofAsset(name, input.identities.definitionHash(name))
  return input.salted(name, buildKey(definition, parentKeys, raw, input.hash))
}

/** Returns the key of a raw load, from the asset, the definition of its source and the content. */
export function loadKey(name: string, identities: Identities, loadId: string, hash: Hash): string {
  return rawKey(ofAsset(name, identities.rawDefinitionHash(name)), loadId, hash)
}

/** The name is part of the key, because two assets with equal definitions are two relations. */
function ofAsset(name: string, definition: string): string {
  return `${name}\n${definition}`
}

export function hasSource(asset: Asset): boolean {
  return asset.definition.ingest.type !== 'none'
}
