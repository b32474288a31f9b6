/** Builds relations: one transaction makes the relation, reads what became of it, and stores its record. */
import { type Column, internalName, type TableIndex } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { aroundOf, isChangedAfter, runAfter, runBefore, runOptions, takenAway } from '../around.ts'
import { changeStatements, type StateOwner } from '../sql-state/change-statements.ts'
import type { TableKey } from '../table-keys.ts'
import {
  type BuildOptions,
  type BuildResult,
  type BuildTask,
  isViewTask,
  type Relation,
  type Stage,
} from '../warehouse.ts'
import { type Connection, type Connections, endingTransaction, runStatements } from './connections.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { codeOf, hookFailure, type ServerError, statementFailure } from './failures.ts'
import { addKey, optionsSql } from './keys.ts'
import type { LoadedColumn } from './load-types.ts'
import { type LocalFiles, openLocalFiles } from './local-files.ts'
import { columnsSql } from './relations.ts'
import { copyRows } from './state-rows.ts'
import { rowsQuery } from './values.ts'

export interface BuildPlace {
  readonly connections: Connections
  readonly label: string
  /** The root of the project. */
  readonly root: string
  /** The project that the records belong to. */
  readonly owner: StateOwner
}

/** From this number of rows on, the planner is told about a table before others read it. */
const analyzedRows = 1_000

/** Never rejects for a failure of the build: that is its outcome. */
export async function build(place: BuildPlace, task: BuildTask, options: BuildOptions): Promise<void> {
  const { connections, label } = place
  const { signal, onEnd } = options
  const startMs = performance.now()
  const failed = { bug: undefined as unknown }
  try {
    const result = await connections.use(async connection => {
      options.onStart?.(task)
      return endingTransaction(connection, () => make(connection, task, place, options, failed))
    }, signal)
    onEnd(task, { ok: true, result })
  } catch (error) {
    if (failed.bug !== undefined) throw failed.bug
    const seconds = (performance.now() - startMs) / 1000
    const reason = signal?.aborted
      ? new SvcError('interrupted', 'interrupted', { cause: error })
      : statementFailure(error, label, { code: 'build-failed', sql: sentFor(task) })
    onEnd(task, { ok: false, error: reason, seconds })
  }
}

async function make(
  connection: Connection,
  task: BuildTask,
  { owner, root, label }: BuildPlace,
  { record, signal }: BuildOptions,
  failed: { bug: unknown },
): Promise<BuildResult> {
  const startMs = performance.now()
  const made =
    task.kind === 'load' && !isViewTask(task)
      ? await load(connection, task, { owner, root, signal })
      : await makeAround(connection, task, label)
  if ((made.rows ?? 0) >= analyzedRows) await connection.query(`ANALYZE ${dialect.relation(task.target)}`)
  const result = { ...made, seconds: (performance.now() - startMs) / 1000 }
  const changes = recorded(() => record(task, result), failed)
  await runStatements(connection, changeStatements(owner, changes))
  return result
}

/** An error of the callback is a bug of its own, and no outcome of the build. */
function recorded<T>(work: () => T, failed: { bug: unknown }): T {
  try {
    return work()
  } catch (error) {
    failed.bug = error
    throw error
  }
}

/** A table or view with the statements that users want around it. */
async function makeAround(connection: Connection, task: BuildTask, label: string): Promise<Made> {
  const run = async (sql: string) => {
    try {
      // In this form the server takes no second statement behind it, which could end the transaction.
      await connection.query(rowsQuery(sql))
    } catch (error) {
      throw hookFailure(error, label, sql)
    }
  }
  if (isBegunBefore(task)) await connection.query(beginOf(task))
  await runOptions(task, { run, engineSql: optionsSql })
  await runBefore(task, { run })
  const made = await runQuery(connection, task)
  const makeIndex = async (index: TableIndex) => {
    try {
      await run(indexSql(task.target, index))
    } catch (error) {
      throw codeOf(error) === '23505' ? notUnique(error) : error
    }
  }
  const makeKey = (key: TableKey) =>
    addKey(connection, { target: task.target, columns: made.columns }, key, label)
  await runAfter(task, { run, makeIndex, makeKey, keysHold: true })
  return isChangedAfter(task) ? { ...made, ...(await readMade(connection, task)) } : made
}

/** Only the detail says which value comes twice. */
function notUnique(error: unknown): SvcError {
  const { message, detail } = (error as SvcError).cause as ServerError
  return new SvcError('build-failed', detail === undefined ? message : `${message}: ${detail}`, {
    hint: 'Leave out "unique", or take the duplicates out in the query.',
    withoutValues: message,
    cause: error,
  })
}

const rowsName = internalName('rows')

/** Returns what the relation is after statements of users. */
async function readMade(connection: Connection, task: BuildTask): Promise<Made> {
  const { rows } = await connection.query<Answer['rows'][number]>(columnsSql(task.target))
  const columns = rows.map(({ column, type }) => ({ name: column, type }))
  if (columns.length === 0) throw takenAway(task)
  if (isViewTask(task)) return { rows: undefined, columns }
  const counted = await connection.query<Readonly<Record<string, string>>>(
    `SELECT count(*) AS ${rowsName} FROM ${dialect.relation(task.target)}`,
  )
  return { rows: Number(counted.rows[0]?.[rowsName]), columns }
}

/** Returns whether the transaction has begun when the relation is made; else they begin in one message. */
function isBegunBefore(task: BuildTask): boolean {
  if (task.kind === 'load') return task.stages !== undefined
  const { before = [], options } = task.around ?? {}
  return before.length > 0 || options !== undefined
}

/** Who looks at the sessions of the server, or into its log, sees of which run and asset each is. */
function beginOf({ target }: Pick<BuildTask, 'target'>): string {
  const name = `svc ${target.schema.replace(/^svc_g_/, '')} ${target.name}`
  return `BEGIN;SET LOCAL application_name TO ${dialect.literal(name)}`
}

/** The server chooses a name that is free. */
function indexSql(target: Relation, { columns, unique, method, name, where }: TableIndex): string {
  const named = name === undefined ? '' : ` ${dialect.identifier(name)}`
  const using = method === undefined ? '' : ` USING ${method}`
  const list = columns.map(dialect.identifier).join(', ')
  const condition = where === undefined ? '' : ` WHERE (\n${where}\n)`
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX${named} ON ${dialect.relation(target)}${using} (${list})${condition}`
}

/** The text that is sent: the query begins on a line of its own, so that excerpts show its lines. */
function sentFor(task: BuildTask): string {
  const begin = isBegunBefore(task) ? '' : `${beginOf(task)};`
  const isUnlogged = aroundOf(task)?.options?.unlogged === true
  const kind = isViewTask(task) ? 'VIEW' : isUnlogged ? 'UNLOGGED TABLE' : 'TABLE'
  return `${begin}CREATE ${kind} ${dialect.relation(task.target)} AS\n${task.sql}\n;${columnsSql(task.target)}`
}

type Made = Pick<BuildResult, 'rows' | 'columns'>

async function runQuery(connection: Connection, task: BuildTask): Promise<Made> {
  const answers = (await connection.query(sentFor(task))) as unknown as readonly Answer[]
  const created = answers.at(-2)
  const columns = (answers.at(-1)?.rows ?? []).map(({ column, type }) => ({ name: column, type }))
  // PostgreSQL makes tables without columns, and nobody means one.
  if (columns.length === 0) throw new SvcError('build-failed', 'the query has no columns')
  return { rows: isViewTask(task) ? undefined : (created?.rowCount ?? 0), columns }
}

interface Answer {
  readonly rowCount: number | null
  readonly rows: readonly { readonly column: string; readonly type: string }[]
}

interface LoadPlace extends Pick<BuildPlace, 'owner' | 'root'> {
  readonly signal: AbortSignal | undefined
}

async function load(
  connection: Connection,
  task: BuildTask & { readonly kind: 'load' },
  { owner, root, signal }: LoadPlace,
): Promise<Made> {
  const files = await openLocalFiles(root, signal)
  try {
    const made =
      task.stages === undefined
        ? await loadFiles(connection, files, task)
        : await loadStages(connection, files, task, task.stages)
    for (const each of task.appends ?? []) await copyRows({ connection, files, owner }, each)
    return made
  } finally {
    await files.close()
  }
}

async function loadFiles(
  connection: Connection,
  files: LocalFiles,
  { sql, columns: wanted, target }: Pick<BuildTask & { readonly kind: 'load' }, 'sql' | 'columns' | 'target'>,
): Promise<Made> {
  const name = dialect.relation(target)
  const columns = await files.columns(sql, wanted)
  await connection.query(`${beginOf({ target })};CREATE TABLE ${name} (${definitions(columns)})`)
  const rows = await files.copyIn(connection, { sql, into: name, columns })
  return { rows, columns: columns.map(({ name, type }): Column => ({ name, type })) }
}

/** The rows of the files join those of the load before in tables of this transaction. */
async function loadStages(
  connection: Connection,
  files: LocalFiles,
  task: BuildTask & { readonly kind: 'load' },
  stages: readonly Stage[],
): Promise<Made> {
  await connection.query(beginOf(task))
  for (const { name, sql, columns: wanted } of stages) {
    const into = dialect.identifier(name)
    const columns = await files.columns(sql, wanted)
    await connection.query(`CREATE TEMPORARY TABLE ${into} (${definitions(columns)}) ON COMMIT DROP`)
    await files.copyIn(connection, { sql, into, columns })
    await connection.query(`ANALYZE ${into}`)
  }
  return runQuery(connection, task)
}

function definitions(columns: readonly LoadedColumn[]): string {
  return columns.map(({ name, type }) => `${dialect.identifier(name)} ${type}`).join(', ')
}
