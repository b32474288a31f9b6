/** The SQL of a file as the editor knows it: read, and its names bound against what is known of the project. */
import type { ColumnOrigin, Column as KnownColumn } from '../../analysis.ts'
import { testedFewValues } from '../../checks/few-values.ts'
import type { Asset } from '../../project/project.ts'
import { bindConditionText, bindQueryText } from '../../sql/binder/bind.ts'
import { inputColumn } from '../../sql/binder/input-column.ts'
import type { BoundSql, Column, TaggedRelation } from '../../sql/binder/model.ts'
import type { SqlWorld } from '../../sql/binder/world.ts'
import { readExpression, readSql } from '../../sql/reader/read-sql.ts'
import type { Knowledge } from '../knowledge.ts'
import { typeText } from './column-types.ts'
import { type SqlBlock, sqlBlocks } from './sql-blocks.ts'
import { dialect, grammar } from './sql-language.ts'
import { assetTable, readTagText, returnTypeOf, sourceTable } from './sql-world.ts'

export interface BoundBlock {
  readonly asset: Asset
  readonly block: SqlBlock
  /** With the scopes and values of all its parts. */
  readonly bound: BoundSql
}

const known = new WeakMap<Knowledge, Map<Asset, readonly BoundBlock[]>>()

/** In text order; remembered for as long as the knowledge holds. */
export function boundBlocks(knowledge: Knowledge, asset: Asset): readonly BoundBlock[] {
  const blocks = known.get(knowledge) ?? new Map<Asset, readonly BoundBlock[]>()
  known.set(knowledge, blocks)
  const found = blocks.get(asset) ?? bindBlocks(asset, boundWorld(knowledge, asset))
  blocks.set(asset, found)
  return found
}

/** Of a block of the asset, or of one that only its outline knows. */
export function boundOf(knowledge: Knowledge, asset: Asset, block: SqlBlock): BoundSql {
  const known = boundBlocks(knowledge, asset).find(each => each.block === block)
  return known?.bound ?? bindBlock(block, boundWorld(knowledge, asset))
}

export function bindBlocks(asset: Asset, world: SqlWorld): readonly BoundBlock[] {
  return sqlBlocks(asset).map(block => ({ asset, block, bound: bindBlock(block, world) }))
}

export function bindBlock({ kind, text }: SqlBlock, world: SqlWorld): BoundSql {
  if (kind === 'query') return bindQueryText(readSql(text, grammar), world, dialect, { trace: true })
  const reading = { text, expression: readExpression(text, grammar).expression }
  return bindConditionText(reading, world.table('{{ this }}'), world, dialect, { trace: true })
}

// ---------------------------------------------------------------- what tags name

/** What the tags of an asset's SQL name. */
export function boundWorld(knowledge: Knowledge, asset: Asset): SqlWorld {
  return {
    table: tag => taggedRelation(knowledge, asset, tag),
    returnType: (name, types) => {
      const type = returnTypeOf(
        knowledge,
        name,
        types.map(type => typeText(knowledge.project.engine.types, type)),
      )
      return type === undefined ? undefined : dialect.typeCalled(type)
    },
  }
}

function taggedRelation(knowledge: Knowledge, asset: Asset, tag: string): TaggedRelation {
  const { word, argument } = readTagText(tag) ?? { word: '', argument: undefined }
  if (word === 'ref' && argument !== undefined) return assetRelation(knowledge, argument, 'asset')
  if (word === 'this') return assetRelation(knowledge, asset.name, 'this')
  if (word === 'source') return sourceRelation(knowledge, asset, argument)
  const kind = word === 'var' ? 'value' : 'unknown'
  return { kind, name: '', asset: undefined, label: 'the table', columns: [], open: undefined }
}

function assetRelation(knowledge: Knowledge, name: string, kind: 'asset' | 'this'): TaggedRelation {
  const { columns, complete } = assetTable(knowledge, name, kind)
  const read = knowledge.project.byName.get(name)
  const few = read === undefined ? undefined : testedFewValues(read)
  return relation(kind, name, name, name, columns, complete, column => ({ asset: name, column }), few)
}

function sourceRelation(knowledge: Knowledge, asset: Asset, child: string | undefined): TaggedRelation {
  const { name, columns, complete } = sourceTable(knowledge, asset, child)
  const label = child === undefined ? 'the source' : `source "${child}"`
  const origin = (column: string): ColumnOrigin => ({ asset: asset.name, column, source: child ?? '' })
  return relation('source', name, undefined, label, columns, complete, origin, undefined)
}

/** `complete` false: it may have other columns, too. */
export function relation(
  kind: TaggedRelation['kind'],
  name: string,
  asset: string | undefined,
  label: string,
  columns: readonly KnownColumn[],
  complete: boolean,
  origin: (column: string) => ColumnOrigin,
  few: ReadonlySet<string> | undefined,
): TaggedRelation {
  const asked = new Map<string, Column>()
  const open = (column: string): Column => {
    const key = dialect.fold(column)
    const found = asked.get(key) ?? inputColumn(origin(column), undefined, false, dialect)
    asked.set(key, found)
    return found
  }
  const inputs = columns.map(column =>
    inputColumn(origin(column.name), column.type, few?.has(dialect.fold(column.name)) === true, dialect),
  )
  return { kind, name, asset, label, columns: inputs, open: complete ? undefined : open }
}
