/** The context that all parts of YAML completion share, and the functions that write text at the cursor. */
import type { Asset } from '../../../project/project.ts'
import type { ObjectShape } from '../../../schema/shape.ts'
import type { NodePath } from '../../../syntax/node.ts'
import { lineStart } from '../../../text/lines.ts'
import type { Knowledge } from '../../knowledge.ts'
import { type OutlineSpot, outlineAt, scalarText } from '../../yaml/outline-spot.ts'
import type { TypeAt } from '../../yaml/shape-at.ts'
import type { CompletionItem, CompletionKind } from '../completion.ts'

export interface YamlAsk {
  readonly knowledge: Knowledge
  readonly path: string
  /** Undefined for a file that is no asset. */
  readonly asset: Asset | undefined
  readonly root: ObjectShape
  readonly spot: OutlineSpot
  readonly typeAt: TypeAt
}

export type YamlItem = Omit<CompletionItem, 'range'>

export function yamlAsk(knowledge: Knowledge, path: string, root: ObjectShape, spot: OutlineSpot): YamlAsk {
  const textAt = (at: NodePath) => scalarText(spot.probed, outlineAt(spot.root, at))
  // `ingest: file` is short for a mapping with that type.
  const typeAt = (at: NodePath): string | undefined => textAt([...at, 'type']) ?? textAt(at)
  return { knowledge, path, asset: knowledge.project.assets.get(path), root, spot, typeAt }
}

/** Returns the keys that the mapping at the cursor has besides the one that is being written. */
export function keysBeside({ spot: { map, entry } }: YamlAsk): ReadonlySet<string> {
  return new Set(map?.entries.filter(each => each !== entry).map(each => each.key))
}

/** Makes an item that replaces the word at the cursor. */
export function inYaml({ spot }: YamlAsk, item: YamlItem): CompletionItem {
  const { text, word } = spot
  // A space must be added directly after a colon or dash.
  const needsSpace =
    word.start === word.end && /[:-]/.test(text[word.start - 1] ?? '') && !isWordBefore(text, word.start)
  return { ...item, insert: needsSpace ? ` ${item.insert}` : item.insert, range: word }
}

function isWordBefore(text: string, at: number): boolean {
  return text[at - 1] === '-' && /\w/.test(text[at - 2] ?? '')
}

/**
 * Returns the spaces that a new line needs beyond the indentation of the cursor's line to be `deeper` columns
 * right of the word. Editors add the line's own indentation.
 */
export function indentBehind({ spot }: YamlAsk, deeper: number): string {
  const { text, word } = spot
  const start = lineStart(text, word.start)
  const own = /^ */.exec(text.slice(start))?.[0].length ?? 0
  return ' '.repeat(Math.max(0, word.start - start - own) + deeper)
}

/** Makes an item that writes a value; `detail` is '' for none. */
export function valueItem(
  ask: YamlAsk,
  value: string,
  detail: string,
  sort: string,
  kind: CompletionKind = 'value',
): YamlItem {
  return { label: value, kind, ...(detail !== '' && { detail }), insert: writtenValue(ask, value), sort }
}

/** Returns a value as it may stand at the cursor, quoted if YAML would read it as something else. */
export function writtenValue({ spot }: YamlAsk, value: string): string {
  const style = spot.scalar?.style
  if (style === 'single') return value.replaceAll("'", "''")
  if (style === 'double') return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  const isPlain = spot.flow ? /^[\w./@%+-][\w .:/@%+()-]*$/ : /^[\w./@%+][\w .:/@%+(),[\]-]*$/
  const isSafe = isPlain.test(value) && !/:(\s|$)|\s#|\s$/.test(value) && !/^[%@-]/.test(value)
  return isSafe ? value : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
