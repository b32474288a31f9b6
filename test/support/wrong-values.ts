/**
 * Every key of a schema with values that it does not take, each in a file that is right otherwise. Made from the schema
 * itself, so that a new key is tried as soon as it is described.
 */

import { linkFormat } from '../../server/language/schema/formats.ts'
import type { Key, ObjectShape, Shape, VariantsShape } from '../../server/language/schema/shape.ts'
import { isBuilt } from '../../server/language/schema/shape.ts'

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export interface WrongValue {
  /** Where it is: `ingest.limits.rate`. */
  readonly at: string
  readonly value: Json
  /** A whole file, as JSON, which is YAML. */
  readonly text: string
  /** Offsets in `text` between which a problem must be shown: the key or its value. */
  readonly from: number
  readonly to: number
}

const mark = '§here§'
const text = '§wrong§'
const list: Json = [text]
const mapping: Json = { [text]: 1 }

/** All of them, for a file with the keys `others` beside those of `shape`. */
export function wrongValues(shape: ObjectShape, others: Readonly<Record<string, Json>>): WrongValue[] {
  const found: WrongValue[] = []
  const add = (at: string, file: Json, value: Json) => {
    found.push({ at, value, ...placed(JSON.stringify(file), value) })
  }
  inKeys(shape.keys, '', inner => ({ ...others, ...inner }), add)
  return found
}

type Wrap = (inner: { readonly [key: string]: Json }) => Json
type Add = (at: string, file: Json, value: Json) => void

/** The value in the place of the mark; a problem may be shown on the key in front of it too. */
function placed(file: string, value: Json): Pick<WrongValue, 'text' | 'from' | 'to'> {
  const marked = JSON.stringify(mark)
  const start = file.indexOf(marked)
  const written = JSON.stringify(value)
  const key = /"[^"]*":$/.exec(file.slice(0, start))
  return {
    text: file.slice(0, start) + written + file.slice(start + marked.length),
    from: key === null ? start : key.index,
    to: start + written.length,
  }
}

function inKeys(keys: readonly Key[], at: string, wrap: Wrap, add: Add): void {
  for (const key of keys) {
    const path = at === '' ? key.name : `${at}.${key.name}`
    if (!isBuilt(key)) {
      add(path, wrap({ [key.name]: mark }), text)
      continue
    }
    inShape(key.shape, path, inner => wrap({ [key.name]: inner }), add)
  }
}

function inShape(shape: Shape, at: string, wrap: (inner: Json) => Json, add: Add): void {
  for (const value of wrongFor(shape)) add(at, wrap(mark), value)
  if (shape.kind === 'list') inShape(shape.of, `${at}[]`, inner => wrap([inner]), add)
  if (shape.kind === 'record') {
    inShape(shape.of, `${at}.<${shape.keyName}>`, inner => wrap({ some_key: inner }), add)
  }
  const members = shape.kind === 'shorthand' ? shape.of : shape
  if (members.kind === 'object') inObject(members, at, wrap, add)
  if (members.kind === 'variants') inVariants(members, at, wrap, add)
}

function inObject(shape: ObjectShape, at: string, wrap: (inner: Json) => Json, add: Add): void {
  const { exactlyOne, atLeastOne = [] } = shape
  for (const key of shape.keys) {
    const isKind = exactlyOne?.keys.includes(key.name) === true
    const kind = shape.keys.find(each => each.name === exactlyOne?.keys[0])
    const needed = [
      ...shape.keys.filter(each => each.required === true || each.name === atLeastOne[0]),
      ...(kind === undefined || isKind ? [] : [kind]),
    ].filter(each => each.name !== key.name)
    const siblings = Object.fromEntries(needed.map(each => [each.name, rightFor(each.shape)]))
    inKeys([key], at, inner => wrap({ ...siblings, ...inner }), add)
  }
  add(`${at}.?`, wrap({ [text]: mark }), 1)
}

function inVariants(shape: VariantsShape, at: string, wrap: (inner: Json) => Json, add: Add): void {
  for (const type of [text, 7.5, null, list, mapping]) add(`${at}.type`, wrap({ type: mark }), type)
  for (const variant of shape.variants) {
    if (!isBuilt(variant)) {
      add(`${at}.type`, wrap({ type: mark }), variant.value)
      continue
    }
    for (const key of variant.keys) {
      const needed = variant.keys.filter(
        each => (each.required === true || each.name === variant.atLeastOne?.[0]) && each.name !== key.name,
      )
      const siblings = Object.fromEntries(needed.map(each => [each.name, rightFor(each.shape)]))
      inKeys([key], at, inner => wrap({ type: variant.value, ...siblings, ...inner }), add)
    }
    add(`${at}.?`, wrap({ type: variant.value, [text]: mark }), 1)
  }
}

/** Values that are wrong for a shape, whatever is around them. */
function wrongFor(shape: Shape): readonly Json[] {
  switch (shape.kind) {
    case 'text':
      return [null, true, '', ...(shape.format?.noNumber === true ? [5] : []), list, mapping]
    case 'boolean':
      return [null, text, 1, list, mapping]
    case 'number':
      return [
        null,
        text,
        true,
        ...(shape.whole ? [1.5] : []),
        ...(shape.min === undefined ? [] : [-7]),
        list,
        mapping,
      ]
    case 'duration':
      return [null, text, true, -7.5, '0s', '0.0h', list, mapping]
    case 'size':
      return [null, text, true, -7.5, '0MB', '1h', list, mapping]
    case 'rate':
    case 'percent':
    case 'amount':
    case 'threshold':
      return [null, text, true, -7.5, list, mapping]
    case 'step':
      return [null, text, true, 0, -7.5, '0s', list, mapping]
    case 'choice':
      return [null, text, 7.5, list, mapping]
    case 'scalar':
      return [list, mapping]
    case 'bound':
      return [null, true, list, mapping]
    case 'any':
      return []
    case 'rows':
      return [null, true, 7.5, mapping, list]
    case 'list':
      return [
        mapping,
        ...(shape.orOne === true ? [] : [text, 7.5, true]),
        ...(shape.notEmpty === true ? [[]] : []),
      ]
    case 'record':
      return [text, 7.5, list, ...(shape.notEmpty === true ? [{}] : [])]
    case 'object':
    case 'variants':
      return [text, 7.5, list]
    case 'shorthand':
      return shape.keys.length > 0 ? [list] : [list, text]
  }
}

/** Some value that fits. */
function rightFor(shape: Shape): Json {
  switch (shape.kind) {
    case 'text':
      return shape.sql === 'template' ? 'SELECT 1 AS id' : shape.format === linkFormat ? 'https://a.b' : 'id'
    case 'boolean':
      return true
    case 'number':
      return Math.max(1, shape.min ?? 1)
    case 'duration':
    case 'step':
      return '1h'
    case 'rate':
      return '1/s'
    case 'size':
      return '64MB'
    case 'percent':
      return '50%'
    case 'amount':
      return 1
    case 'threshold':
      return '> 1'
    case 'choice':
      return shape.choices.find(isBuilt)?.value ?? ''
    case 'scalar':
    case 'bound':
    case 'any':
      return 1
    case 'rows':
      return [{ id: 1 }]
    case 'list':
      return [rightFor(shape.of)]
    case 'record':
      return { some_key: rightFor(shape.of) }
    case 'object':
      return Object.fromEntries(
        shape.keys.filter(key => key.required).map(key => [key.name, rightFor(key.shape)]),
      )
    case 'variants':
      return { type: shape.variants.find(isBuilt)?.value ?? '' }
    case 'shorthand':
      return rightFor(shape.of)
  }
}
