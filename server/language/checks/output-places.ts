/** Where the SQL of an asset gives a column to its readers: the item of its last select list. */
import type { ColumnOrigin } from '../analysis.ts'
import { bindBlock, relation } from '../features/sql/bound-sql.ts'
import { sqlBlocks } from '../features/sql/sql-blocks.ts'
import { readTagText } from '../features/sql/sql-world.ts'
import { locate } from '../project/locate.ts'
import type { Asset } from '../project/project.ts'
import { type Column, firstSide } from '../sql/binder/model.ts'
import type { SqlWorld } from '../sql/binder/world.ts'
import type { SelectItem } from '../sql/tree.ts'
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
  context: Pick<CheckContext, 'project' | 'others' | 'rawTables'>,
): (column: string) => OutputPlace {
  const { engine } = context.project
  const block = sqlBlocks(asset).find(each => each.path[0] === 'transform')
  const nowhere = { range: locate(asset, ['transform'], 'key'), within: undefined, isColumn: false }
  if (block === undefined) return () => nowhere
  const { columns } = bindBlock(block, worldOf(asset, context), engine).output
  return name => {
    const column = columns.find(each => each.name.toLowerCase() === name.toLowerCase())
    const item = column && itemOf(column)
    if (item === undefined) return nowhere
    const { start, end, expression } = item
    const range = block.toFile.rangeToOriginal({ start, end })
    const isValue = expression.kind !== 'star' && expression.kind !== 'columns'
    const value = isValue ? valueText(block.text, item) : undefined
    // What is folded or escaped in the file is left to the user.
    const isLiteral = asset.text.slice(range.start, range.end) === block.text.slice(start, end)
    const within =
      value === undefined || !isLiteral
        ? undefined
        : (called: string) => `${called}(${value}) AS ${engine.quoteIfNeeded(name)}`
    return { range, within, isColumn: expression.kind === 'reference' }
  }
}

/** Without its alias; undefined where that stands before it. */
function valueText(text: string, { start, end, alias, aliasFirst }: SelectItem): string | undefined {
  if (alias === undefined) return text.slice(start, end)
  if (aliasFirst) return undefined
  return text
    .slice(start, alias.start)
    .trimEnd()
    .replace(/\s+as$/i, '')
}

function itemOf(column: Column): SelectItem | undefined {
  const { maker } = firstSide(column)
  return 'item' in maker ? maker.item : undefined
}

function worldOf(
  asset: Asset,
  { project: { engine }, others, rawTables }: Pick<CheckContext, 'project' | 'others' | 'rawTables'>,
): SqlWorld {
  const complete = false
  return {
    returnType: () => undefined,
    table(tag) {
      const { word, argument } = readTagText(tag) ?? { word: '', argument: undefined }
      if (word === 'source') {
        const columns = rawTables?.find(table => table.child === argument)?.columns ?? []
        const origin = (column: string) => ({ asset: asset.name, column, source: argument ?? '' })
        const source = { kind: 'source', name: `${asset.name}__raw`, label: 'the source' } as const
        return relation({ ...source, columns, complete, origin }, engine)
      }
      const name = word === 'ref' ? (argument ?? '') : asset.name
      const columns = others?.of(name)?.columns ?? []
      const origin = (column: string): ColumnOrigin => ({ asset: name, column })
      return relation({ kind: 'asset', name, asset: name, label: name, columns, complete, origin }, engine)
    },
  }
}
