/** Finds keys of the schema by a path that people write (`ingest.auth`, `columns.amount.pii`), and says what each is. */
import { once } from '../once.ts'
import { assetShape } from './asset-schema.ts'
import { glossaryShape } from './glossary-schema.ts'
import { settingsShape } from './settings-schema.ts'
import {
  type Choice,
  isBuilt,
  type Key,
  type ObjectShape,
  type Shape,
  type Variant,
  type VariantsShape,
} from './shape.ts'
import { constraint, defaultOf, docOf, sharedKeys, shortForm, typeOf } from './shape-words.ts'

/** A key as the reference has it; its texts are Markdown. */
export interface KeyPage extends KeyLine {
  readonly file: KeyFile
  /** `columns.<column>.pii` */
  readonly path: string
  /** The types of source, destination and so on that have the key; empty if it does not depend on one. */
  readonly ofTypes: readonly string[]
  readonly notes: readonly string[]
  readonly values: readonly ChoiceLine[]
  readonly types: readonly TypeLines[]
  /** The keys of its value, but for those that one type alone has. */
  readonly keys: readonly KeyLine[]
}

export type KeyFile = 'asset' | 'settings' | 'glossary'

export interface KeyLine {
  readonly name: string
  /** What its value is, in words. */
  readonly value: string
  readonly required: boolean
  readonly default: string | undefined
  readonly doc: string
}

export type ChoiceLine = Pick<Choice, 'value' | 'doc'>

export interface TypeLines extends ChoiceLine {
  readonly notes: readonly string[]
  readonly keys: readonly KeyLine[]
}

/**
 * Returns the pages of a path: what is exactly there, else the keys that end like it, else those that have it as a
 * value. Names of users (of a column, a target) may be written, written as `<column>` or left out, and so may a type.
 */
export function keyPages(written: string): readonly KeyPage[] {
  const words = wordsOf(written)
  if (words.length === 0) return []
  const places = allPlaces()
  // What defaults of folders have, the keys that they are defaults of have too.
  const first = places.filter(({ path }) => !path.startsWith('defaults.'))
  const ways = [
    () => places.filter(({ at }) => isAt(at, words)),
    () => places.filter(({ at, key }) => isAt([...at, ...namesBelow(key.shape)], words)),
    () => first.filter(({ at }) => endsWith(at, words)),
    () => (words.length > 1 ? [] : first.filter(({ key }) => hasValue(key.shape, words[0] ?? ''))),
  ]
  for (const way of ways) {
    const found = way()
    if (found.length > 0) return together(found.map(pageOf))
  }
  return []
}

/** Returns every path and every last name of one, to look for the nearest. */
export function keyPaths(): readonly string[] {
  const paths = allPlaces()
    .filter(({ key }) => isBuilt(key))
    .map(({ path, type }) => (type === undefined ? path : `${path}.${type}`))
  const tails = paths.map(path => path.slice(path.lastIndexOf('.') + 1))
  return [...new Set([...paths, ...tails])].filter(path => !path.startsWith('defaults.'))
}

function wordsOf(written: string): string[] {
  const bare = written
    .trim()
    .toLowerCase()
    .replace(/:$/, '')
    .replace(/\[\w*\]/g, '')
  return bare.split('.').filter(word => word !== '')
}

// ---------------------------------------------------------------- places

interface KeyPlace {
  readonly file: KeyFile
  readonly path: string
  readonly at: readonly Segment[]
  readonly key: Key
  /** The type whose keys the place has, where it is one of a type. */
  readonly type: string | undefined
}

/** `named`: a name of users stands there; `type`: the keys below are those of a type. */
interface Segment {
  readonly kind: 'key' | 'named' | 'type'
  readonly name: string
}

const allPlaces = once((): readonly KeyPlace[] => [
  ...placesOf('asset', [], assetShape.keys),
  ...placesOf('settings', [], settingsShape.keys),
  ...placesOf('glossary', [], glossaryShape.keys),
])

function placesOf(file: KeyFile, before: readonly Segment[], keys: readonly Key[]): KeyPlace[] {
  return keys.flatMap(key => {
    const at: readonly Segment[] = [...before, { kind: 'key', name: key.name }]
    return [{ file, path: pathOf(at), at, key, type: undefined }, ...below(file, at, key.shape)]
  })
}

/** `columns.amount` is the page of `columns`. */
function namesBelow(shape: Shape): Segment[] {
  if (shape.kind === 'list') return namesBelow(shape.of)
  return shape.kind === 'record' ? [{ kind: 'named', name: shape.keyName }] : []
}

function below(file: KeyFile, at: readonly Segment[], shape: Shape): KeyPlace[] {
  switch (shape.kind) {
    case 'object':
      return placesOf(file, at, shape.keys)
    case 'variants':
      return [...placesOf(file, at, [typeKey(shape)]), ...typesBelow(file, at, shape)]
    case 'list':
    case 'shorthand':
      return below(file, at, shape.of)
    case 'record':
      return below(file, [...at, { kind: 'named', name: shape.keyName }], shape.of)
    default:
      return []
  }
}

function typesBelow(file: KeyFile, before: readonly Segment[], { variants }: VariantsShape): KeyPlace[] {
  return variants.flatMap(variant => {
    const at: readonly Segment[] = [...before, { kind: 'type', name: variant.value }]
    const key: Key = {
      built: isBuilt(variant),
      name: variant.value,
      doc: variant.doc,
      shape: { kind: 'object', ...partsOf(variant) },
    }
    const place = { file, path: pathOf(before), at, key, type: variant.value }
    return [place, ...placesOf(file, at, variant.keys)]
  })
}

function partsOf({ keys, exactlyOne, atLeastOne }: Variant): Omit<ObjectShape, 'kind'> {
  return {
    keys,
    ...(exactlyOne !== undefined && { exactlyOne }),
    ...(atLeastOne !== undefined && { atLeastOne }),
  }
}

function typeKey({ doc, variants }: VariantsShape): Key {
  return { name: 'type', doc, required: true, shape: { kind: 'choice', choices: variants } }
}

function pathOf(at: readonly Segment[]): string {
  const words = at.filter(({ kind }) => kind !== 'type')
  return words.map(({ kind, name }) => (kind === 'named' ? `<${name}>` : name)).join('.')
}

// ---------------------------------------------------------------- search

function isAt(segments: readonly Segment[], words: readonly string[]): boolean {
  const [segment, ...rest] = segments
  if (segment === undefined) return words.length === 0
  const [word, ...more] = words
  if (segment.kind !== 'key' && rest.length > 0 && isAt(rest, words)) return true
  return word !== undefined && (segment.kind === 'named' || word === segment.name) && isAt(rest, more)
}

function endsWith(at: readonly Segment[], words: readonly string[]): boolean {
  return at.some((segment, index) => index > 0 && segment.kind !== 'named' && isAt(at.slice(index), words))
}

function hasValue(shape: Shape, word: string): boolean {
  if (shape.kind === 'list') return hasValue(shape.of, word)
  return choicesOf(shape).some(({ value }) => value.toLowerCase() === word)
}

// ---------------------------------------------------------------- pages

function pageOf({ file, path, at, key, type }: KeyPlace): KeyPage {
  const ofTypes = at.filter((segment, index) => segment.kind === 'type' && index > 0).map(({ name }) => name)
  const line = type === undefined ? lineOf(key) : { ...lineOf(key), value: 'mapping', required: false }
  const inside = insideOf(key.shape)
  const notes = isBuilt(key) ? inside.notes : ['Not built yet, and refused.', ...inside.notes]
  return { ...line, file, path, ofTypes: ofTypes.slice(-1), ...inside, notes }
}

type Inside = Pick<KeyPage, 'notes' | 'values' | 'types' | 'keys'>

function insideOf(shape: Shape): Inside {
  const nothing: Inside = { notes: [], values: choicesOf(shape), types: [], keys: [] }
  switch (shape.kind) {
    case 'list':
    case 'record':
      return insideOf(shape.of)
    case 'object':
      return { ...nothing, notes: constraint(shape, 'Each has one'), keys: linesOf(shape.keys) }
    case 'variants': {
      const shared = sharedKeys(shape)
      return { ...nothing, types: typesOf(shape, shared), keys: linesOf(shared) }
    }
    case 'shorthand': {
      const inside = insideOf(shape.of)
      return { ...inside, notes: [shortForm(shape.of, shape.keys), ...inside.notes] }
    }
    default:
      return nothing
  }
}

function choicesOf(shape: Shape): ChoiceLine[] {
  const choices = shape.kind === 'choice' ? shape.choices : shape.kind === 'text' ? (shape.words ?? []) : []
  return choices.filter(isBuilt).map(({ value, doc }) => ({ value, doc }))
}

function typesOf({ variants }: VariantsShape, shared: readonly Key[]): TypeLines[] {
  return variants.filter(isBuilt).map(variant => ({
    value: variant.value,
    doc: variant.doc,
    notes: constraint(variant, 'Exactly one of'),
    keys: linesOf(variant.keys.filter(key => !shared.includes(key))),
  }))
}

function linesOf(keys: readonly Key[]): KeyLine[] {
  return keys.filter(isBuilt).map(lineOf)
}

function lineOf(key: Key): KeyLine {
  const written = defaultOf(key)
  return {
    name: key.name,
    value: typeOf(key.shape),
    required: key.required === true,
    default: written === '' ? undefined : written,
    doc: docOf(key),
  }
}

/** A key that several types have is one page. */
function together(pages: readonly KeyPage[]): readonly KeyPage[] {
  const merged = new Map<string, KeyPage>()
  for (const page of pages) {
    const same = JSON.stringify({ ...page, ofTypes: [] })
    const known = merged.get(same)
    const ofTypes = [...new Set([...(known?.ofTypes ?? []), ...page.ofTypes])]
    merged.set(same, { ...page, ofTypes })
  }
  return [...merged.values()]
}
