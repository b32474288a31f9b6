/** Where the SQL of an asset gives a column to its readers: the item of its last select list. */
import { bindQueryText, type NamesWorld, type TaggedColumns } from '../features/names/bind-sql.ts'
import type { Slot } from '../features/names/slots.ts'
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
  /** The item with a function around its column, as it would be written; undefined: it is no plain column. */
  readonly hide: ((functionName: string) => string) | undefined
}

export function outputPlaces(asset: Asset, context: CheckContext): (column: string) => OutputPlace {
  const block = sqlBlocks(asset).find(each => each.path[0] === 'transform')
  const nowhere = { range: locate(asset, ['transform'], 'key'), hide: undefined }
  if (block === undefined) return () => nowhere
  const { output } = bindQueryText(block.text, worldOf(asset, context))
  return column => {
    const slot = output.find(each => each.name.toLowerCase() === column.toLowerCase())
    const item = slot && itemOf(slot)
    if (item === undefined) return nowhere
    const range = block.toFile.rangeToOriginal(item.range)
    const written = block.text.slice(item.range.start, item.range.end)
    const isPlain = item.kind === 'value' && item.expression.kind === 'column'
    // What is folded or escaped in the file is left to the user.
    if (!isPlain || asset.text.slice(range.start, range.end) !== written) return { range, hide: undefined }
    const end = item.alias === undefined ? item.range.end : item.expression.column.range.end
    const value = block.text.slice(item.range.start, end)
    return { range, hide: name => `${name}(${value}) AS ${writtenName(column)}` }
  }
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

function worldOf(asset: Asset, { others, rawTables }: CheckContext): NamesWorld {
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
