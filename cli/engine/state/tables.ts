/**
 * The state tables, the same for every engine (decisions 2): `svc_state_history` and `svc_catalog` of the
 * contract, and the helper tables. Only `svc_live` says which generation is live; a promotion changes its
 * row. Every row belongs to a project; the store adds the project and filters by it (decisions 8, "Whose
 * state").
 */

export const stateSchema = 'svc'

/**
 * Increase this when a table changes shape (`migrations.ts`); a warehouse with a higher version is refused
 * (`warehouse-newer`).
 */
export const stateVersion = 13

export type ColumnType = 'text' | 'integer' | 'timestamp' | 'boolean' | 'double' | 'json' | 'uuid'

export interface Table {
  readonly columns: Readonly<Record<string, ColumnType>>
  /** Needed only if concurrent inserts must not both succeed, or an insert may meet an existing row. */
  readonly key?: readonly string[]
}

export const stateTables = {
  svc_meta: { columns: { version: 'integer' } },
  svc_live: {
    columns: { environment: 'text', generation: 'integer', run_id: 'text', project: 'text' },
    key: ['project', 'environment'],
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
      project: 'text',
      trigger: 'text',
      git_commit: 'text',
      refused: 'boolean',
      warnings: 'json',
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
      project: 'text',
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
      project: 'text',
      salt: 'text',
    },
  },
  svc_views: {
    columns: {
      environment: 'text',
      asset: 'text',
      view_schema: 'text',
      view_name: 'text',
      project: 'text',
      readers: 'text',
    },
  },
  svc_definitions: {
    columns: { definition_hash: 'text', definition: 'text', project: 'text' },
    key: ['project', 'definition_hash'],
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
      project: 'text',
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
      project: 'text',
    },
  },
  svc_drift: {
    columns: { load_key: 'text', asset: 'text', changes: 'json', project: 'text' },
  },
  svc_loaded_files: {
    columns: { load_key: 'text', asset: 'text', files: 'json', project: 'text' },
  },
  /** When the source of a load was last asked and had that content, whichever run and environment asked. */
  svc_fetches: {
    columns: { build_key: 'text', asset: 'text', fetched_at: 'timestamp', run_id: 'text', project: 'text' },
  },
  svc_lineage: {
    columns: { build_key: 'text', asset: 'text', complete: 'boolean', lineage: 'json', project: 'text' },
  },
  /** What the engine said of a view when it was made: its own text of the query, as a hash. */
  svc_view_texts: {
    columns: { build_key: 'text', asset: 'text', text: 'text', project: 'text' },
  },
  svc_marks: {
    columns: { environment: 'text', build_key: 'text', asset: 'text', marks: 'json', project: 'text' },
  },
  svc_publishes: {
    columns: {
      run_id: 'text',
      environment: 'text',
      asset: 'text',
      target: 'text',
      place: 'text',
      mode: 'text',
      status: 'text',
      started_at: 'timestamp',
      finished_at: 'timestamp',
      build_key: 'text',
      counts: 'json',
      error: 'text',
      project: 'text',
      trigger: 'text',
      git_commit: 'text',
      warnings: 'json',
    },
  },
  /** There may be millions of rows: what those of one publish have in common is in `svc_publishes`. */
  svc_published: {
    columns: {
      key_hash: 'uuid',
      row_hash: 'uuid',
      row_key: 'json',
      remote_id: 'text',
      run_id: 'text',
      project: 'text',
    },
  },
  svc_publish_rejects: {
    columns: {
      environment: 'text',
      asset: 'text',
      target: 'text',
      run_id: 'text',
      operation: 'text',
      row_key: 'json',
      reason: 'text',
      raw: 'json',
      rejected_at: 'timestamp',
      project: 'text',
    },
  },
} as const satisfies Readonly<Record<string, Table>>

export type StateTable = keyof typeof stateTables

/** Tables whose rows belong to a project: all except the one with the version. */
export type OwnedTable = Exclude<StateTable, 'svc_meta'>

export const ownedTables = Object.keys(stateTables).filter(name => name !== 'svc_meta') as OwnedTable[]

/** The columns of a record; the store adds the project. */
export type ColumnOf<Name extends OwnedTable> = Exclude<
  keyof (typeof stateTables)[Name]['columns'] & string,
  'project'
>

export function columnsOf<Name extends OwnedTable>(table: Name): ColumnOf<Name>[] {
  return Object.keys(stateTables[table].columns).filter(column => column !== 'project') as ColumnOf<Name>[]
}

export function typeOf(table: StateTable, column: string): ColumnType {
  const types: Readonly<Record<string, ColumnType>> = stateTables[table].columns
  const type = types[column]
  if (type === undefined) throw new Error(`${table} has no column ${column}`)
  return type
}
