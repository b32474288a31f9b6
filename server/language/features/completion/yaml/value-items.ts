/** Offers values that the schema knows: choices, booleans, durations and the like, and flow mappings. */
import {
  type Choice,
  isBuilt,
  type Key,
  type ObjectShape,
  type Shape,
  type Variant,
} from '../../../schema/shape.ts'
import { placeholder } from '../../../text/snippet.ts'
import { withCode } from '../../markdown.ts'
import { shortOf } from '../../yaml/shape-at.ts'
import { sortKey } from '../completion.ts'
import { valueItem, type YamlAsk, type YamlItem } from './yaml-offer.ts'

/** Offers values of this shape. */
export function valueItems(ask: YamlAsk, shape: Shape, key: Key | undefined): readonly YamlItem[] {
  const short = shortOf(shape)
  switch (short.kind) {
    case 'choice':
      return [...choiceItems(ask, shape, short, key), ...mappingItems(ask, shape)]
    case 'text':
      return wordItems(ask, short.words ?? [], key)
    case 'boolean':
      return plainItems(ask, ['true', 'false'], key)
    case 'duration':
      return exampleItems(ask, durationsFor(key), key)
    case 'rate':
    case 'size':
    case 'percent':
    case 'amount':
    case 'step':
    case 'threshold':
      return exampleItems(ask, examples[short.kind], key)
    case 'number':
      return typeof key?.default === 'number' ? plainItems(ask, [String(key.default)], key) : []
    case 'list':
      return shape.kind === 'list' && shape.orOne === true ? valueItems(ask, shape.of, key) : []
    default:
      return mappingItems(ask, shape)
  }
}

const examples = {
  rate: ['1/s', '10/s', '100/m'],
  size: ['512MB', '1GB', '2GB'],
  percent: ['10%', '50%', '100%'],
  amount: ['0', '10', '1%'],
  step: ['1d', '7d', '30d'],
  threshold: ['> 0', '> 10', '>= 1', '= 0'],
} as const

function durationsFor(key: Key | undefined): readonly string[] {
  if (key?.name === 'time') return ['2s', '5s', '10s']
  return key?.name === 'timeout' ? ['10s', '30s', '60s', '5m'] : ['30m', '1h', '12h', '24h', '7d']
}

function choiceItems(
  ask: YamlAsk,
  shape: Shape,
  { choices }: Shape & { kind: 'choice' },
  key: Key | undefined,
): readonly YamlItem[] {
  const built = choices.filter(isBuilt)
  return built.flatMap(({ value, doc }, index): YamlItem[] => {
    // A type that needs further keys is no value by itself.
    if (needsMore(shape, value)) return []
    const isDefault = key?.default === value
    const item = valueItem(ask, value, isDefault ? 'default' : '', sortKey('a', index))
    return [{ ...item, documentation: withCode(doc) }]
  })
}

/** Offers the words that a name may be instead. */
function wordItems(ask: YamlAsk, words: readonly Choice[], key: Key | undefined): readonly YamlItem[] {
  return words.map(({ value, doc }, index) => ({
    ...valueItem(ask, value, key?.default === value ? 'default' : '', sortKey('b', index)),
    documentation: withCode(doc),
  }))
}

function needsMore(shape: Shape, value: string): boolean {
  if (shape.kind !== 'shorthand' || shape.of.kind !== 'variants') return false
  const variant = shape.of.variants.find(each => each.value === value)
  return variant !== undefined && neededKeys(variant).length > 0
}

function neededKeys(variant: Variant): readonly Key[] {
  const required = variant.keys.filter(key => key.required === true)
  const [oneOf] = variant.exactlyOne?.keys ?? variant.atLeastOne ?? []
  return [...variant.keys.filter(key => key.name === oneOf), ...required]
}

function plainItems(ask: YamlAsk, values: readonly string[], key: Key | undefined): readonly YamlItem[] {
  return values.map((value, index) =>
    valueItem(ask, value, String(key?.default) === value ? 'default' : '', sortKey('a', index)),
  )
}

function exampleItems(ask: YamlAsk, values: readonly string[], key: Key | undefined): readonly YamlItem[] {
  const own =
    typeof key?.default === 'string' || typeof key?.default === 'number' ? [String(key.default)] : []
  const all = [...new Set([...own, ...values])]
  return all.map((value, index) =>
    valueItem(ask, value, own.includes(value) ? 'default' : 'for example', sortKey('a', index)),
  )
}

// ---------------------------------------------------------------- mappings in one line

/** Offers `{type: file, endpoint: …, resource: …}` for each type that needs more than its name. */
function mappingItems(ask: YamlAsk, shape: Shape): readonly YamlItem[] {
  const isEmpty = ask.spot.role === 'value' && ask.spot.scalar?.style === 'plain'
  if (!isEmpty) return []
  if (shape.kind === 'object') return [objectItem(shape)]
  const variants = shape.kind === 'shorthand' && shape.of.kind === 'variants' ? shape.of : shape
  if (variants.kind !== 'variants') return []
  return variants.variants.filter(isBuilt).flatMap((variant, index): YamlItem[] => {
    const needed = neededKeys(variant)
    if (needed.length === 0) return []
    return [
      {
        label: variant.value,
        kind: 'snippet',
        detail: `{type: ${variant.value}, …}`,
        documentation: withCode(variant.doc),
        insert: `{type: ${variant.value}, ${holes(needed)}}$0`,
        isSnippet: true,
        sort: sortKey('b', index),
      },
    ]
  })
}

function objectItem(shape: ObjectShape): YamlItem {
  const needed = shape.keys.filter(key => isBuilt(key) && key.required === true)
  const label = `{${needed.length > 0 ? needed.map(key => key.name).join(', ') : '…'}}`
  return {
    label,
    kind: 'snippet',
    insert: needed.length > 0 ? `{${holes(needed)}}$0` : '{$1}$0',
    isSnippet: true,
    sort: sortKey('h'),
    filter: '{',
    next: 'completion',
  }
}

function holes(keys: readonly Key[]): string {
  return keys
    .map(({ name, shape }, index) => {
      const inner = shape.kind === 'list' ? `[{${placeholder(index + 1)}}]` : placeholder(index + 1)
      return `${name}: ${inner}`
    })
    .join(', ')
}
