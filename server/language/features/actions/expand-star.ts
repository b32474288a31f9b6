/** Writes out the columns that a star stands for. */
import type { Asset } from '../../project/project.ts'
import type { Knowledge } from '../knowledge.ts'
import { fileRange, isTransform, namedBlocks } from '../names/asset-names.ts'
import type { BoundSelect, BoundTable, Slot } from '../names/slots.ts'
import type { StarItem } from '../sql/query-tree.ts'
import { writtenName } from '../sql/quote-name.ts'
import type { CodeAction } from './code-action.ts'

export function expandStar(knowledge: Knowledge, asset: Asset, offset: number): readonly CodeAction[] {
  const analysis = knowledge.analysis.of(asset.name)
  for (const named of namedBlocks(knowledge, asset)) {
    for (const select of named.bound.selects) {
      for (const { item, slots } of select.items) {
        if (item.kind !== 'star' || !isPlain(item) || slots.length === 0) continue
        const range = fileRange(named, item.range)
        if (offset < range.start || offset > range.end) continue
        // A table of which not all columns are known has others, too.
        const isKnown = select.tables.every(table => table.open === undefined)
        if (!isKnown || (isTransform(named) && analysis?.complete !== true)) return []
        const columns = slots.map(slot => written(slot, item, select))
        if (columns.includes(undefined)) return []
        const { style } = named.block.node
        const newText = columns.join(
          separator(asset.text, range.start, style === 'literal' && columns.length > 3),
        )
        if ((style === 'double' && /["\\]/.test(newText)) || (style === 'single' && newText.includes("'")))
          return []
        return [
          {
            title: `Write out the ${columns.length} columns of ${named.block.text.slice(item.range.start, item.starRange.end)}`,
            kind: 'refactor.rewrite',
            edits: [{ path: asset.path, range, newText }],
            creates: [],
            preferred: false,
          },
        ]
      }
    }
  }
  return []
}

/** `*` or `t.*`; what COLUMNS and REPLACE make is for the user to write. */
function isPlain({ starRange, pattern, replace }: StarItem): boolean {
  return pattern === undefined && replace.size === 0 && starRange.end - starRange.start === 1
}

function written(slot: Slot, item: StarItem, { tables }: BoundSelect): string | undefined {
  const { maker } = slot
  if (maker.kind !== 'star' && maker.kind !== 'named') return undefined
  const source = maker.of
  if (source === undefined || source.name === '') return undefined
  const name = writtenName(source.name)
  const qualifier = item.qualifier ?? qualifierOf(source, tables)
  if (qualifier === undefined) return undefined
  const column = qualifier === '' ? name : `${writtenName(qualifier)}.${name}`
  return maker.kind === 'named' ? `${column} AS ${writtenName(slot.name)}` : column
}

/** '' where the name alone is clear; undefined where nothing can be put before it. */
function qualifierOf(source: Slot, tables: readonly BoundTable[]): string | undefined {
  if (source.maker.kind === 'merged') return ''
  const key = source.name.toLowerCase()
  const holders = tables.filter(table => table.slots.some(slot => slot.name.toLowerCase() === key))
  if (holders.length < 2) return ''
  const own = holders.filter(table => table.slots.includes(source))
  return own.length === 1 && own[0]?.name !== '' ? own[0]?.name : undefined
}

/** Each on a line of its own, below the first, where there are many. */
function separator(text: string, start: number, inLines: boolean): string {
  if (!inLines) return ', '
  const line = text.lastIndexOf('\n', start - 1) + 1
  const indent = /^ */.exec(text.slice(line))?.[0] ?? ''
  const isFirst = text.slice(line, start).trim() === ''
  return `,\n${indent}${isFirst ? '' : '  '}`
}
