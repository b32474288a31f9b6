/**
 * Columns that a contract names and the source does not deliver. They are loaded as NULL, which no rule forbids
 * unless they are required, so a run says it.
 */
import { findColumn, type RawColumn, type RawTable } from '@svc/server/language'
import type { FetchContext, SourceWarning } from './source.ts'

/** Returns when the source began to lack a column; nothing if no load is known that had it. */
export function absentSince(
  column: RawColumn,
  before: RawTable | undefined,
  { engine, now }: FetchContext,
): Pick<RawColumn, 'absentSince'> {
  const last = findColumn(before?.columns ?? [], column.name, engine)
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
  root: RawTable | undefined,
  { rows }: { readonly rows: number },
): void {
  const declared = context.asset.definition.contract?.columns ?? {}
  if (rows === 0) return
  const loaded = (context.loaded ?? context.known ?? context.previous)?.find(
    ({ child }) => child === undefined,
  )
  for (const column of root?.columns ?? []) {
    const promised = Object.hasOwn(declared, column.name) ? declared[column.name] : undefined
    if (promised === undefined || column.absent !== true) continue
    const isTold = findColumn(loaded?.columns ?? [], column.name, context.engine)?.absent === true
    if (isTold && column.absentSince === undefined) continue
    context.onWarning?.(absence(promised.from ?? column.name, column))
  }
}

function absence(source: string, { name, absentSince: since }: RawColumn): SourceWarning {
  const time = since === undefined ? '' : `${since.slice(0, 19).replace('T', ' ')} UTC`
  const gone = time === '' ? `has no column ${source}` : `has had no column ${source} since ${time}`
  return {
    message: `the source ${gone}: ${name === source ? 'it' : name} is NULL in every row`,
    hint: 'If it has another name there, write it as from in contract.columns; if it must be there, name it in contract.required_columns.',
  }
}
