/**
 * Reads a YAML tree by a shape: returns typed data with defaults filled in and short forms expanded, and
 * reports every problem with its exact range. It never stops at a problem; a wrong value gets its default.
 */
import { getOrInsertComputed } from '../get-or-insert.ts'
import { uniqueBy } from '../lists.ts'
import { emptyScalar } from '../syntax/empty-scalar.ts'
import type { MapEntry, MapNode, Node, ScalarNode, SequenceNode } from '../syntax/node.ts'
import { scalarPositions } from '../syntax/scalar-positions.ts'
import { parseCsvRows } from '../unit/csv-rows.ts'
import type { JsonValue } from './definition.ts'
import { below, inheritedAt, isValues, type Value, type Values, withInherited } from './inherited-values.ts'
import {
  checkAtLeastOne,
  checkExactlyOne,
  checkOnlyFor,
  hasKey,
  idleKey,
  missingKey,
  notBuiltYet,
  placeOfMissingKey,
  unknownKey,
} from './key-problems.ts'
import { findChoice, fits, type Reading, readScalar, refuse, wantedScalar } from './read-scalar.ts'
import {
  any,
  isBuilt,
  type Key,
  type ListShape,
  type ObjectShape,
  propertyOf,
  type RecordShape,
  type Shape,
  type ShorthandShape,
  type Variant,
  type VariantsShape,
} from './shape.ts'

export type { Value, Values } from './inherited-values.ts'
export type { Reading } from './read-scalar.ts'

/**
 * Reads a value. Returns undefined if nothing useful could be read. `at` is the path of the key, for messages
 * ('' for the file).
 */
export function readValue(reading: Reading, shape: Shape, node: Node, at: string): Value | undefined {
  switch (shape.kind) {
    case 'list':
      return readList(reading, shape, node, at)
    case 'record':
    case 'object':
    case 'variants':
      if (node.kind !== 'map')
        return notThe(reading, node, at, 'a mapping', shape.kind === 'object' ? shape.example : undefined)
      if (shape.kind === 'record') return readRecord(reading, shape, node, at)
      if (shape.kind === 'object') return readObject(reading, shape, node, at)
      return readVariants(reading, shape, node, at)
    case 'shorthand':
      return readShorthand(reading, shape, node, at)
    case 'any':
      return plainValue(node)
    case 'rows':
      return readRows(reading, node, at)
    default:
      if (node.kind !== 'scalar') return notThe(reading, node, at, wantedScalar(shape))
      return readScalar(reading, shape, node, at)
  }
}

/** Returns the tree as plain data. Keys without a value are null. */
export function plainValue(node: Node | undefined): JsonValue {
  if (node === undefined) return null
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'sequence') return node.items.map(plainValue)
  return Object.fromEntries(
    firstOfEach(node.entries).map(({ key, value }) => [String(key.value), plainValue(value)]),
  )
}

/** Removes duplicate keys: the first one counts. */
function firstOfEach(entries: readonly MapEntry[]): readonly MapEntry[] {
  return uniqueBy(entries, ({ key }) => String(key.value))
}

function notThe(reading: Reading, node: Node, at: string, wanted: string, example?: string): undefined {
  const what = at === '' ? 'the file' : `"${at}"`
  if (node.kind === 'scalar' && node.value === null)
    return refuse(reading, node, `${what} has no value`, `Write ${wanted}, or remove the key.`, 'wrong-type')
  const actual = { map: 'a mapping', sequence: 'a list', scalar: 'a single value' }[node.kind]
  const hint = example === undefined ? undefined : `Write it as ${example}.`
  return refuse(reading, node, `${what} must be ${wanted}, not ${actual}`, hint, 'wrong-type', { wanted })
}

// ---------------------------------------------------------------- lists and records

function readList(reading: Reading, shape: ListShape, node: Node, at: string): Value | undefined {
  const isOne = shape.orOne === true && node.kind === 'scalar' && node.value !== null
  if (node.kind !== 'sequence' && !isOne) return notThe(reading, node, at, 'a list')
  const items = node.kind === 'sequence' ? (node as SequenceNode).items : [node]
  if (shape.notEmpty === true && items.length === 0) return refuse(reading, node, `"${at}" is an empty list`)
  const values = items.map((item, index) =>
    readValue(reading, shape.of, item, isOne ? at : `${at}[${index}]`),
  )
  if (isOne && values[0] === undefined) return undefined
  if (shape.endsAtRefused === true) return values.slice(0, [...values, undefined].indexOf(undefined))
  return shape.keepsIndex === true
    ? values
    : withInherited(
        reading,
        values.filter(value => value !== undefined),
      )
}

function readRecord(reading: Reading, shape: RecordShape, node: MapNode, at: string): Values {
  if (shape.notEmpty === true && node.entries.length === 0)
    refuse(reading, node, `"${at}" is empty`, `Name a ${shape.keyName}, or remove it.`)
  const values: [string, Value][] = []
  for (const { key, value } of firstOfEach(node.entries)) {
    const name = String(key.value)
    const path = `${at}.${name}`
    if (shape.beside?.includes(name) === true && value?.kind === 'scalar' && takesNoScalar(shape.of)) {
      unknownKey(reading, { keys: [], beside: shape.beside }, key, at)
      continue
    }
    if (shape.keyFormat !== undefined && !fits(reading, shape.keyFormat, key, at, name)) continue
    if (name === '') {
      refuse(
        reading,
        key,
        `"${at}" has the name "", which names nothing`,
        `Name a ${shape.keyName}, or take it out.`,
      )
      continue
    }
    const read = readEntry(reading, shape.of, key, value, path)
    if (read !== undefined) values.push([name, read])
  }
  return Object.fromEntries(values)
}

function takesNoScalar(shape: Shape): boolean {
  return shape.kind === 'object' || (shape.kind === 'list' && shape.orOne !== true)
}

/** Reads the value of a key. A key without one is null if the shape allows it, and an error otherwise. */
function readEntry(
  reading: Reading,
  shape: Shape,
  key: ScalarNode,
  value: Node | undefined,
  at: string,
): Value | undefined {
  if (value !== undefined) return readValue(reading, shape, value, at)
  if (shape.kind === 'any' || shape.kind === 'scalar') return null
  return readValue(reading, shape, { ...emptyScalar, range: key.range, bodyRange: key.range }, at)
}

/** Reads rows; a wrong row is reported and left out. */
function readRows(reading: Reading, node: Node, at: string): Value | undefined {
  if (node.kind === 'scalar' && typeof node.value === 'string') return readCsvRows(reading, node, at)
  if (node.kind !== 'sequence') return notThe(reading, node, at, 'a list of rows, or CSV text')
  return node.items.flatMap((item, index) => {
    if (item.kind === 'map') return [plainValue(item)]
    notThe(reading, item, `${at}[${index}]`, 'a row: a mapping from columns to values')
    return []
  })
}

function readCsvRows(reading: Reading, node: ScalarNode, at: string): Value {
  const { header, rows, problems } = parseCsvRows(String(node.value))
  const toFile = scalarPositions(reading.text, node)
  for (const { message, range } of problems) {
    const hint = 'Each line has as many values as the first line has names.'
    const place = toFile.rangeToOriginal(range)
    reading.problems.push({ code: 'wrong-value', range: place, message: `"${at}": ${message}`, hint })
  }
  return rows.map(cells =>
    Object.fromEntries(header.map(({ text }, index) => [text, cells[index]?.text ?? null])),
  )
}

// ---------------------------------------------------------------- mappings with known keys

function readObject(reading: Reading, shape: ObjectShape, node: MapNode, at: string): Values {
  const own = readKeys(reading, shape.keys, node, at, key => {
    if (shape.idle?.names.includes(String(key.value)) === true) idleKey(reading, shape, key, at)
    else unknownKey(reading, shape, key, at)
  })
  const values = shape.unwritten === undefined ? own : { ...(shape.unwritten() as Values), ...own }
  if (shape.exactlyOne !== undefined) checkExactlyOne(reading, shape, node, shape.exactlyOne)
  const { atLeastOne } = shape
  const isInherited = shape.keys.some(
    key => atLeastOne?.includes(key.name) && inheritedAt(reading, propertyOf(key)) !== undefined,
  )
  if (atLeastOne !== undefined && !isInherited) checkAtLeastOne(reading, atLeastOne, node, `"${at}"`)
  return values
}

function readKeys(
  reading: Reading,
  keys: readonly Key[],
  node: MapNode,
  at: string,
  onUnknown: (key: ScalarNode) => void,
): Values {
  const index = getOrInsertComputed(indexes, keys, () => new Map(keys.map(key => [key.name, key])))
  const values: Record<string, Value> = {}
  for (const { key, value } of firstOfEach(node.entries)) {
    const known = index.get(String(key.value))
    if (known === undefined) onUnknown(key)
    else if (!isBuilt(known)) notBuiltYet(reading, key, at)
    else {
      const path = at === '' ? known.name : `${at}.${known.name}`
      const property = propertyOf(known)
      const read = readEntry(below(reading, property), known.shape, key, value, path)
      if (read !== undefined) values[property] = read
    }
  }
  fillIn(reading, keys, values, node, at)
  return values
}

/** Adds what is inherited, and the defaults, for absent or wrong keys and reports missing required ones. */
function fillIn(
  reading: Reading,
  keys: readonly Key[],
  values: Record<string, Value>,
  node: MapNode,
  at: string,
): void {
  // If a key is not implemented yet, the file is for a later version of svc, and missing keys are not
  // reported.
  const isComplete = keys.some(key => !isBuilt(key) && hasKey(node, key.name))
  for (const key of keys) {
    const property = propertyOf(key)
    if (property in values) continue
    const inherited = inheritedAt(reading, property)
    const fallback = inherited === undefined ? fallbackOf(key) : completed(key.shape, inherited)
    if (fallback !== undefined) values[property] = fallback
    const isMissing = key.required === true && !isComplete && !hasKey(node, key.name)
    if (isMissing) missingKey(reading, node, key, at)
  }
}

const indexes = new WeakMap<readonly Key[], ReadonlyMap<string, Key>>()

// ---------------------------------------------------------------- variants and short forms

function readVariants(reading: Reading, shape: VariantsShape, node: MapNode, at: string): Values | undefined {
  const variant = variantOf(reading, shape, node, at)
  if (variant === undefined) return undefined
  const keys = keysWithType(variant, shape)
  const values = readKeys(reading, keys, node, at, key => unknownVariantKey(reading, shape, variant, key, at))
  checkOnlyFor(reading, keys, node, at)
  const what = `"${at}" of type ${variant.value}`
  if (variant.exactlyOne !== undefined) checkExactlyOne(reading, variant, node, variant.exactlyOne)
  if (variant.atLeastOne !== undefined) checkAtLeastOne(reading, variant.atLeastOne, node, what)
  return { ...(variant.unwritten?.() as Values | undefined), ...values, type: variant.value }
}

function variantOf(reading: Reading, shape: VariantsShape, node: MapNode, at: string): Variant | undefined {
  const entry = node.entries.find(each => each.key.value === 'type')
  const path = at === '' ? 'type' : `${at}.type`
  if (entry === undefined) {
    const values = shape.variants.filter(isBuilt).map(each => each.value)
    reading.problems.push({
      code: 'missing-key',
      range: placeOfMissingKey(reading, node),
      message: `"${at}" has no "type"`,
      hint: `Add type: ${values.join(', ')}.`,
    })
    return undefined
  }
  const value = entry.value ?? { ...emptyScalar, range: entry.key.range }
  if (value.kind !== 'scalar') return notThe(reading, value, path, 'a word')
  return findChoice(reading, shape.variants, value, path)
}

const variantKeys = new WeakMap<Variant, readonly Key[]>()

/** Returns the keys of a variant including `type`. */
function keysWithType(variant: Variant, { doc }: VariantsShape): readonly Key[] {
  return getOrInsertComputed(variantKeys, variant, () => [{ name: 'type', doc, shape: any }, ...variant.keys])
}

function unknownVariantKey(
  reading: Reading,
  shape: VariantsShape,
  variant: Variant,
  key: ScalarNode,
  at: string,
): undefined {
  const name = String(key.value)
  const others = shape.variants
    .filter(each => each.keys.some(other => other.name === name))
    .map(each => each.value)
  const instead = variant.otherWords?.[name]
  if (instead !== undefined)
    return refuse(reading, key, `unknown key "${name}" in "${at}"`, instead, 'unknown-key')
  if (others.length === 0) {
    unknownKey(reading, { keys: keysWithType(variant, shape) }, key, at)
    return undefined
  }
  const message = `"${name}" is no key of "${at}" with type ${variant.value}`
  return refuse(reading, key, message, `It belongs to type ${others.join(', ')}.`, 'unknown-key')
}

function readShorthand(reading: Reading, shape: ShorthandShape, node: Node, at: string): Value | undefined {
  if (node.kind === 'map') return readValue(reading, shape.of, node, at)
  if (node.kind === 'sequence' ? !takesList(shape) : node.value === null)
    return notThe(reading, node, at, 'a value or a mapping')
  const entries = shape.keys.map(name => ({
    key: { ...emptyScalar, range: node.range, value: name },
    value: node,
  }))
  const long: MapNode = { kind: 'map', range: node.range, entries }
  return shape.of.kind === 'object'
    ? readShortObject(reading, shape.of, shape.keys, long, node, at)
    : readValue(reading, shape.of, long, at)
}

/** Returns whether a list is short for a mapping with that list under the key. */
function takesList({ of, keys }: ShorthandShape): boolean {
  return of.kind === 'object' && of.keys.some(key => key.name === keys[0] && key.shape.kind === 'list')
}

/**
 * Reads a short form: the value is read once, under the name that the user wrote, and set for each of
 * `names`.
 */
function readShortObject(
  reading: Reading,
  shape: ObjectShape,
  names: readonly string[],
  long: MapNode,
  node: ScalarNode | SequenceNode,
  at: string,
): Values | undefined {
  const keys = shape.keys.filter(key => names.includes(key.name))
  const value = keys[0] === undefined ? undefined : readValue(reading, keys[0].shape, node, at)
  if (value === undefined) return undefined
  const values: Record<string, Value> = Object.fromEntries(keys.map(key => [propertyOf(key), value]))
  fillIn(reading, shape.keys, values, long, at)
  return values
}

// ---------------------------------------------------------------- defaults

const usualValues = new WeakMap<Key, Value | undefined>()

/** Returns the default of a key, read by its own shape; for a required key the emptiest value of its type. */
export function fallbackOf(key: Key): Value | undefined {
  const { default: usual } = key
  if (usual === undefined) return key.required === true ? emptyValue(key.shape) : undefined
  return getOrInsertComputed(usualValues, key, () =>
    readValue({ text: '', problems: [] }, key.shape, nodeOf(usual), key.name),
  )
}

/** Returns the values of a mapping that says nothing. */
export function defaultsOf({ keys }: ObjectShape): Values {
  const values = keys.map(key => [propertyOf(key), fallbackOf(key)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Values
}

/** Fills an inherited value with the defaults of what nobody says. */
function completed(shape: Shape, inherited: Value): Value | undefined {
  if (!isValues(inherited)) return inherited
  const nothing: MapNode = { kind: 'map', range: emptyScalar.range, entries: [] }
  return readValue({ text: '', problems: [], inherited }, shape, nothing, '')
}

function emptyValue(shape: Shape): Value | undefined {
  switch (shape.kind) {
    case 'text':
      return ''
    case 'list':
      return []
    case 'record':
      return {}
    case 'choice':
      return shape.choices[0]?.value
    default:
      return undefined
  }
}

function nodeOf(value: JsonValue): Node {
  const range = emptyScalar.range
  if (Array.isArray(value)) return { kind: 'sequence', range, items: value.map(nodeOf) }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, each]) => ({
      key: { ...emptyScalar, value: name },
      value: nodeOf(each),
    }))
    return { kind: 'map', range, entries }
  }
  return { ...emptyScalar, value: value as ScalarNode['value'] }
}
