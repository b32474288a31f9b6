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

/** Returns the key of an asset's relation, from its definition, the keys of its parents and that of its own load. */
export function modelKey(
  name: string,
  identities: Identities,
  parents: readonly string[],
  load: string | undefined,
  hash: Hash,
): string {
  return buildKey(ofAsset(name, identities.definitionHash(name)), parents, load, hash)
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
