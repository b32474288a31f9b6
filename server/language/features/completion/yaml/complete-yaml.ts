/** Completion in YAML: missing keys, valid values, and names of the project. */
import type { RecordShape, Shape } from '../../../schema/shape.ts'
import type { NodePath } from '../../../syntax/node.ts'
import { cteColumns, outputColumns } from '../../known-columns.ts'
import { outlineAt, scalarText } from '../../yaml/outline-spot.ts'
import { mappingOf, shapeAt } from '../../yaml/shape-at.ts'
import { type Completion, noCompletion, sortKey } from '../completion.ts'
import { keyItems } from './key-items.ts'
import { namedValues, recordNames } from './named-values.ts'
import { skeletons } from './skeletons.ts'
import { valueItems } from './value-items.ts'
import { inYaml, keysBeside, type YamlAsk, type YamlItem } from './yaml-offer.ts'

export function completeYaml(ask: YamlAsk): Completion {
  // A multi-line scalar is prose.
  const { text, word } = ask.spot
  if (/[\r\n]/.test(text.slice(word.start, word.end))) return noCompletion
  const items = itemsAt(ask).map(item => inYaml(ask, item))
  return { items, isIncomplete: false }
}

function itemsAt(ask: YamlAsk): readonly YamlItem[] {
  const { spot, root, typeAt } = ask
  const place = shapeAt(root, spot.path, typeAt)
  if (place === undefined) return rowColumns(ask)
  if (spot.role === 'value') return valuesAt(ask, place.shape, spot.path, place.key)
  const keys = keysAt(ask, place.shape, spot.path)
  if (spot.role === 'key') return [...keys, ...wholeFile(ask)]
  return [...keys, ...valuesBelow(ask, place.shape, place.key), ...wholeFile(ask)]
}

type Key = Parameters<typeof valueItems>[2]

function valuesAt(ask: YamlAsk, shape: Shape, path: NodePath, key: Key): readonly YamlItem[] {
  const listed = listedBeside(ask)
  return [...namedValues(ask, path, key), ...valueItems(ask, shape, key)].filter(
    item => !listed.has(item.label),
  )
}

/** Returns the values that the list around the cursor already has. */
function listedBeside({ spot }: YamlAsk): ReadonlySet<string> {
  const list = typeof spot.path.at(-1) === 'number' ? outlineAt(spot.root, spot.path.slice(0, -1)) : undefined
  if (list?.kind !== 'list') return new Set()
  const others = list.items.filter(item => item !== spot.scalar)
  return new Set(others.flatMap(item => scalarText(spot.probed, item) ?? []))
}

function keysAt(ask: YamlAsk, shape: Shape, path: NodePath): readonly YamlItem[] {
  if (shape.kind === 'rows' || shape.kind === 'any') return rowColumns(ask)
  const mapping = mappingOf(shape)
  if (mapping !== undefined) return keyItems(ask, mapping, path)
  return shape.kind === 'record' ? recordItems(ask, shape, path) : []
}

/** Offers values for a word alone below a key: a list item without its dash, or a value. */
function valuesBelow(ask: YamlAsk, shape: Shape, key: Key): readonly YamlItem[] {
  const { path } = ask.spot
  const isItem = typeof path.at(-1) === 'number'
  if (shape.kind !== 'list') return valuesAt(ask, shape, path, key)
  if (shape.of.kind === 'object' && !isItem) {
    return keyItems(ask, shape.of, path, '- ').map(item => ({ ...item, label: `- ${item.label}` }))
  }
  const values = valuesAt(ask, shape.of, path, key)
  return isItem ? values : values.map(item => ({ ...item, insert: `- ${item.insert}` }))
}

// ---------------------------------------------------------------- names as keys

function recordItems(ask: YamlAsk, shape: RecordShape, path: NodePath): readonly YamlItem[] {
  const written = keysBeside(ask)
  const hasColon = ask.spot.entry?.colon !== undefined
  return recordNames(ask, path, shape)
    .filter(({ name }) => !written.has(name))
    .map(({ name, detail, value }, index): YamlItem => {
      const behind = hasColon ? '' : behindName(shape.of, value)
      return {
        label: name,
        kind: shape.keyName === 'column' ? 'column' : 'value',
        ...(detail !== '' && { detail }),
        insert: `${name}${behind}`,
        ...(behind.includes('$') && { isSnippet: true, next: 'completion' }),
        sort: sortKey('a', index),
      }
    })
}

function behindName(of: Shape, value: string | undefined): string {
  if (value !== undefined) return `: ${value}`
  switch (of.kind) {
    case 'object':
      return ': {$1}$0'
    case 'list':
      return ': [$1]$0'
    case 'rows':
      return ': [{$1}]$0'
    default:
      return ': $0'
  }
}

/** Offers the keys of rows in a unit test: the columns of their table. */
function rowColumns(ask: YamlAsk): readonly YamlItem[] {
  const { spot, asset, knowledge } = ask
  if (asset === undefined || spot.role === 'value' || spot.path[0] !== 'tests') return []
  const [, , kind, part, input] = spot.path
  const of =
    kind !== 'unit' ? undefined : part === 'expect' ? asset : knowledge.project.byName.get(String(input))
  if (of === undefined) return []
  const cte = part === 'expect' ? expectedCte(ask) : undefined
  const ofCte = cte === undefined ? undefined : cteColumns(knowledge, of, cte)
  const columns = ofCte ?? outputColumns(knowledge, of)
  const written = keysBeside(ask)
  return columns
    .filter(({ name }) => !written.has(name))
    .map(({ name, type }, index): YamlItem => {
      const insert = spot.entry?.colon === undefined ? `${name}: ` : name
      return {
        label: name,
        kind: 'column',
        ...(type !== undefined && { detail: type }),
        insert,
        sort: sortKey('a', index),
      }
    })
}

/** Returns the CTE whose rows a unit test expects; undefined for the whole query. */
function expectedCte({ spot }: YamlAsk): string | undefined {
  const unit = spot.path.slice(0, spot.path.indexOf('unit') + 1)
  return scalarText(spot.probed, outlineAt(spot.root, [...unit, 'cte']))
}

function wholeFile(ask: YamlAsk): readonly YamlItem[] {
  const { spot, asset } = ask
  return asset !== undefined && spot.path.length === 0 ? skeletons(ask) : []
}
