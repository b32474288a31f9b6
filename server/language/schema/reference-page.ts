/** Generates the Markdown reference of every key from the description that also validates. */
import { assetShape } from './asset-schema.ts'
import { glossaryShape } from './glossary-schema.ts'
import { settingsShape } from './settings-schema.ts'
import { type Choice, isBuilt, type Key, type ObjectShape, type Shape, type VariantsShape } from './shape.ts'
import { code, constraint, defaultOf, docOf, sharedKeys, shortForm, typeOf } from './shape-words.ts'

export function referencePage(): string {
  return [
    '# Reference',
    '',
    'Every key of an asset file, of `svc.yaml` and of `glossary.yaml`. `svc explain <key>` shows one of them in the terminal (`svc explain contract`, `svc explain ingest.auth`); `svc schema asset`, `svc schema settings` and `svc schema glossary` print the same as JSON Schema. What names mean, and how they are found, is in [names](names.md).',
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

function heading(depth: number): string {
  return '#'.repeat(Math.min(depth, 6))
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
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
      return [...closed(constraint(shape, 'Each has one')), ...section(path, shape, depth + 1)]
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

/** Ends what a page has by an empty line, where it has it. */
function closed(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [...lines, '']
}

function variantSections(path: string, shape: VariantsShape, depth: number): string[] {
  const shared = sharedKeys(shape)
  const variants = shape.variants.flatMap(variant => {
    if (!isBuilt(variant)) return []
    const own = variant.keys.filter(key => !shared.includes(key))
    const needs = closed(constraint(variant, 'Exactly one of'))
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
