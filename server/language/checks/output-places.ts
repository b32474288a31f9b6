/** Finds the item of the last select list that defines an output column. */
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
  /** The range in the file. */
  readonly range: Range
  /** Returns the item with a function call around its value; undefined if that is impossible. */
  readonly within: ((functionName: string) => string) | undefined
  /** True if the value is a plain column. */
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
    // SQL that is folded or escaped in the file is left to the user.
    const isLiteral = asset.text.slice(range.start, range.end) === block.text.slice(start, end)
    const within =
      value === undefined || !isLiteral
        ? undefined
        : (called: string) => `${called}(${value}) AS ${engine.quoteIfNeeded(name)}`
    return { range, within, isColumn: expression.kind === 'reference' }
  }
}

/** Returns the text without the alias; undefined if the alias comes first. */
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
