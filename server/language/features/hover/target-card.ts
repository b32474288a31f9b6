/** The hover card of a name in SQL. */
import type { ColumnOrigin, Column as KnownColumn } from '../../analysis.ts'
import type { Asset } from '../../project/project.ts'
import {
  type BoundCte,
  type BoundSql,
  type BoundTable,
  type Column,
  type Mention,
  rootOf,
} from '../../sql/binder/model.ts'
import type { Value } from '../../sql/binder/values.ts'
import type { Span } from '../../sql/tree.ts'
import type { Knowledge } from '../knowledge.ts'
import { asCell, asCode, asCodeCell, counted, sqlBlock, table } from '../markdown.ts'
import { columnType, typeOfValue } from '../sql/column-types.ts'
import { namedColumns, originOf, type TableInSight, tableInSight } from '../sql/tables-in-sight.ts'
import { assetCard, whyUnknown } from './asset-card.ts'
import { columnCard } from './column-card.ts'
import { descriptionOf } from './column-facts.ts'
import { sourceCard } from './source-card.ts'

export interface SqlAround {
  readonly knowledge: Knowledge
  readonly asset: Asset
  readonly bound: BoundSql
  readonly isTransform: boolean
  /** The known output columns of the asset, if this is its transform. */
  readonly output: readonly KnownColumn[]
}

/** Returns undefined if there is nothing to show. */
export function targetCard(around: SqlAround, { target, role }: Mention): string | undefined {
  switch (target.kind) {
    case 'column':
      return role === 'definition' ? definedCard(around, target.column) : readCard(around, target.column)
    case 'cte':
      return relationCard(around, `CTE ${asCode(target.cte.name.text)}`, target)
    case 'table':
      return tableCard(around, target)
    case 'field':
      return valueCard(around, target.name, target.value, 'field', originOf(target))
    case 'parameter':
      return valueCard(around, target.name.text, target.value, 'parameter', undefined)
    case 'window':
      return `Window ${asCode(target.name.text)}`
  }
}

function valueCard(
  around: SqlAround,
  name: string,
  value: Value,
  role: string,
  origin: ColumnOrigin | undefined,
): string {
  return plainCard(around, name, typeOfValue(around.knowledge.project.engine.types, value), role, origin)
}

function plainCard(
  { knowledge }: SqlAround,
  name: string,
  type: string | undefined,
  role: string,
  origin: ColumnOrigin | undefined,
): string {
  return columnCard(knowledge, { name, type, origin, role })
}

// ---------------------------------------------------------------- columns

function typeOf({ knowledge, bound, output }: SqlAround, column: Column): string | undefined {
  return columnType(knowledge.project.engine, bound, column, output)
}

/** Returns the card at the place where the column gets its name. */
function definedCard(around: SqlAround, column: Column): string {
  const { name } = column
  const type = typeOf(around, column)
  if (!isOutput(around, column)) return plainCard(around, name, type, 'alias', originOf(column))
  const own = { asset: around.asset.name, column: name }
  return plainCard(around, name, type ?? outputType(around, name), 'output column', own)
}

/** Returns whether it is an output column, or one side of a set operation that makes one. */
function isOutput({ bound, isTransform }: SqlAround, column: Column): boolean {
  return isTransform && bound.output.columns.some(each => each === column || isSide(each, column))
}

function isSide({ maker }: Column, column: Column): boolean {
  return maker.kind === 'union' && maker.sides.some(side => side === column || isSide(side, column))
}

/** Returns the type that the catalogue last knew. */
function outputType({ knowledge, output }: SqlAround, name: string): string | undefined {
  const { sameName } = knowledge.project.engine
  return output.find(column => sameName(column.name, name))?.type
}

function readCard(around: SqlAround, column: Column): string | undefined {
  const { knowledge, bound } = around
  const written = column.maker.kind === 'merged' ? (column.maker.members[0] ?? column) : column
  const holder = bound.tables.find(({ columns }) => columns.includes(written))
  if (holder !== undefined) {
    const origin = originOf(column)
    return columnCard(knowledge, {
      name: column.name,
      type: typeOf(around, column),
      origin,
      role: roleOf(tableInSight(around, holder)),
      sql: origin === undefined ? sqlOf(bound, column) : undefined,
    })
  }
  const open = bound.tables.find(each => each.open?.(column.name, false) === column)
  if (open !== undefined) return missingCard(around, column.name, tableInSight(around, open))
  const type =
    typeOf(around, column) ?? (isOutput(around, column) ? outputType(around, column.name) : undefined)
  return plainCard(around, column.name, type, 'alias of the select list', undefined)
}

/** Longer expressions are left to go-to-definition. */
const longestSql = 400

function sqlOf({ text }: BoundSql, column: Column): string | undefined {
  const { maker } = rootOf(column)
  const item: Span | undefined = 'item' in maker ? maker.item : undefined
  if (item === undefined) return undefined
  const sql = text.slice(item.start, item.end)
  return sql.length > longestSql ? `${sql.slice(0, longestSql)} …` : sql
}

function roleOf({ kind, name, bound }: TableInSight): string {
  switch (kind) {
    case 'cte':
      return `column of CTE ${bound?.cte?.cte.name.text ?? name}`
    case 'query':
      return name === '' ? 'column of a query' : `column of query ${name}`
    case 'values':
    case 'function':
    case 'unknown':
      return name === '' ? 'column' : `column of ${name}`
    default:
      return ''
  }
}

/** Explains why a column of a table with unknown columns is not known. */
function missingCard({ knowledge, asset }: SqlAround, name: string, holder: TableInSight): string {
  const isOwnSource = holder.kind === 'source'
  const of = isOwnSource ? `the source of ${asCode(asset.name)}` : asCode(holder.name)
  const read = holder.asset === undefined ? undefined : knowledge.project.byName.get(holder.asset)
  const why = isOwnSource || read === undefined ? '' : `: ${whyUnknown(knowledge, read)}`
  const help = isOwnSource ? `: ${asCode(`svc run ${asset.name}`)} loads it` : why
  return `${sqlBlock(`${name} -- not known yet`)}\n\n*Columns of ${of} are not all known yet${help}.*`
}

// ---------------------------------------------------------------- tables

function tableCard(around: SqlAround, target: BoundTable): string {
  const { knowledge, asset } = around
  const { kind, child, name } = tableInSight(around, target)
  const read = target.tag?.asset === undefined ? undefined : knowledge.project.byName.get(target.tag.asset)
  if ((kind === 'asset' || kind === 'this') && read !== undefined) return assetCard(knowledge, read)
  if (kind === 'source') return sourceCard(knowledge, asset, child)
  const cte = target.cte?.cte.name.text
  return relationCard(around, cte === undefined ? `Table ${asCode(name)}` : `CTE ${asCode(cte)}`, target)
}

function relationCard(around: SqlAround, title: string, relation: Pick<BoundCte, 'columns'>): string {
  const columns = namedColumns(relation.columns)
  if (columns.length === 0) return `${title}\n\n*Its columns are not known.*`
  return `${title} · ${counted(columns.length, 'column')}\n\n${columnsTable(around, columns)}`
}

export function columnsTable(around: SqlAround, columns: readonly Column[]): string {
  const rows = columns.slice(0, 40).map(column => {
    const type = typeOf(around, column)
    const origin = originOf(column)
    return [
      asCodeCell(column.name),
      type === undefined ? '?' : asCodeCell(type),
      asCell((origin && descriptionOf(around.knowledge, origin)?.text) ?? ''),
    ]
  })
  const more = columns.length - rows.length
  return `${table(['column', 'type', 'meaning'], rows)}${more > 0 ? `\n\n*and ${counted(more, 'column')} more*` : ''}`
}

/** Returns '' if all columns of the tables are known. */
export function whyOpen(tables: readonly BoundTable[]): string {
  const names = tables
    .filter(({ open }) => open !== undefined)
    .map(({ name }) => asCode(name === '' ? 'a table' : name))
  return names.length === 0 ? '' : `columns of ${names.join(', ')} are not all known yet`
}
