/**
 * Columns that a contract names and the source does not deliver. They are loaded as NULL, which no rule forbids
 * unless they are required, so a run says it.
 */
import {
  columnNamed,
  indispensableColumns,
  promisedColumn,
  promisedOf,
  type RawColumn,
  type RawTable,
  type SourceType,
} from '@svc/server/language'
import { typeAt } from './record-source.ts'
import type { FetchContext, SourceWarning } from './source.ts'
import { listPath } from './table-sql.ts'

/** Returns when the source began to lack a column; nothing if no load is known that had it. */
export function absentSince(
  column: RawColumn,
  before: RawTable | undefined,
  { engine, now }: FetchContext,
): Pick<RawColumn, 'absentSince'> {
  const last = columnNamed(before?.columns ?? [], column.name, engine)
  if (last === undefined || last.system) return {}
  if (last.absent !== true) return { absentSince: now().toISOString() }
  return last.absentSince === undefined ? {} : { absentSince: last.absentSince }
}

/**
 * Warns about columns of the contract that are NULL in every row: of those that were there once at every run, of
 * others at the first load with them.
 */
export function warnOfAbsent(
  context: FetchContext,
  tables: readonly RawTable[],
  { rows }: { readonly rows: number },
  recordType: SourceType,
): void {
  if (rows === 0) return
  for (const table of tables) {
    const path = listPath(table)
    const type = path === undefined ? undefined : typeAt(recordType, path)
    // A list without objects gives no information about their columns; one that is in no record lacks them all.
    if (type === undefined || type.kind === 'struct') warnOf(context, table)
  }
}

function warnOf(context: FetchContext, { child, columns }: RawTable): void {
  const { contract } = context.asset.definition
  const before = context.loaded ?? context.known ?? context.previous
  const loaded = before?.find(table => table.child === child)
  // Without these the load is refused, and the refusal says what to do.
  const indispensable = indispensableColumns(promisedOf(contract, child)).map(name =>
    context.engine.fold(name),
  )
  for (const column of columns) {
    const promised = promisedColumn(contract, child, column.name)
    if (promised === undefined || column.absent !== true) continue
    if (indispensable.includes(context.engine.fold(column.name))) continue
    const isTold = columnNamed(loaded?.columns ?? [], column.name, context.engine)?.absent === true
    if (isTold && column.absentSince === undefined) continue
    context.onWarning?.(absence(child, promised.from ?? column.name, column))
  }
}

function absence(
  child: string | undefined,
  source: string,
  { name, absentSince: since }: RawColumn,
): SourceWarning {
  const time = since === undefined ? '' : `${since.slice(0, 19).replace('T', ' ')} UTC`
  const gone = time === '' ? `has no column ${source}` : `has had no column ${source} since ${time}`
  return {
    code: 'absent-column',
    example: source,
    message: `${child === undefined ? 'the source' : `"${child}" of the source`} ${gone}: ${name === source ? 'it' : name} is NULL in every row`,
    hint: 'If it has another name there, write it as from in contract.columns; if it must be there, name it in contract.required_columns.',
  }
}
