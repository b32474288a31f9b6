/** The SQL of a file for the editor: parsed, with its names bound to what is known of the project. */
import type { ColumnOrigin, Column as KnownColumn } from '../../analysis.ts'
import { testedFewValues } from '../../checks/few-values.ts'
import type { Engine } from '../../engines/engine.ts'
import { getOrInsertComputed } from '../../get-or-insert.ts'
import { oncePer } from '../../once.ts'
import type { Asset } from '../../project/project.ts'
import { bindConditionText, bindQueryText } from '../../sql/binder/bind.ts'
import { inputColumn } from '../../sql/binder/input-column.ts'
import type { BoundSql, Column, TaggedRelation } from '../../sql/binder/model.ts'
import type { SqlWorld } from '../../sql/binder/world.ts'
import { readExpression, readSql } from '../../sql/reader/read-sql.ts'
import type { Knowledge } from '../knowledge.ts'
import { typeText } from './column-types.ts'
import { type SqlBlock, sqlBlocks } from './sql-blocks.ts'
import { assetTable, readTagText, returnTypeOf, sourceTable } from './sql-world.ts'

export interface BoundBlock {
  readonly asset: Asset
  /** The engine of the project. */
  readonly engine: Engine
  readonly block: SqlBlock
  /** The binding, with the scopes and values of all parts. */
  readonly bound: BoundSql
}

const blocksBy = oncePer((knowledge: Knowledge) =>
  oncePer((asset: Asset) => bindBlocks(asset, boundWorld(knowledge, asset), knowledge.project.engine)),
)

/** Returns the blocks in text order, cached for as long as the knowledge is used. */
export function boundBlocks(knowledge: Knowledge, asset: Asset): readonly BoundBlock[] {
  return blocksBy(knowledge)(asset)
}

/** Binds a block of the asset, or one that exists only in its outline. */
export function boundOf(knowledge: Knowledge, asset: Asset, block: SqlBlock): BoundSql {
  const known = boundBlocks(knowledge, asset).find(each => each.block === block)
  return known?.bound ?? bindBlock(block, boundWorld(knowledge, asset), knowledge.project.engine)
}

export function bindBlocks(asset: Asset, world: SqlWorld, engine: Engine): readonly BoundBlock[] {
  return sqlBlocks(asset).map(block => ({ asset, engine, block, bound: bindBlock(block, world, engine) }))
}

export function bindBlock({ kind, code: text, over }: SqlBlock, world: SqlWorld, engine: Engine): BoundSql {
  const { binding: dialect, grammar } = engine
  if (kind === 'query') return bindQueryText(readSql(text, grammar), world, dialect, { trace: true })
  const reading = { text, expression: readExpression(text, grammar).expression }
  const table = world.table(over === undefined ? '{{ this }}' : `{{ ref('${over}') }}`)
  return bindConditionText(reading, table, world, dialect, { trace: true })
}

// ---------------------------------------------------------------- what tags name

/** Returns the relations that the tags of an asset's SQL may name. */
export function boundWorld(knowledge: Knowledge, asset: Asset): SqlWorld {
  const { binding, types: engineTypes } = knowledge.project.engine
  return {
    table: tag => taggedRelation(knowledge, asset, tag),
    returnType: (name, types) => {
      const type = returnTypeOf(
        knowledge,
        name,
        types.map(type => typeText(engineTypes, type)),
      )
      return type === undefined ? undefined : binding.typeCalled(type)
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
  const { columns, complete } = assetTable(knowledge, name)
  const { engine, byName } = knowledge.project
  const read = byName.get(name)
  const few = read === undefined ? undefined : testedFewValues(read, engine)
  const origin = (column: string): ColumnOrigin => ({ asset: name, column })
  return relation({ kind, name, asset: name, label: name, columns, complete, origin, few }, engine)
}

function sourceRelation(knowledge: Knowledge, asset: Asset, child: string | undefined): TaggedRelation {
  const { columns, complete } = sourceTable(knowledge, asset, child)
  const name = child === undefined ? `${asset.name}__raw` : `${asset.name}__raw__${child}`
  const label = child === undefined ? 'the source' : `source "${child}"`
  const origin = (column: string): ColumnOrigin => ({ asset: asset.name, column, source: child ?? '' })
  return relation({ kind: 'source', name, label, columns, complete, origin }, knowledge.project.engine)
}

/** The known facts about a relation that a tag names. */
interface KnownRelation {
  readonly kind: TaggedRelation['kind']
  readonly name: string
  readonly asset?: string
  readonly label: string
  readonly columns: readonly KnownColumn[]
  /** False if it may have other columns too. */
  readonly complete: boolean
  readonly origin: (column: string) => ColumnOrigin
  /** Folded names of columns with few distinct values. */
  readonly few?: ReadonlySet<string> | undefined
}

export function relation(known: KnownRelation, { binding }: Engine): TaggedRelation {
  const { kind, name, asset, label, origin } = known
  const asked = new Map<string, Column>()
  const open = (column: string): Column =>
    getOrInsertComputed(asked, binding.fold(column), () =>
      inputColumn(origin(column), undefined, false, binding),
    )
  const columns = known.columns.map(column => {
    const isOfFew = known.few?.has(binding.fold(column.name)) === true
    return inputColumn(origin(column.name), column.type, isOfFew, binding)
  })
  return { kind, name, asset, label, columns, open: known.complete ? undefined : open }
}
