/**
 * An engine that cannot commit a relation together with its record: relations are in a database file, state is in a
 * file of records beside it. It stands for all engines without transactional DDL in the conformance suite.
 */
import { join } from 'node:path'
import type { Row } from '../../../../cli/engine/state/changes.ts'
import { openWarehouse } from '../../../../cli/engine/warehouse/open.ts'
import type { OpenOptions, Warehouse, WarehouseSession } from '../../../../cli/engine/warehouse/warehouse.ts'
import { type RecordLog, recordLog } from './record-log.ts'
import { buildSeparately } from './stub-build.ts'
import { stubPromotion } from './stub-promotion.ts'
import { stubStore } from './stub-store.ts'

/** The capabilities that the database has and this engine lacks. */
const without = { transactionalDdl: false, sharedCommits: false }

/** `stub:./file` */
export async function stubWarehouse(url: string, root: string, project: string): Promise<Warehouse> {
  const path = url.slice('stub:'.length)
  const inner = await openWarehouse(`duckdb:${path}`, { root, project })
  return around(inner, recordLog(join(root, `${path}.records`)))
}

function around(inner: Warehouse, log: RecordLog): Warehouse {
  const { project } = inner
  function open(mode: 'write', options?: OpenOptions): Promise<WarehouseSession>
  function open(mode: 'read', options?: OpenOptions): Promise<WarehouseSession | undefined>
  async function open(mode: 'read' | 'write', options?: OpenOptions) {
    const session = mode === 'write' ? await inner.open('write', options) : await inner.open('read', options)
    return session === undefined ? undefined : stubSession(session, log, project)
  }
  const { version: _, ...rest } = inner
  return {
    ...rest,
    capabilities: { ...inner.capabilities, ...without },
    label: `stub: ${inner.shortLabel}`,
    ofProject: name => around(inner.ofProject(name), log),
    stateOf: () => stubStore(log, project),
    open,
  }
}

function stubSession(inner: WarehouseSession, log: RecordLog, project: string): WarehouseSession {
  const state = stubStore(log, project)
  return {
    ...inner,
    capabilities: { ...inner.capabilities, ...without },
    state,
    async export(rows, path, signal) {
      if ('sql' in rows) return inner.export(rows, path, signal)
      const list = rows.columns.map(column => `record.${inner.dialect.identifier(column)}`).join(', ')
      const shape = JSON.stringify([Object.fromEntries(rows.columns.map(column => [column, 'VARCHAR']))])
      const found = log.rows(rows.table, project).filter(row => log.fits(project, row, rows.where))
      const records = `from_json(CAST(${inner.dialect.literal(JSON.stringify(found))} AS JSON), ${inner.dialect.literal(shape)})`
      await inner.export({ sql: `SELECT ${list} FROM (SELECT unnest(${records}) AS record)` }, path, signal)
    },
    async append(changes, { removals, rows: appends }) {
      await state.commit(changes)
      for (const { table, where, column, sql } of removals) {
        const gone = await inner.query<{ value: string }>(`SELECT value FROM (${sql}) AS gone (value)`)
        const rows = gone.map(({ value }) => ({ [column]: value }))
        await state.commit([
          { kind: 'delete', table, where: [...where, { kind: 'among', columns: [column], rows }] },
        ])
      }
      for (const { table, facts, sql } of appends) {
        const added = (await inner.query(sql)).map(row => ({ ...facts, ...(row as Row) }))
        await state.commit([{ kind: 'insert', table, rows: added }])
      }
    },
    build: (task, options) => buildSeparately(inner, state, task, options),
    promotion: stubPromotion(inner, log, project),
  }
}
