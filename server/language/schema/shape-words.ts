/** Says in words what a value of the schema is, for the reference page and for `svc explain`. Markdown. */
import {
  firstVersion,
  isBuilt,
  type Key,
  type ObjectShape,
  type Shape,
  type Variant,
  type VariantsShape,
} from './shape.ts'

export function typeOf(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
      if (shape.words !== undefined)
        return `${shape.words.map(each => code(each.value)).join(', ')}, or a name`
      return shape.sql === undefined ? 'text' : 'SQL'
    case 'boolean':
      return '`true` or `false`'
    case 'number':
      return shape.whole ? 'whole number' : 'number'
    case 'duration':
      return 'duration (`90s`, `30m`, `12h`, `7d`)'
    case 'rate':
      return 'rate (`10/s`, `100/m`)'
    case 'size':
      return 'size (`512MB`, `2GB`)'
    case 'percent':
      return 'percentage (`50%`)'
    case 'amount':
      return 'whole number or percentage (`10`, `1%`)'
    case 'threshold':
      return 'comparison (`"> 10"`)'
    case 'choice':
      return shape.choices
        .filter(isBuilt)
        .map(each => code(each.value))
        .join(', ')
    case 'scalar':
      return 'single value'
    case 'step':
      return 'duration, or whole number'
    case 'bound':
      return 'number or text'
    case 'any':
      return 'any value'
    case 'rows':
      return 'list of mappings, or CSV text'
    case 'list':
      return shape.orOne === true ? `${typeOf(shape.of)}, or a list` : `list of ${pluralOf(shape.of)}`
    case 'record':
      return `mapping: ${shape.keyName} → ${typeOf(shape.of)}`
    case 'object':
    case 'variants':
      return 'mapping'
    case 'shorthand':
      return shortTypeOf(shape.of, shape.keys[0] ?? '')
  }
}

function pluralOf(shape: Shape): string {
  return shape.kind === 'object' || shape.kind === 'record' ? 'mappings' : typeOf(shape)
}

function shortTypeOf(shape: ObjectShape | VariantsShape, key: string): string {
  if (shape.kind === 'variants') return 'a type, or a mapping'
  const short = shape.keys.find(each => each.name === key)
  return short === undefined ? 'mapping' : `${typeOf(short.shape)}, or a mapping`
}

export function docOf(key: Key): string {
  return key.since === undefined || key.since === firstVersion ? key.doc : `${key.doc} Since ${key.since}.`
}

export function defaultOf(key: Key): string {
  if (key.defaultDoc !== undefined) return code(key.defaultDoc)
  const { default: value } = key
  const isPlain = value !== undefined && (typeof value !== 'object' || value === null)
  return isPlain ? code(String(value)) : ''
}

export function code(text: string): string {
  return `\`${text}\``
}

/** Says which keys of a mapping there must be: `Each has one` kind of them, or `Exactly one of` those that are named. */
export function constraint(
  { exactlyOne, atLeastOne }: ObjectShape | Variant,
  words: 'Each has one' | 'Exactly one of',
): string[] {
  if (exactlyOne !== undefined) {
    const what = words === 'Each has one' ? exactlyOne.what : exactlyOne.keys.map(code).join(', ')
    return [`${words} ${what}.`]
  }
  return atLeastOne === undefined ? [] : [`At least one of ${atLeastOne.map(code).join(', ')}.`]
}

export function shortForm(shape: ObjectShape | VariantsShape, keys: readonly string[]): string {
  const what =
    shape.kind === 'variants'
      ? 'the type alone'
      : `a single value, which is then ${keys.map(code).join(', ')}`
  return `Short form: ${what}.`
}

/** Returns the keys that several types have, which are described once. */
export function sharedKeys(shape: VariantsShape): Key[] {
  const counts = new Map<Key, number>()
  for (const key of shape.variants.flatMap(variant => variant.keys))
    counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > 1).map(([key]) => key)
}
