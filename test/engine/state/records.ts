/** Records of state, as tests need them. */
import type {
  BuildRecord,
  CatalogRecord,
  HistoryRecord,
  TestRecord,
} from '../../../cli/engine/state/state.ts'

export const odd = 'it\'s "odd"; -- 🦆\n\t\\ $1'

export function at(minute: number): string {
  return new Date(Date.UTC(2026, 0, 2, 3, minute, 5, 678)).toISOString()
}

export function history(run_id: string, parts: Partial<HistoryRecord> = {}): HistoryRecord {
  return {
    run_id,
    environment: 'prod',
    kind: 'run',
    selector: null,
    status: 'deployed',
    started_at: at(0),
    finished_at: at(1),
    generation: 1,
    from_generation: 0,
    assets: [],
    error: null,
    trigger: 'cli',
    git_commit: null,
    refused: false,
    warnings: [],
    ...parts,
  }
}

export function asset(name: string, build_key: string | null): HistoryRecord['assets'][number] {
  return { name, definition_hash: 'd', build_key, rows: 3, seconds: 0.25, status: 'built' }
}

export const child = {
  relation: { schema: 'g', name: odd },
  columns: [{ name: odd, type: 'VARCHAR' }],
  rows: 4,
}

export function build(build_key: string, parts: Partial<BuildRecord> = {}): BuildRecord {
  return {
    build_key,
    asset: 'a',
    part: 'model',
    kind: 'table',
    definition_hash: 'd',
    relation: { schema: 'svc_g_1', name: 'a' },
    children: {},
    columns: [{ name: 'id', type: 'DECIMAL(12,2)' }],
    rows: 3,
    run_id: 'r1',
    created_at: at(0),
    seconds: 0.125,
    pins: [],
    load_id: null,
    sql: null,
    deploy_schema: null,
    salt: null,
    ...parts,
  }
}

export function catalog(name: string, parts: Partial<CatalogRecord> = {}): CatalogRecord {
  return {
    environment: 'prod',
    asset: name,
    definition_hash: 'd',
    build_key: `key of ${name}`,
    run_id: 'r1',
    deployed_at: at(2),
    green_schema: 'svc_g_1',
    columns: [{ name: odd, type: 'STRUCT(a INTEGER)' }],
    ...parts,
  }
}

export function testRecord(name: string, parts: Partial<TestRecord> = {}): TestRecord {
  return {
    asset: name,
    name: 'not_null_id',
    test_hash: 't',
    input_key: 'i',
    status: 'fail',
    severity: 'warn',
    failures: 2,
    message: null,
    seconds: 0.5,
    run_id: 'r1',
    ran_at: at(0),
    ...parts,
  }
}
