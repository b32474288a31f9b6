/**
 * Records of state in a file of lines beside a database: one line a commit, so that nothing can be committed together
 * with what is in the database. What a dying process wrote of its last line does not count.
 */
import { appendFileSync, existsSync, readFileSync, statSync, truncateSync } from 'node:fs'
import type { Condition, Insert, Row, StateChange } from '../../../../cli/engine/state/changes.ts'
import { type OwnedTable, ownedTables, stateTables, type Table } from '../../../../cli/engine/state/tables.ts'
import type { PointerChange } from '../../../../cli/engine/warehouse/warehouse.ts'

type Tables = ReadonlyMap<OwnedTable, readonly Row[]>

/** What a line says; `intent` is a flip that has begun, and a commit of its environment ends it. */
interface Line {
  readonly project: string
  readonly changes?: readonly StateChange[]
  readonly intent?: PointerChange
  readonly ended?: string
  /** The project whose rows are this one's from now on. */
  readonly adopts?: string
}

const empty: Tables = new Map(ownedTables.map(name => [name, []]))

const logs = new Map<string, RecordLog>()

/** One for all sessions of this process. */
export function recordLog(path: string): RecordLog {
  const log = logs.get(path) ?? new RecordLog(path)
  logs.set(path, log)
  return log
}

export class RecordLog {
  private readonly path: string
  private bytes = 0
  private tables: Tables = empty
  private intents = new Map<string, PointerChange>()

  constructor(path: string) {
    this.path = path
  }

  rows(table: OwnedTable, project: string): readonly Row[] {
    this.catchUp()
    return this.tables.get(table)?.filter(row => row['project'] === project) ?? []
  }

  rowsOfOthers(table: OwnedTable, project: string): readonly Row[] {
    this.catchUp()
    return this.tables.get(table)?.filter(row => row['project'] !== project) ?? []
  }

  intentOf(project: string, environment: string): PointerChange | undefined {
    this.catchUp()
    return this.intents.get(`${project}\n${environment}`)
  }

  /** All or nothing: what cannot be applied is not written. */
  append(line: Line): void {
    this.catchUp()
    const text = `${JSON.stringify(line).replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, half => (half.length > 2 ? '\ufffd' : half))}\n`
    const next = applied(this.tables, JSON.parse(text) as Line)
    if (existsSync(this.path) && statSync(this.path).size > this.bytes) truncateSync(this.path, this.bytes)
    appendFileSync(this.path, text)
    this.bytes += Buffer.byteLength(text)
    this.tables = next
    this.noteIntent(JSON.parse(text) as Line)
  }

  fits(project: string, row: Row, where: readonly Condition[]): boolean {
    return matches(this.tables, project, where)(row)
  }

  count(project: string, table: OwnedTable, where: readonly Condition[]): number {
    this.catchUp()
    return (this.tables.get(table) ?? []).filter(matches(this.tables, project, where)).length
  }

  /** Other processes may have written, or the file may be another one. */
  private catchUp(): void {
    const size = existsSync(this.path) ? statSync(this.path).size : 0
    if (size === this.bytes) return
    this.bytes = 0
    this.tables = empty
    this.intents = new Map()
    const text = size === 0 ? '' : readFileSync(this.path, 'utf8')
    for (const line of text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter(Boolean)) {
      const parsed = JSON.parse(line) as Line
      this.tables = applied(this.tables, parsed)
      this.noteIntent(parsed)
      this.bytes += Buffer.byteLength(line) + 1
    }
  }

  private noteIntent({ project, intent, ended }: Line): void {
    if (intent !== undefined) this.intents.set(`${project}\n${intent.environment}`, intent)
    if (ended !== undefined) this.intents.delete(`${project}\n${ended}`)
  }
}

function applied(tables: Tables, { project, changes = [], adopts }: Line): Tables {
  const next = new Map(tables)
  for (const change of changes) next.set(change.table, changed(next, project, change))
  if (adopts === undefined) return next
  for (const [name, rows] of next)
    next.set(
      name,
      rows.map(row => (row['project'] === adopts ? { ...row, project } : row)),
    )
  return next
}

function changed(tables: Tables, project: string, change: StateChange): readonly Row[] {
  const rows = tables.get(change.table)
  if (rows === undefined) throw new Error(`there is no table ${change.table}`)
  if (change.kind === 'insert') return inserted(rows, project, change)
  const isMeant = matches(tables, project, change.where)
  if (change.kind === 'delete') return rows.filter(row => !isMeant(row))
  return rows.map(row => (isMeant(row) ? { ...row, ...change.values } : row))
}

function inserted(
  rows: readonly Row[],
  project: string,
  { table, rows: given, known }: Insert,
): readonly Row[] {
  const { key = [] }: Table = stateTables[table]
  const owned = given.map(row => ({ ...row, project }))
  if (known === undefined) return [...rows, ...owned]
  const keyOf = (row: Row) => JSON.stringify(key.map(column => row[column]))
  const byKey = new Map(rows.map(row => [keyOf(row), row]))
  for (const row of owned) if (known === 'replaced' || !byKey.has(keyOf(row))) byKey.set(keyOf(row), row)
  return [...byKey.values()]
}

function matches(tables: Tables, project: string, where: readonly Condition[]): (row: Row) => boolean {
  const tests = where.map(condition => testOf(tables, project, condition))
  return row => row['project'] === project && tests.every(test => test(row))
}

function testOf(tables: Tables, project: string, condition: Condition): (row: Row) => boolean {
  if (condition.kind === 'is') return row => (row[condition.column] ?? null) === condition.value
  const keyOf = (row: Row) => JSON.stringify(condition.columns.map(column => row[column]))
  if ('table' in condition) {
    const others = tables.get(condition.table) ?? []
    const there = new Set(others.filter(matches(tables, project, condition.where ?? [])).map(keyOf))
    return row => there.has(keyOf(row)) === (condition.kind === 'in')
  }
  const listed = new Set(condition.rows.map(keyOf))
  return row => listed.has(keyOf(row)) === (condition.kind === 'among')
}
