/** What the parts of completion in YAML have in common: the place, and how a text is written there. */
import type { Asset } from '../../../project/project.ts'
import type { ObjectShape } from '../../../schema/shape.ts'
import type { NodePath } from '../../../syntax/node.ts'
import type { Knowledge } from '../../knowledge.ts'
import { lineStart } from '../../line-start.ts'
import { type OutlineSpot, outlineAt, scalarText } from '../../yaml/outline-spot.ts'
import type { TypeAt } from '../../yaml/shape-at.ts'
import type { CompletionItem } from '../completion.ts'

export interface YamlAsk {
  readonly knowledge: Knowledge
  readonly path: string
  /** Undefined: not an asset file. */
  readonly asset: Asset | undefined
  readonly root: ObjectShape
  readonly spot: OutlineSpot
  readonly typeAt: TypeAt
}

export type YamlItem = Omit<CompletionItem, 'range'>

export function yamlAsk(knowledge: Knowledge, path: string, root: ObjectShape, spot: OutlineSpot): YamlAsk {
  const typeAt = (at: NodePath): string | undefined =>
    scalarText(spot.probed, outlineAt(spot.root, [...at, 'type'])) ?? shortType(spot, at)
  return { knowledge, path, asset: knowledge.project.assets.get(path), root, spot, typeAt }
}

/** `ingest: file` is short for a mapping with that type. */
function shortType(spot: OutlineSpot, at: NodePath): string | undefined {
  return scalarText(spot.probed, outlineAt(spot.root, at))
}

/** Puts an item in the place of the word at the cursor. */
export function inYaml({ spot }: YamlAsk, item: YamlItem): CompletionItem {
  const { text, word } = spot
  // Right behind a colon or dash a space is missing.
  const needsSpace =
    word.start === word.end && /[:-]/.test(text[word.start - 1] ?? '') && !isWordBefore(text, word.start)
  return { ...item, insert: needsSpace ? ` ${item.insert}` : item.insert, range: word }
}

function isWordBefore(text: string, at: number): boolean {
  return text[at - 1] === '-' && /\w/.test(text[at - 2] ?? '')
}

/**
 * Spaces that a line needs beyond the indentation of the line of the cursor so that it stands `deeper` columns behind
 * the word there. Editors add the line's own indentation.
 */
export function indentBehind({ spot }: YamlAsk, deeper: number): string {
  const { text, word } = spot
  const start = lineStart(text, word.start)
  const own = /^ */.exec(text.slice(start))?.[0].length ?? 0
  return ' '.repeat(Math.max(0, word.start - start - own) + deeper)
}

/** A value as it may stand at the cursor: with quotes where YAML would take it for something else. */
export function writtenValue({ spot }: YamlAsk, value: string): string {
  const style = spot.scalar?.style
  if (style === 'single') return value.replaceAll("'", "''")
  if (style === 'double') return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
  const isPlain = spot.flow ? /^[\w./@%+-][\w .:/@%+()-]*$/ : /^[\w./@%+][\w .:/@%+(),[\]-]*$/
  const isSafe = isPlain.test(value) && !/:(\s|$)|\s#|\s$/.test(value) && !/^[%@-]/.test(value)
  return isSafe ? value : `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
