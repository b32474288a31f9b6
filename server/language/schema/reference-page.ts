/** Generates the Markdown reference of every key from the description that also validates. */
import { assetShape } from './asset-schema.ts'
import { glossaryShape } from './glossary-schema.ts'
import { settingsShape } from './settings-schema.ts'
import {
  type Choice,
  firstVersion,
  isBuilt,
  type Key,
  type ObjectShape,
  type Shape,
  type Variant,
  type VariantsShape,
} from './shape.ts'

export function referencePage(): string {
  return [
    '# Reference',
    '',
    'Every key of an asset file, of `svc.yaml` and of `glossary.yaml`. `svc schema asset`, `svc schema settings` and `svc schema glossary` print the same as JSON Schema. What names mean, and how they are found, is in [names](names.md).',
    '',
    '# Asset file (`.svc`)',
    '',
    ...section('', assetShape, 2),
    '# Project settings (`svc.yaml`)',
    '',
    ...section('', settingsShape, 2),
    '# Glossary (`glossary.yaml`)',
    '',
    ...section('', glossaryShape, 2),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

/** Writes a table of the keys and their values, and a section for each key that has keys of its own. */
function section(at: string, shape: ObjectShape, depth: number): string[] {
  return [...keyTable(shape.keys), ...shape.keys.filter(isBuilt).flatMap(key => below(at, key, depth))]
}

export function keyTable(keys: readonly Key[]): string[] {
  const built = keys.filter(isBuilt)
  const later = keys.filter(key => !isBuilt(key)).map(key => `\`${key.name}\``)
  const rows = built.map(
    key =>
      `| ${code(key.name)}${key.required === true ? ' (required)' : ''} | ${typeOf(key.shape)} | ${defaultOf(key)} | ${cell(docOf(key))} |`,
  )
  return [
    ...(rows.length === 0 ? [] : ['| key | value | default | meaning |', '|---|---|---|---|', ...rows, '']),
    ...(later.length === 0 ? [] : [`Not built yet, and refused: ${later.join(', ')}.`, '']),
  ]
}

function docOf(key: Key): string {
  return key.since === undefined || key.since === firstVersion ? key.doc : `${key.doc} Since ${key.since}.`
}

function defaultOf(key: Key): string {
  if (key.defaultDoc !== undefined) return code(key.defaultDoc)
  const { default: value } = key
  const isPlain = value !== undefined && (typeof value !== 'object' || value === null)
  return isPlain ? code(String(value)) : ''
}

function heading(depth: number): string {
  return '#'.repeat(Math.min(depth, 6))
}

function code(text: string): string {
  return `\`${text}\``
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function typeOf(shape: Shape): string {
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

/** Writes the section of a key whose value has keys or choices. */
function below(at: string, key: Key, depth: number): string[] {
  const path = at === '' ? key.name : `${at}.${key.name}`
  const lines = belowShape(path, key.shape, depth)
  return lines.length === 0 ? [] : [`${heading(depth)} ${code(path)}`, '', docOf(key), '', ...lines]
}

function belowShape(path: string, shape: Shape, depth: number): string[] {
  switch (shape.kind) {
    case 'text':
      return shape.words === undefined ? [] : [...shape.words.map(wordLine), '']
    case 'choice':
      return shape.choices
        .map(each => `- ${code(each.value)}: ${each.doc}${isBuilt(each) ? '' : ' Not built yet.'}`)
        .concat('')
    case 'object':
      return [
        ...constraint(shape, `Each has one ${shape.exactlyOne?.what}.`),
        ...section(path, shape, depth + 1),
      ]
    case 'variants':
      return variantSections(path, shape, depth + 1)
    case 'list':
      return belowShape(`${path}[]`, shape.of, depth)
    case 'record':
      return belowShape(`${path}.<${shape.keyName}>`, shape.of, depth)
    case 'shorthand':
      return [shortForm(shape.of, shape.keys), '', ...belowShape(path, shape.of, depth)]
    default:
      return []
  }
}

function wordLine({ value, doc }: Choice): string {
  return `- ${code(value)}: ${doc}`
}

function constraint({ exactlyOne, atLeastOne }: ObjectShape | Variant, one: string): string[] {
  if (exactlyOne !== undefined) return [one, '']
  return atLeastOne === undefined ? [] : [`At least one of ${atLeastOne.map(code).join(', ')}.`, '']
}

function shortForm(shape: ObjectShape | VariantsShape, keys: readonly string[]): string {
  const what =
    shape.kind === 'variants'
      ? 'the type alone'
      : `a single value, which is then ${keys.map(code).join(', ')}`
  return `Short form: ${what}.`
}

function variantSections(path: string, shape: VariantsShape, depth: number): string[] {
  const shared = sharedKeys(shape)
  const variants = shape.variants.flatMap(variant => {
    if (!isBuilt(variant)) return []
    const own = variant.keys.filter(key => !shared.includes(key))
    const exactly = variant.exactlyOne?.keys.map(code).join(', ')
    const needs = constraint(variant, `Exactly one of ${exactly}.`)
    const title = `${heading(depth)} ${code(path)} with ${code(`type: ${variant.value}`)}`
    return [title, '', variant.doc, '', ...needs, ...section(path, { kind: 'object', keys: own }, depth + 1)]
  })
  const later = shape.variants.filter(variant => !isBuilt(variant)).map(variant => code(variant.value))
  const common =
    shared.length === 0
      ? []
      : [
          `${heading(depth)} ${code(path)}: keys of several types`,
          '',
          ...section(path, { kind: 'object', keys: shared }, depth + 1),
        ]
  return [
    ...variants,
    ...common,
    ...(later.length === 0 ? [] : [`Not built yet, and refused: ${later.join(', ')}.`, '']),
  ]
}

/** Returns the keys that several types have, which are described once. */
function sharedKeys(shape: VariantsShape): Key[] {
  const counts = new Map<Key, number>()
  for (const key of shape.variants.flatMap(variant => variant.keys))
    counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > 1).map(([key]) => key)
}
