/** Where the SQL of an asset gives a column to its readers: the item of its last select list. */
import { bindQueryText } from '../features/names/bind-sql.ts'
import type { Slot } from '../features/names/slots.ts'
import type { NamesWorld, TaggedColumns } from '../features/names/work.ts'
import type { ValueItem } from '../features/sql/query-tree.ts'
import { writtenName } from '../features/sql/quote-name.ts'
import { sqlBlocks } from '../features/sql/sql-blocks.ts'
import { readTagText } from '../features/sql/sql-world.ts'
import { locate } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import type { Range } from '../text/range.ts'
import type { CheckContext } from './check.ts'

export interface OutputPlace {
  /** In the file. */
  readonly range: Range
  /** The item with a function around its value, as it would be written; undefined: it cannot be. */
  readonly within: ((functionName: string) => string) | undefined
  /** The value is a column and nothing else. */
  readonly isColumn: boolean
}

export function outputPlaces(
  asset: Asset,
  context: Pick<CheckContext, 'others' | 'rawTables'>,
): (column: string) => OutputPlace {
  const block = sqlBlocks(asset).find(each => each.path[0] === 'transform')
  const nowhere = { range: locate(asset, ['transform'], 'key'), within: undefined, isColumn: false }
  if (block === undefined) return () => nowhere
  const { output } = bindQueryText(block.text, worldOf(asset, context))
  return column => {
    const slot = output.find(each => each.name.toLowerCase() === column.toLowerCase())
    const item = slot && itemOf(slot)
    if (item === undefined) return nowhere
    const range = block.toFile.rangeToOriginal(item.range)
    const written = block.text.slice(item.range.start, item.range.end)
    const isColumn = item.kind === 'value' && item.expression.kind === 'column'
    const value = item.kind === 'value' ? valueText(block.text, item) : undefined
    // What is folded or escaped in the file is left to the user.
    const isLiteral = asset.text.slice(range.start, range.end) === written
    const within =
      value === undefined || !isLiteral
        ? undefined
        : (name: string) => `${name}(${value}) AS ${writtenName(column)}`
    return { range, within, isColumn }
  }
}

/** Without its alias; undefined where that stands before it. */
function valueText(text: string, { range, alias }: ValueItem): string | undefined {
  if (alias === undefined) return text.slice(range.start, range.end)
  if (alias.range.start === range.start) return undefined
  return text
    .slice(range.start, alias.range.start)
    .trimEnd()
    .replace(/\s+as$/i, '')
}

function itemOf({ maker }: Slot) {
  if (maker.kind === 'union') {
    const [first] = maker.sides
    return first === undefined ? undefined : innerItem(first)
  }
  return 'item' in maker ? maker.item : undefined
}

function innerItem({ maker }: Slot) {
  return 'item' in maker ? maker.item : undefined
}

function worldOf(
  asset: Asset,
  { others, rawTables }: Pick<CheckContext, 'others' | 'rawTables'>,
): NamesWorld {
  return {
    table(tag): TaggedColumns {
      const { word, argument } = readTagText(tag) ?? { word: '', argument: undefined }
      if (word !== 'source') {
        const name = word === 'ref' ? (argument ?? '') : asset.name
        const columns = others?.of(name)?.columns ?? []
        return {
          name,
          asset: name,
          columns: columns.map(column => ({
            name: column.name,
            origin: { asset: name, column: column.name },
          })),
          more: column => ({ asset: name, column }),
        }
      }
      const origin = (column: string) => ({ asset: asset.name, column, source: argument ?? '' })
      const columns = rawTables?.find(table => table.child === argument)?.columns ?? []
      return {
        name: `${asset.name}__raw`,
        asset: undefined,
        columns: columns.map(column => ({ name: column.name, origin: origin(column.name) })),
        more: origin,
      }
    },
  }
}
