/** The bound SQL of an asset's file: its transform and the SQL of its tests. Remembered for as long as it holds. */
import type { Asset } from '../../project/project.ts'
import type { Range } from '../../text/range.ts'
import type { Knowledge } from '../knowledge.ts'
import { type SqlBlock, sqlBlocks } from '../sql/sql-blocks.ts'
import { assetTable, readTagText, sourceTable } from '../sql/sql-world.ts'
import { bindConditionText, bindQueryText } from './bind-sql.ts'
import type { BoundSql, Mention } from './slots.ts'
import type { NamesWorld, TaggedColumns } from './work.ts'

export interface NamedBlock {
  readonly asset: Asset
  readonly block: SqlBlock
  readonly bound: BoundSql
}

const known = new WeakMap<Knowledge, Map<Asset, readonly NamedBlock[]>>()

export function namedBlocks(knowledge: Knowledge, asset: Asset): readonly NamedBlock[] {
  const blocks = known.get(knowledge) ?? new Map<Asset, readonly NamedBlock[]>()
  known.set(knowledge, blocks)
  const found = blocks.get(asset) ?? bindBlocks(asset, namesWorld(knowledge, asset))
  blocks.set(asset, found)
  return found
}

export function bindBlocks(asset: Asset, world: NamesWorld): readonly NamedBlock[] {
  return sqlBlocks(asset).map(block => ({
    asset,
    block,
    bound:
      block.kind === 'query'
        ? bindQueryText(block.text, world)
        : bindConditionText(block.text, world.table('{{ this }}'), world),
  }))
}

export function isTransform({ block }: NamedBlock): boolean {
  return block.path[0] === 'transform'
}

export function transformOf(knowledge: Knowledge, asset: Asset): NamedBlock | undefined {
  return namedBlocks(knowledge, asset).find(isTransform)
}

/** What the tags of an asset's SQL name. */
export function namesWorld(knowledge: Knowledge, asset: Asset): NamesWorld {
  return { table: tag => taggedColumns(knowledge, asset, tag) }
}

function taggedColumns(knowledge: Knowledge, asset: Asset, tag: string): TaggedColumns {
  const { word, argument } = readTagText(tag) ?? { word: '', argument: undefined }
  if (word === 'ref' && argument !== undefined) return assetColumns(knowledge, argument)
  if (word === 'this') return assetColumns(knowledge, asset.name)
  if (word === 'source') return sourceColumns(knowledge, asset, argument)
  return { name: '', asset: undefined, columns: [], more: undefined }
}

function assetColumns(knowledge: Knowledge, asset: string): TaggedColumns {
  const { columns, complete } = assetTable(knowledge, asset, 'asset')
  return {
    name: asset,
    asset,
    columns: columns.map(({ name }) => ({ name, origin: { asset, column: name } })),
    more: complete ? undefined : column => ({ asset, column }),
  }
}

function sourceColumns(knowledge: Knowledge, asset: Asset, child: string | undefined): TaggedColumns {
  const { name, columns, complete } = sourceTable(knowledge, asset, child)
  const origin = (column: string) => ({ asset: asset.name, column, source: child ?? '' })
  return {
    name,
    asset: undefined,
    columns: columns.map(column => ({ name: column.name, origin: origin(column.name) })),
    more: complete ? undefined : origin,
  }
}

/** In the file. */
export function fileRange(named: NamedBlock, range: Range): Range {
  return named.block.toFile.rangeToOriginal(range)
}

/** The mention that an offset of the file touches; the nearest block's only. */
export function mentionAt(
  knowledge: Knowledge,
  asset: Asset,
  offset: number,
): { readonly named: NamedBlock; readonly mention: Mention; readonly range: Range } | undefined {
  for (const named of namedBlocks(knowledge, asset)) {
    const { start, end } = named.block.range
    if (offset < start || offset > end) continue
    for (const mention of named.bound.mentions) {
      const range = fileRange(named, mention.range)
      if (range.start <= offset && offset <= range.end) return { named, mention, range }
    }
  }
  return undefined
}
