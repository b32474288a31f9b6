/**
 * How what a source delivers differs from what was loaded last. Pure: compares shapes, reads no value. Whether a
 * difference is welcome is the contract's business.
 */
import { findColumn, type RawColumn, type RawTable, widenType } from '@svc/server/language'

export interface DriftChange {
  readonly kind: 'added' | 'vanished' | 'retyped'
  /** The child table; undefined: the table of `{{ source }}`. */
  readonly child: string | undefined
  /** Undefined: the whole child table. */
  readonly column: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Nothing for a source that was never loaded. */
export function sourceDrift(
  known: readonly RawTable[] | undefined,
  delivered: readonly RawTable[],
): DriftChange[] {
  if (known === undefined || known.length === 0) return []
  const before = new Map(known.map(table => [table.child, table]))
  const now = new Map(delivered.map(table => [table.child, table]))
  const changed = delivered.flatMap(table => {
    const old = before.get(table.child)
    if (old !== undefined) return [...added(old, table), ...retyped(old, table)]
    return [{ kind: 'added', child: table.child, column: undefined } as const]
  })
  const gone = known.flatMap(table => vanished(table, now.get(table.child)))
  return [...changed, ...gone]
}

/** The columns that hold the source's own values. */
export function ownColumns(table: RawTable): readonly RawColumn[] {
  return table.columns.filter(column => !column.system)
}

function added(old: RawTable, table: RawTable): DriftChange[] {
  return ownColumns(table)
    .filter(column => sameColumn(old, column) === undefined)
    .map(({ name, type }) => ({ kind: 'added', child: table.child, column: name, to: type }))
}

/** A narrower type is no change: the column keeps the one that it has. */
function retyped(old: RawTable, table: RawTable): DriftChange[] {
  return ownColumns(table).flatMap(column => {
    const from = sameColumn(old, column)?.type
    if (from === undefined || column.type === undefined) return []
    const to = widenType(from, column.type)
    if (to === undefined || to === widenType(from, from)) return []
    return [{ kind: 'retyped', child: table.child, column: column.name, from, to } as const]
  })
}

/** What was absent the last time already has not vanished now. */
function vanished(old: RawTable, table: RawTable | undefined): DriftChange[] {
  const present = ownColumns(old).filter(column => column.absent !== true)
  if (table === undefined) {
    if (old.child === undefined || (present.length === 0 && ownColumns(old).length > 0)) return []
    return [{ kind: 'vanished', child: old.child, column: undefined }]
  }
  return present
    .filter(column => sameColumn(table, column) === undefined)
    .map(({ name, type }) => ({ kind: 'vanished', child: old.child, column: name, from: type }))
}

function sameColumn(table: RawTable, column: RawColumn): RawColumn | undefined {
  return findColumn(ownColumns(table), column.name)
}

/** `column discount VARCHAR is new`, `child table lines is gone`, `column amount of lines became VARCHAR from BIGINT`. */
export function driftText({ kind, child, column, from, to }: DriftChange): string {
  if (column === undefined) return `child table ${child ?? ''} is ${kind === 'added' ? 'new' : 'gone'}`
  const name = child === undefined ? `column ${column}` : `column ${column} of ${child}`
  if (kind === 'added') return `${name}${to === undefined ? '' : ` ${to}`} is new`
  return kind === 'vanished' ? `${name} is gone` : `${name} became ${to} from ${from}`
}
