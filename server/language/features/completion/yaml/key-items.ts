/** Offers the keys that a mapping may still have, each with the start of its value. */
import { isBuilt, type Key, type ObjectShape, type Shape, type VariantsShape } from '../../../schema/shape.ts'
import type { NodePath } from '../../../syntax/node.ts'
import { testKindNamed } from '../../../tests/index.ts'
import { placeholder } from '../../../text/snippet.ts'
import { keyDocumentation } from '../../schema-doc.ts'
import { keysOf } from '../../yaml/shape-at.ts'
import { sortKey } from '../completion.ts'
import { indentBehind, keysBeside, type YamlAsk, type YamlItem } from './yaml-offer.ts'

/**
 * Returns the items. `path` leads to the mapping. `dash` means that the keys start list items whose dash is
 * not written yet.
 */
export function keyItems(
  ask: YamlAsk,
  shape: ObjectShape | VariantsShape,
  path: NodePath,
  dash = '',
): readonly YamlItem[] {
  const written = keysBeside(ask)
  const left = keysOf(shape, path, ask.typeAt).filter(
    key => !written.has(key.name) && !isExcluded(shape, key, written),
  )
  return left.map((key, index) => keyItem(ask, key, index, dash))
}

/** Returns whether the key is excluded by another one, where exactly one of several keys is allowed. */
function isExcluded(shape: ObjectShape | VariantsShape, key: Key, written: ReadonlySet<string>): boolean {
  if (shape.kind !== 'object' || shape.exactlyOne === undefined) return false
  const { keys } = shape.exactlyOne
  return keys.includes(key.name) && keys.some(other => written.has(other))
}

function keyItem(ask: YamlAsk, key: Key, index: number, dash: string): YamlItem {
  const hasColon = ask.spot.entry?.colon !== undefined
  const isTest = ask.root.keys.some(each => each.name === 'tests') && ask.spot.path[0] === 'tests'
  const special = isTest && ask.spot.path.length <= 2 ? testKindNamed(key.name)?.snippet : undefined
  const { text, next } =
    special === undefined ? behindKey(ask, key.shape, dash.length) : { text: special, next: false }
  const group = key.required === true ? 'a' : 'b'
  return {
    label: key.name,
    kind: 'key',
    ...(key.required === true && { detail: 'required' }),
    documentation: keyDocumentation(key),
    insert: `${dash}${key.name}${hasColon ? '' : shifted(ask, text, special === undefined ? '' : dash)}`,
    ...(!hasColon && { isSnippet: true }),
    ...(next && !hasColon && { next: 'completion' as const }),
    filter: key.name,
    sort: sortKey(group, index),
  }
}

/** Indents the snippet of a test, which is written for a key in column 0. */
function shifted(ask: YamlAsk, text: string, dash: string): string {
  return text.replaceAll('\n', `\n${indentBehind(ask, dash.length)}`)
}

interface Behind {
  readonly text: string
  /** Whether completion is requested again after insertion. */
  readonly next: boolean
}

/** Returns the text after the name of a key, from the colon on. */
function behindKey(ask: YamlAsk, shape: Shape, dashLength: number): Behind {
  const inner = ask.spot.flow ? '' : `\n${indentBehind(ask, 2 + dashLength)}`
  switch (shape.kind) {
    case 'object':
    case 'variants':
    case 'record':
      return { text: ask.spot.flow ? ': {$1}$0' : `:${inner}$0`, next: true }
    case 'list':
      return behindList(ask, shape.of, shape.orOne === true, inner)
    case 'shorthand': {
      const short =
        shape.of.kind === 'variants' ? undefined : shape.of.keys.find(key => key.name === shape.keys[0])
      if (short?.shape.kind === 'text') return behindKey(ask, short.shape, dashLength)
      const isLarge =
        shape.of.kind === 'variants' && shape.of.variants.filter(isBuilt).some(each => each.keys.length > 8)
      return isLarge && !ask.spot.flow
        ? { text: `:${inner}type: $0`, next: true }
        : { text: ': $0', next: true }
    }
    case 'text':
      return shape.sql !== undefined && !ask.spot.flow && shape.sql === 'template'
        ? { text: `: |${inner}$0`, next: false }
        : { text: ': $0', next: true }
    case 'rows':
      return { text: ask.spot.flow ? ': [{$1}]$0' : `:${inner}- {$0}`, next: true }
    default:
      return { text: ': $0', next: !['any', 'scalar', 'bound'].includes(shape.kind) }
  }
}

function behindList(ask: YamlAsk, of: Shape, orOne: boolean, inner: string): Behind {
  if (of.kind === 'object' && !ask.spot.flow) return { text: `:${inner}- $0`, next: true }
  if (of.kind === 'object' || of.kind === 'record') return { text: `: [{$1}]$0`, next: true }
  return orOne ? { text: ': $0', next: true } : { text: `: [${placeholder(1)}]$0`, next: true }
}
