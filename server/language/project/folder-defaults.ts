/** What assets inherit from `defaults` in `svc.yaml`, where patterns of paths lead to values. */
import { getOrInsertComputed } from '../get-or-insert.ts'
import { assetShape } from '../schema/asset-schema.ts'
import { isValues, type Value, type Values } from '../schema/inherited-values.ts'
import { plainValue } from '../schema/read-value.ts'
import { type Key, propertyOf, type Shape } from '../schema/shape.ts'
import type { Node, NodePath } from '../syntax/node.ts'
import { wildcards } from '../text/wildcards.ts'
import { nodeAt } from './locate.ts'
import type { Asset, Settings } from './project.ts'

/** One entry of `defaults`. */
export interface FolderDefaults {
  /** The pattern as it is written. */
  readonly pattern: string
  /** Read by the shape of an asset; keys that are not written are absent. */
  readonly values: Values
}

export interface Inherited {
  readonly values: Values
  /** Identifies the values: assets with the same text and the same key say the same. */
  readonly key: string
  /** The entries that it comes from, in the order in which they are written. */
  readonly from: readonly FolderDefaults[]
}

/** What reading an asset depends on besides its text. */
export type AssetSettings = Pick<Settings, 'engine' | 'defaults' | 'ownTests'>

interface Known {
  /** The positions of the entries whose patterns begin with a text, which has no wildcard. */
  readonly byStart: ReadonlyMap<string, readonly number[]>
  /** The lengths of these texts: there are few, however many entries. */
  readonly lengths: readonly number[]
  readonly matchers: readonly ((path: string) => boolean)[]
  /** By the positions of the entries that fit: most assets of a folder share one. */
  readonly merged: Map<string, Inherited>
  readonly byPath: Map<string, Inherited | undefined>
}

const known = new WeakMap<AssetSettings['defaults'], Known>()

/** Returns what the asset with this path inherits; undefined if no pattern fits. */
export function inheritedBy(defaults: AssetSettings['defaults'], path: string): Inherited | undefined {
  if (defaults.length === 0) return undefined
  const index = getOrInsertComputed(known, defaults, () => indexOf(defaults))
  if (!index.byPath.has(path)) index.byPath.set(path, inheritedFrom(defaults, index, path))
  return index.byPath.get(path)
}

function indexOf(defaults: AssetSettings['defaults']): Known {
  const byStart = new Map<string, number[]>()
  for (const [position, { pattern }] of defaults.entries())
    getOrInsertComputed(byStart, plainStart(pattern), () => []).push(position)
  return {
    byStart,
    lengths: [...new Set(Array.from(byStart.keys(), start => start.length))],
    matchers: defaults.map(({ pattern }) => pathMatcher(pattern)),
    merged: new Map(),
    byPath: new Map(),
  }
}

function inheritedFrom(
  defaults: AssetSettings['defaults'],
  { byStart, lengths, matchers, merged }: Known,
  path: string,
): Inherited | undefined {
  const likely = lengths.flatMap(length => byStart.get(path.slice(0, length)) ?? [])
  const fitting = [...new Set(likely)].filter(position => matchers[position]?.(path)).sort((a, b) => a - b)
  if (fitting.length === 0) return undefined
  return getOrInsertComputed(merged, fitting.join(), () => {
    const from = fitting.flatMap(position => defaults[position] ?? [])
    const values = from.map(each => each.values).reduce((all, more) => mergedValues(all, more))
    return { values, key: JSON.stringify(values), from }
  })
}

/** What a path must begin with, up to the first wildcard of the pattern. */
export function plainStart(pattern: string): string {
  return /^[^*?{]*/.exec(withoutDots(pattern))?.[0] ?? ''
}

function withoutDots(pattern: string): string {
  return pattern.replace(/^(\.\/)+/, '')
}

/** Makes a matcher that compares only the part behind what the pattern names plainly. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const start = plainStart(pattern)
  const rest = withoutDots(pattern).slice(start.length)
  const matches = rest === '**' ? () => true : wildcards(rest, { isPath: true, hasBraces: true })
  return path => path.startsWith(start) && matches(path.slice(start.length))
}

/** Merges key by key: `more` wins, and lists add up. */
function mergedValues(all: Values, more: Values): Values {
  const result: Record<string, Value> = { ...all }
  for (const [name, value] of Object.entries(more)) result[name] = mergedValue(all[name], value)
  return result
}

function mergedValue(before: Value | undefined, value: Value): Value {
  if (isValues(before) && isValues(value)) return mergedValues(before, value)
  return Array.isArray(before) && Array.isArray(value) ? [...new Set([...before, ...value])] : value
}

/** Returns whether a key is written, in the file of the asset or for its folder. */
export function isDeclared(asset: Asset, path: readonly string[]): boolean {
  if (nodeAt(asset.tree, path) !== undefined) return true
  let value: Value | undefined = asset.inherited?.values
  for (const key of keysAt(path)) value = isValues(value) ? value[propertyOf(key)] : undefined
  return value !== undefined && keysAt(path).length === path.length
}

/** Returns the keys of an asset's file along a path, as far as there are any. */
function keysAt(path: NodePath): readonly Key[] {
  const found: Key[] = []
  let shape: Shape = assetShape
  for (const step of path) {
    const inner: Shape = shape.kind === 'shorthand' ? shape.of : shape
    const key: Key | undefined =
      inner.kind === 'object' ? inner.keys.find(({ name }) => name === step) : undefined
    if (key === undefined) break
    found.push(key)
    shape = key.shape
  }
  return found
}

// ---------------------------------------------------------------- for people

/** A value that an asset inherits, with its place in `svc.yaml`. */
export interface InheritedKey {
  readonly path: NodePath
  /** As the definition calls it, two levels deep: `deploy.materialize`, `contract.enforceTypes`. */
  readonly property: string
  readonly node: Node
  readonly pattern: string
}

/** Returns what an asset inherits and does not say itself. Lists add up, so that each of theirs is there. */
export function inheritedKeys(asset: Asset, settings: Settings): readonly InheritedKey[] {
  const found = new Map<string, InheritedKey>()
  for (const { pattern } of asset.inherited?.from ?? []) {
    const written = nodeAt(settings.file?.tree, ['defaults', pattern])
    for (const { path, node } of leaves(written, [])) {
      const isList = isListAt(path)
      if (!isList && isOwn(asset, path)) continue
      const property = keysAt(path).slice(0, 2).map(propertyOf).join('.')
      found.set(isList ? `${pattern}\n${path}` : path.join(), { path, property, node, pattern })
    }
  }
  return [...found.values()]
}

/** Returns the value as it is shown to people: `view`, `staging, hourly`. */
export function inheritedValue(node: Node): string {
  return node.kind === 'sequence' ? node.items.map(inheritedValue).join(', ') : String(plainValue(node))
}

function leaves(node: Node | undefined, path: NodePath): { path: NodePath; node: Node }[] {
  if (node === undefined) return []
  if (node.kind !== 'map') return [{ path, node }]
  return node.entries.flatMap(({ key, value }) => leaves(value, [...path, String(key.value)]))
}

function isListAt(path: NodePath): boolean {
  return keysAt(path).at(-1)?.shape.kind === 'list'
}

/** Returns whether the asset's file has the key, or a short form that stands for it. */
function isOwn(asset: Asset, path: NodePath): boolean {
  return path.some((_, index) => {
    const node = nodeAt(asset.tree, path.slice(0, index + 1))
    return node !== undefined && (node.kind !== 'map' || index === path.length - 1)
  })
}
