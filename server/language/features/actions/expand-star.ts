/** A code action that replaces a star by its columns. */
import type { Asset } from '../../project/project.ts'
import type { BoundSelect, BoundTable, Column } from '../../sql/binder/model.ts'
import type { SelectItem, Star } from '../../sql/tree.ts'
import { isWithin } from '../../text/range.ts'
import type { Knowledge } from '../knowledge.ts'
import { fileRange, isTransform, textIn } from '../names/mentions.ts'
import { type BoundBlock, boundBlocks } from '../sql/bound-sql.ts'
import { type CodeAction, plainAction } from './code-action.ts'

export function expandStar(knowledge: Knowledge, asset: Asset, offset: number): readonly CodeAction[] {
  const place = starAt(knowledge, asset, offset)
  if (place === undefined) return []
  const { named, select, columns, star, range } = place
  // A table whose columns are not all known may have others too.
  const isKnown = select.tables.every(table => table.open === undefined)
  if (!isKnown || columns.some(column => column.spread)) return []
  if (isTransform(named) && knowledge.analysis.of(asset.name)?.complete !== true) return []
  const written = columns.map(column => writtenColumn(named, column, star, select))
  const { style } = named.block.node
  const newText = written.join(separator(asset.text, range.start, style === 'literal' && written.length > 3))
  const breaksQuotes =
    (style === 'double' && /["\\]/.test(newText)) || (style === 'single' && newText.includes("'"))
  if (written.includes(undefined) || breaksQuotes) return []
  const title = `Write out the ${written.length} columns of ${textIn(named, { start: star.start, end: star.mark.end })}`
  return [plainAction(title, 'refactor.rewrite', [{ path: asset.path, range, newText }])]
}

/** `range`: the range in the file. */
function starAt(knowledge: Knowledge, asset: Asset, offset: number) {
  for (const named of boundBlocks(knowledge, asset)) {
    if (!isWithin(named.block.range, offset)) continue
    for (const select of named.bound.selects) {
      for (const { item, columns } of select.items) {
        const star = plainStar(item)
        if (star === undefined || columns.length === 0) continue
        const range = fileRange(named, item)
        if (isWithin(range, offset)) return { named, select, columns, star, range }
      }
    }
  }
  return undefined
}

/** Returns the star of `*` or `t.*`; COLUMNS and REPLACE are left to the user. */
function plainStar({ expression }: SelectItem): Star | undefined {
  const isPlain =
    expression.kind === 'star' && expression.pattern === undefined && expression.replace.length === 0
  return isPlain ? expression : undefined
}

function writtenColumn(
  named: BoundBlock,
  column: Column,
  star: Star,
  { tables }: BoundSelect,
): string | undefined {
  const { maker } = column
  if (maker.kind !== 'star' && maker.kind !== 'named') return undefined
  const source = maker.of
  if (source === undefined || source.name === '') return undefined
  const name = named.engine.quoteIfNeeded(source.name)
  const qualifier = starQualifier(named, star) ?? qualifierOf(named, source, tables)
  if (qualifier === undefined) return undefined
  const written = qualifier === '' ? name : `${qualifier}.${name}`
  return maker.kind === 'named' ? `${written} AS ${named.engine.quoteIfNeeded(column.name)}` : written
}

/** Returns the qualifier as it is written before the asterisk. */
function starQualifier(named: BoundBlock, { tag, qualifier }: Star): string | undefined {
  const [first, last] = [tag ?? qualifier[0], qualifier.at(-1) ?? tag]
  return first && last && textIn(named, { start: first.start, end: last.end })
}

/** Returns '' if the name alone is unambiguous; undefined if no qualifier is possible. */
function qualifierOf(named: BoundBlock, source: Column, tables: readonly BoundTable[]): string | undefined {
  if (source.maker.kind === 'merged') return ''
  const key = source.name.toLowerCase()
  const holders = tables.filter(table => table.columns.some(column => column.name.toLowerCase() === key))
  if (holders.length < 2) return ''
  const own = holders.filter(table => table.columns.includes(source))
  const [only] = own
  return own.length === 1 && only !== undefined && only.name !== ''
    ? named.engine.quoteIfNeeded(only.name)
    : undefined
}

/** Returns the separator: long lists get one line per column. */
function separator(text: string, start: number, inLines: boolean): string {
  if (!inLines) return ', '
  const line = text.lastIndexOf('\n', start - 1) + 1
  const indent = /^ */.exec(text.slice(line))?.[0] ?? ''
  const isFirst = text.slice(line, start).trim() === ''
  return `,\n${indent}${isFirst ? '' : '  '}`
}
