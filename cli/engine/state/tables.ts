/**
 * The tables in schema `svc` (decisions 2): `svc_state_history` and `svc_catalog` of the contract, and the helper tables.
 * Written for any dialect. `svc_live` alone says which generation is live; its row is changed by a promotion's flip.
 */
import type { Dialect } from '../warehouse/dialect.ts'

export const stateSchema = 'svc'

/** Raised when a table changes shape; a warehouse with a higher one is left alone (`warehouse-newer`). */
export const stateVersion = 3

export type ColumnType = keyof Dialect['types']

interface Table {
  readonly columns: Readonly<Record<string, ColumnType>>
  /** Only where two writers at once must not both succeed, or an insert may meet the same row again. */
  readonly key?: string
}

export const stateTables = {
  svc_meta: { columns: { version: 'integer' } },
  svc_live: {
    columns: { environment: 'text', generation: 'integer', run_id: 'text' },
    key: 'environment',
  },
  svc_state_history: {
    columns: {
      run_id: 'text',
      environment: 'text',
      kind: 'text',
      selector: 'text',
      status: 'text',
      started_at: 'timestamp',
      finished_at: 'timestamp',
      generation: 'integer',
      assets: 'json',
      error: 'text',
      from_generation: 'integer',
    },
  },
  svc_catalog: {
    columns: {
      environment: 'text',
      asset: 'text',
      definition_hash: 'text',
      build_key: 'text',
      run_id: 'text',
      deployed_at: 'timestamp',
      green_schema: 'text',
      columns: 'json',
    },
  },
  svc_builds: {
    columns: {
      build_key: 'text',
      asset: 'text',
      part: 'text',
      kind: 'text',
      definition_hash: 'text',
      relation_schema: 'text',
      relation_name: 'text',
      children: 'json',
      columns: 'json',
      rows: 'integer',
      run_id: 'text',
      created_at: 'timestamp',
      seconds: 'double',
      pins: 'json',
      load_id: 'text',
      sql: 'text',
      deploy_schema: 'text',
    },
  },
  svc_views: {
    columns: { environment: 'text', asset: 'text', view_schema: 'text', view_name: 'text' },
  },
  svc_definitions: {
    columns: { definition_hash: 'text', definition: 'text' },
    key: 'definition_hash',
  },
  svc_test_results: {
    columns: {
      environment: 'text',
      asset: 'text',
      name: 'text',
      test_hash: 'text',
      input_key: 'text',
      status: 'text',
      severity: 'text',
      failures: 'integer',
      message: 'text',
      seconds: 'double',
      run_id: 'text',
      ran_at: 'timestamp',
    },
  },
  svc_rejects: {
    columns: {
      environment: 'text',
      run_id: 'text',
      asset: 'text',
      load_key: 'text',
      load_id: 'text',
      status: 'text',
      record_number: 'integer',
      kind: 'text',
      code: 'text',
      child: 'text',
      column_name: 'text',
      message: 'text',
      raw: 'json',
      record_hash: 'text',
      rejected_at: 'timestamp',
      replayed_run_id: 'text',
    },
  },
  svc_drift: {
    columns: { load_key: 'text', asset: 'text', changes: 'json' },
  },
} as const satisfies Readonly<Record<string, Table>>

export type StateTable = keyof typeof stateTables

export function stateTable(dialect: Dialect, table: StateTable): string {
  return dialect.relation({ schema: stateSchema, name: table })
}

/** Makes schema and tables where they are missing and says their version. */
export function createStateTables(dialect: Dialect): string[] {
  const tables = Object.entries(stateTables) as [StateTable, Table][]
  const meta = stateTable(dialect, 'svc_meta')
  return [
    `CREATE SCHEMA IF NOT EXISTS ${dialect.identifier(stateSchema)}`,
    ...tables.map(([name, table]) => createTable(dialect, name, table)),
    `INSERT INTO ${meta} SELECT ${stateVersion} WHERE NOT EXISTS (SELECT 1 FROM ${meta})`,
  ]
}

function createTable(dialect: Dialect, name: StateTable, { columns, key }: Table): string {
  const list = Object.entries(columns).map(([column, type]) => {
    const isKey = column === key ? ' PRIMARY KEY' : ''
    return `${dialect.identifier(column)} ${dialect.types[type]}${isKey}`
  })
  return `CREATE TABLE IF NOT EXISTS ${stateTable(dialect, name)} (${list.join(', ')})`
}
