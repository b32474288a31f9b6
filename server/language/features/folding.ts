/** Finds folding ranges: YAML blocks, multi-line CTEs and brackets of SQL, comments. */
import type { Engine } from '../engines/engine.ts'
import type { Asset } from '../project/project.ts'
import type { Node } from '../syntax/node.ts'
import { lineIndex } from '../text/lines.ts'
import type { Range } from '../text/range.ts'
import { fileText } from './file-text.ts'
import type { Knowledge } from './knowledge.ts'
import { sqlBlocks } from './sql/sql-blocks.ts'
import { bracketsIn } from './sql/sql-brackets.ts'
import { blockTokens } from './sql/sql-tokens.ts'

export interface Folding {
  /** A 1-based line; it stays visible. */
  readonly firstLine: number
  readonly lastLine: number
  readonly kind: 'region' | 'comment'
}

export function foldings(knowledge: Knowledge, path: string): readonly Folding[] {
  const { assets, engine } = knowledge.project
  const asset = assets.get(path)
  const file = fileText(knowledge, path)
  if (file === undefined) return []
  const ranges = [...yamlRanges(file.tree), ...(asset === undefined ? [] : sqlRanges(asset, engine))]
  const regions = ranges.map(range => ({ range, kind: 'region' as const }))
  const comments = commentRanges(file.text, asset, engine).map(range => ({ range, kind: 'comment' as const }))
  return inLines(file.text, [...regions, ...comments])
}

/** Keeps the outermost of several ranges with the same first line. */
function inLines(
  text: string,
  ranges: readonly { readonly range: Range; readonly kind: Folding['kind'] }[],
): readonly Folding[] {
  const lines = lineIndex(text)
  const byLine = new Map<number, Folding>()
  for (const { range, kind } of ranges) {
    const firstLine = lines.position(range.start).line
    const end = range.start + text.slice(range.start, range.end).trimEnd().length
    const lastLine = lines.position(end).line
    const known = byLine.get(firstLine)
    if (lastLine <= firstLine || (known !== undefined && known.lastLine >= lastLine)) continue
    byLine.set(firstLine, { firstLine, lastLine, kind })
  }
  return [...byLine.values()].sort((a, b) => a.firstLine - b.firstLine)
}

function yamlRanges(node: Node | undefined): readonly Range[] {
  if (node?.kind === 'sequence') return node.items.flatMap(item => [item.range, ...yamlRanges(item)])
  if (node?.kind !== 'map') return []
  return node.entries.flatMap(({ key, value }) =>
    value === undefined ? [] : [{ start: key.range.start, end: value.range.end }, ...yamlRanges(value)],
  )
}

/** Returns the ranges of brackets; the closing one stays visible. */
function sqlRanges(asset: Asset, { grammar }: Engine): readonly Range[] {
  return sqlBlocks(asset).flatMap(block =>
    bracketsIn(block.text, blockTokens(block, grammar)).map(({ start, end, closed }) =>
      block.toFile.rangeToOriginal({ start, end: closed ? end - 1 : end }),
    ),
  )
}

/** Returns runs of comment lines in YAML and in SQL, and block comments. */
function commentRanges(text: string, asset: Asset | undefined, { grammar }: Engine): readonly Range[] {
  const blocks = asset === undefined ? [] : sqlBlocks(asset)
  const inSql = blocks.flatMap(block =>
    together(
      block.text,
      blockTokens(block, grammar).filter(token => token.kind === 'comment'),
    ).map(range => block.toFile.rangeToOriginal(range)),
  )
  const lines = Array.from(text.matchAll(/^[ \t]*#.*$/gm), match => ({
    start: match.index,
    end: match.index + match[0].length,
  })).filter(line => !blocks.some(block => line.start >= block.range.start && line.end <= block.range.end))
  return [...inSql, ...together(text, lines)]
}

/** Merges neighbours with only white space between them. */
function together(text: string, ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = []
  for (const range of ranges) {
    const last = merged.at(-1)
    if (last !== undefined && text.slice(last.end, range.start).trim() === '')
      merged[merged.length - 1] = { start: last.start, end: range.end }
    else merged.push({ start: range.start, end: range.end })
  }
  return merged
}
