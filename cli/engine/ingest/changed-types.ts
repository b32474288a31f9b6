/**
 * Finds columns whose values were of one type at the last load and now could be held by text only. Where that
 * is so of a few values the column keeps its type, and they become rejects. Else the load fails, unless the
 * contract says what to do: a column of times that is text one day would be wrong in silence.
 */
import { type Candidate, foundTypes, type LocalReader, laddersFor, type Rung } from '@svc/server/catalog'
import {
  columnNamed,
  type FileOptions,
  isDeclared,
  type RawColumn,
  type RawTable,
  widenType,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { columnKey, type JudgedTables } from './contract-shape.ts'
import type { RecordSource } from './record-source.ts'
import type { FetchContext } from './source.ts'
import { ownColumns } from './source-drift.ts'
import { fieldsThatBecomeText } from './struct-fields.ts'
import { elementsFrom, elementValue } from './table-sql.ts'

export interface TypeCheck {
  readonly context: FetchContext
  readonly judged: JudgedTables
  readonly source: RecordSource
  readonly local: LocalReader
}

/** Returns the types that columns keep, by `columnKey`, those of child tables too. Throws `type-changed`. */
export async function keptTypes(check: TypeCheck): Promise<ReadonlyMap<string, string>> {
  const kept = new Map<string, string>()
  const lost: LostColumn[] = []
  for (const table of check.judged.tables) {
    const before = columnsBefore(table, check)
    const changed = before.filter(each => becomesText(each, check))
    const without = changed.length === 0 ? [] : await lostColumns(table, changed, check)
    const all = [...before.flatMap(each => changedFields(each, check)), ...without]
    lost.push(...all.map(each => ({ ...each, child: table.child })))
    for (const { column, before: type } of changed) kept.set(columnKey(table.child, column), type)
  }
  if (lost.length > 0) throw typeChanged(lost)
  return kept
}

/** Returns the columns of which too few values are of the type that they had. */
async function lostColumns(
  table: RawTable,
  changed: readonly ChangedColumn[],
  { source, local }: TypeCheck,
): Promise<readonly ChangedColumn[]> {
  // Text of today that reads as numbers says nothing of the rows that come: as a number of production they would be NULL.
  if (source.inPlace === true) return changed
  const candidates = changed.map(({ column, before }): Candidate => {
    const value = `CAST(${elementValue(table, column)} AS VARCHAR)`
    return { name: column.name, value, rungs: [rungOf(before, source.written)] }
  })
  const columns = changed.map(({ column }) => ({ ...column, type: 'VARCHAR' }))
  const from = elementsFrom(table, columns, { source })
  const { types, empty } = await foundTypes(local, from, candidates, { isTolerated: isSmallPart })
  return changed.filter(({ column }) => !types.has(column.name) && !empty.has(column.name))
}

/** A type that is known stands against more values than one that is only inferred. */
function isSmallPart(misfits: number, values: number): boolean {
  return misfits * 10 <= values || (misfits === 1 && values > 1)
}

interface ChangedColumn {
  readonly column: RawColumn
  readonly before: string
}

interface LostColumn extends ChangedColumn {
  readonly child: string | undefined
}

/** Returns the columns that are free to change, with the types that they had. */
function columnsBefore(table: RawTable, { context, judged }: TypeCheck): readonly ChangedColumn[] {
  const { asset, engine, previous } = context
  const before = previous?.find(({ child }) => child === table.child)
  if (before === undefined || isDeclared(asset, ['contract', 'evolution'])) return []
  return ownColumns(table).flatMap(column => {
    if (judged.pinned.has(columnKey(table.child, column))) return []
    const old = columnNamed(ownColumns(before), column.name, engine)
    // A mask that is new or gone changes the type, and the file says so.
    return old?.type === undefined || old.masked !== column.masked ? [] : [{ column, before: old.type }]
  })
}

function becomesText({ column, before }: ChangedColumn, { context }: TypeCheck): boolean {
  if (before === 'VARCHAR' || !isScalar(before)) return false
  return widenType(before, column.type, context.engine.types) === 'VARCHAR'
}

/**
 * Values inside of lists and structs are not counted: where text joins those of another type, the load fails. So it does where
 * only JSON would hold what came.
 */
function changedFields({ column, before }: ChangedColumn, { context }: TypeCheck): readonly ChangedColumn[] {
  const { types } = context.engine
  const wide = widenType(before, column.type, types)
  if (wide === 'JSON' && before !== 'JSON' && before !== 'VARCHAR') return [{ column, before }]
  if (wide === undefined || isScalar(before)) return []
  return fieldsThatBecomeText(types.parse(before), types.parse(wide), types).map(field => ({
    column: { ...column, name: [column.name, ...field.names].join('.') },
    before: types.print(field.before),
  }))
}

function isScalar(type: string): boolean {
  return type !== 'JSON' && !type.endsWith(']') && !/^(STRUCT|MAP|UNION)\b/.test(type)
}

function rungOf(type: string, options: FileOptions): Rung {
  const rungs = Object.values(laddersFor(options)).flat()
  const fits = (value: string) => `TRY_CAST(${value} AS ${type}) IS NOT NULL`
  return rungs.find(rung => rung.type === type) ?? { type, fits, changes: () => 'false' }
}

function typeChanged(lost: readonly LostColumn[]): SvcError {
  const texts = lost.map(
    ({ child, column, before }) =>
      `"${column.name}"${child === undefined ? '' : ` of "${child}"`} (${before})`,
  )
  return new SvcError(
    'type-changed',
    `the values of ${texts.join(', ')} are of another type than at the last load`,
    {
      hint: `If the source is right, say so: ${promiseOf(lost)}contract: {evolution: evolve} for all columns.`,
    },
  )
}

/** A struct or a list is promised as a whole, so nothing short can be proposed for what is in it. */
function promiseOf([first]: readonly LostColumn[]): string {
  if (first === undefined || first.column.name.includes('.') || !isScalar(first.before)) return ''
  const columns = `columns: {${first.column.name}: varchar}`
  const promise = first.child === undefined ? columns : `tables: {${first.child}: {${columns}}}`
  return `contract: {${promise}}, or `
}
