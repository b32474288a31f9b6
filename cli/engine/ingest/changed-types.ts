/**
 * Finds columns whose values were of one type at the last load and now could be held by text only. Where that
 * is so of a few values the column keeps its type, and they become rejects. Else the load fails, unless the
 * contract says what to do: a column of times that is text one day would be wrong in silence.
 */
import { type Candidate, foundTypes, type LocalReader, laddersFor, type Rung } from '@svc/server/catalog'
import {
  type FileOptions,
  findColumn,
  nodeAt,
  type RawColumn,
  type RawTable,
  widenType,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { columnKey, type JudgedTables } from './contract-shape.ts'
import type { RecordSource } from './record-source.ts'
import type { FetchContext } from './source.ts'
import { fieldsThatBecomeText } from './struct-fields.ts'
import { access } from './table-sql.ts'

export interface TypeCheck {
  readonly context: FetchContext
  readonly judged: JudgedTables
  readonly source: RecordSource
  readonly local: LocalReader
}

/** Returns the types that columns keep, by `columnKey`. Throws `type-changed`. */
export async function keptTypes(check: TypeCheck): Promise<ReadonlyMap<string, string>> {
  const fields = changedFields(check)
  if (fields.length > 0) throw typeChanged(fields)
  const changed = changedColumns(check)
  if (changed.length === 0) return new Map()
  const { source, local } = check
  const candidates = changed.map(({ column, before }): Candidate => {
    const value = `CAST(${access('record', column.path)} AS VARCHAR)`
    return { name: column.name, value, rungs: [rungOf(before, source.written)] }
  })
  const columns = changed.map(({ column }) => ({ ...column, type: 'VARCHAR' }))
  const { types, empty } = await foundTypes(
    local,
    `${source.from(columns)} AS record`,
    candidates,
    isSmallPart,
  )
  const lost = changed.filter(({ column }) => !types.has(column.name) && !empty.has(column.name))
  if (lost.length > 0) throw typeChanged(lost)
  return new Map(changed.map(({ column, before }) => [columnKey(undefined, column), before]))
}

/** A type that is known stands against more values than one that is only inferred. */
function isSmallPart(misfits: number, values: number): boolean {
  return misfits * 10 <= values || (misfits === 1 && values > 1)
}

interface ChangedColumn {
  readonly column: RawColumn
  readonly before: string
}

function changedColumns(check: TypeCheck): readonly ChangedColumn[] {
  const { types } = check.context.engine
  return columnsBefore(check).flatMap(({ column, before }) => {
    if (before === 'VARCHAR' || !isScalar(before)) return []
    return widenType(before, column.type, types) === 'VARCHAR' ? [{ column, before }] : []
  })
}

/** Values inside of structs are not counted: where text joins those of another type, the load fails. */
function changedFields(check: TypeCheck): readonly ChangedColumn[] {
  const { types } = check.context.engine
  return columnsBefore(check).flatMap(({ column, before }) => {
    const wide = widenType(before, column.type, types)
    if (wide === undefined || isScalar(before)) return []
    return fieldsThatBecomeText(types.parse(before), types.parse(wide), types).map(field => ({
      column: { ...column, name: [column.name, ...field.names].join('.') },
      before: types.print(field.before),
    }))
  })
}

/** Returns the columns that are free to change, with the types that they had. */
function columnsBefore({ context, judged }: TypeCheck): readonly ChangedColumn[] {
  const { asset, engine, previous } = context
  const table = previous?.find(({ child }) => child === undefined)
  if (table === undefined || nodeAt(asset.tree, ['contract', 'evolution']) !== undefined) return []
  return ownColumns(judged.tables[0]).flatMap(column => {
    if (judged.pinned.has(columnKey(undefined, column))) return []
    const old = findColumn(ownColumns(table), column.name, engine)
    // A mask that is new or gone changes the type, and the file says so.
    return old?.type === undefined || old.masked !== column.masked ? [] : [{ column, before: old.type }]
  })
}

function ownColumns(table: RawTable | undefined): readonly RawColumn[] {
  return table?.columns.filter(({ system }) => !system) ?? []
}

function isScalar(type: string): boolean {
  return type !== 'JSON' && !type.endsWith(']') && !/^(STRUCT|MAP|UNION)\b/.test(type)
}

function rungOf(type: string, options: FileOptions): Rung {
  const rungs = Object.values(laddersFor(options)).flat()
  const fits = (value: string) => `TRY_CAST(${value} AS ${type}) IS NOT NULL`
  return rungs.find(rung => rung.type === type) ?? { type, fits, changes: () => 'false' }
}

function typeChanged(lost: readonly ChangedColumn[]): SvcError {
  const texts = lost.map(({ column, before }) => `"${column.name}" (${before})`)
  const first = lost[0]?.column.name ?? ''
  const all = 'contract: {evolution: evolve}'
  const own = first.includes('.') ? '' : `contract: {columns: {${first}: varchar}}, or `
  return new SvcError(
    'type-changed',
    `the values of ${texts.join(', ')} are of another type than at the last load`,
    {
      hint: `If the source is right, say so: ${own}${all} for all columns.`,
    },
  )
}
