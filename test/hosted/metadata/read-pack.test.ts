import { describe, expect, it } from 'vitest'
import type { Pack } from '../../../hosted-api/metadata/pack/pack.ts'
import { readPack } from '../../../hosted-api/metadata/pack/read-pack.ts'

const project = { id: 'shop', name: 'Shop', warehouse: 'duckdb', default_schema: 'analytics' }
const orders = {
  id: 'orders',
  path: 'models/orders.svc',
  blocks: {
    name: 'orders',
    ingest: { type: 'rest_api' },
    transform: 'SELECT 1',
    tests: [{ unique: 'id' }, { not_null: ['id', 'at'] }],
  },
  schema: { columns: [{ name: 'id', type: 'INTEGER' }] },
}

function read(body: unknown, source?: string) {
  const outcome = readPack(body, source)
  if (outcome.kind !== 'pack') throw new Error(JSON.stringify(outcome.problems))
  return outcome
}
const packOf = (body: object): Pack => read({ project, assets: [orders], ...body }).pack

function problems(body: unknown, source?: string): readonly string[] {
  const outcome = readPack(body, source)
  return outcome.kind === 'pack' ? [] : outcome.problems.map(({ pointer, code }) => `${pointer} ${code}`)
}

describe('the forms of an upload', () => {
  it('is a wrapper with its source, or the file as it is', () => {
    expect(read({ context_pack: { project, assets: [orders] }, source: 'cli' }).source).toBe('cli')
    expect(read({ project, assets: [orders] }).source).toBe('webhook')
    expect(read({ project, assets: [] }, 'schedule').source).toBe('schedule')
  })

  it('warns of a wrapper without a source', () => {
    const { source, pack } = read({ context_pack: { project, assets: [] } })
    expect(source).toBe('cli')
    expect(pack.warnings).toMatchObject([{ code: 'no_source' }])
  })

  it('is the same pack whatever its form and its time', () => {
    const { hash } = read({ project, assets: [orders], generated_at: '2026-01-01T00:00:00Z' })
    expect(read({ context_pack: { project, assets: [orders] }, source: 'cli' }).hash).toBe(hash)
    expect(read({ project, assets: [{ ...orders, path: 'x.svc' }] }).hash).not.toBe(hash)
  })

  it.each([
    ['nothing to read', [], ['/ no_pack'.replace('/', '')]],
    ['no assets', { project }, [' no_pack']],
    ['a bad label', { context_pack: { project, assets: [] }, source: 'My CI' }, ['/source pattern']],
    ['no project id', { project: {}, assets: [] }, ['/project/id required']],
    ['a misspelt member', { project, assets: [], linage: [] }, ['/linage unknown_member']],
    [
      'a misspelt member of an asset',
      { context_pack: { project, assets: [{ id: 'a', shema: {} }] } },
      ['/context_pack/assets/0/shema unknown_member'],
    ],
    ['an asset without a name', { project, assets: [{ path: 'x' }] }, ['/assets/0/id required']],
    [
      'one identifier twice',
      {
        project,
        assets: [
          { id: 'a', name: 'x' },
          { id: 'a', name: 'y' },
        ],
      },
      ['/assets/1/id not_unique'],
    ],
    [
      'one name twice',
      {
        project,
        assets: [
          { id: 'a', name: 'x' },
          { id: 'b', name: 'x' },
        ],
      },
      ['/assets/1/name not_unique'],
    ],
    [
      'a column twice',
      { project, assets: [{ id: 'a', schema: { columns: [{ name: 'x' }, { name: 'X' }] } }] },
      ['/assets/0/schema not_unique'],
    ],
    ['an edge of one end', { project, assets: [], lineage: [{ from: 'a' }] }, ['/lineage/0 no_edge']],
    [
      'an edge with a typo',
      { project, assets: [], lineage: [{ from: 'a', to: 'b', colums: [] }] },
      ['/lineage/0/colums unknown_member'],
    ],
    [
      'a pair of one column',
      { project, assets: [], lineage: [{ from: 'a', to: 'b', columns: [{ from: 'x' }] }] },
      ['/lineage/0/columns/0 no_column_pair'],
    ],
    ['a NUL', { project, assets: [{ id: 'a', path: 'x\u0000' }] }, ['/assets/0/path bad_text']],
    ['another version', { version: 2, project, assets: [] }, ['/version maximum']],
  ])('refuses %s', (_, body, expected) => {
    expect(problems(body)).toEqual(expected)
  })

  it('tells the nearest right name', () => {
    const outcome = readPack({ project, assets: [], linage: [] }, undefined)
    expect(JSON.stringify(outcome)).toContain('did you mean \\"lineage\\"')
  })
})

describe('assets', () => {
  it('take from their blocks what nobody says elsewhere', () => {
    const blocks = { description: 'All orders', owner: 'ops@x.co', tags: ['core'], ingest: { type: 'none' } }
    expect(packOf({ assets: [{ id: 'a', blocks }] }).assets[0]).toMatchObject({
      name: 'a',
      kind: 'model',
      description: 'All orders',
      owner: 'ops@x.co',
      tags: ['core'],
      columns: null,
    })
  })

  it('have the tests of their blocks, one a column, unless the pack lists tests', () => {
    expect(packOf({}).assets[0]?.tests.map(test => test.name)).toEqual([
      'unique_id',
      'not_null_id',
      'not_null_at',
    ])
    const tests = [
      { asset: 'orders', name: 'mine', kind: 'unique', column: 'id', severity: 'warn', definition: {} },
    ]
    expect(packOf({ tests }).assets[0]?.tests).toEqual([
      { name: 'mine', type: 'unique', column: 'id', severity: 'warn', definition: {} },
    ])
  })

  it('have the columns of `schemas` where they bring none', () => {
    const schemas = { a: { columns: [{ name: 'x', type: null }] } }
    expect(packOf({ assets: [{ id: 'a' }], schemas }).assets[0]?.columns).toEqual([{ name: 'x', type: null }])
  })

  it('are read from a catalogue too, with results and versions', () => {
    const pack = packOf({
      environment: 'prod',
      exposures: [
        { name: 'Board', asset: 'sales', type: 'dashboard', url: null, owner: null, description: 'Weekly' },
      ],
      excluded_columns: 0,
      active_assets: 1,
      assets: [
        {
          name: 'sales',
          path: 'models/sales.svc',
          kind: 'model',
          columns: [{ name: 'day', type: 'DATE', nullable: true, description: null, pii: false }],
          raw_sql: 'SELECT 1',
          compiled_sql: 'SELECT 1',
          definition_hash: 'abc',
          active_hash: 'abc',
          status: 'deployed',
          last_run: '2026-01-02T03:04:05.000Z',
          tests: [{ name: 'unique_day', status: 'pass', execution_time: 0.01 }],
          summary: { total: 1, passed: 1, failed: 0 },
          upstream: [],
          downstream: [],
        },
      ],
    })
    expect(pack.versions).toMatchObject([
      { identifier: 'sales', hash: 'abc', deployed_at: '2026-01-02T03:04:05.000Z' },
    ])
    expect(pack.results).toMatchObject([
      { identifier: 'sales', tests: [{ name: 'unique_day', status: 'pass' }] },
    ])
    expect(pack.edges).toEqual([{ from: 'sales', to: 'exposure:Board', kind: 'exposure', columns: [] }])
    expect(pack.outsiders).toMatchObject([
      { name: 'Board', kind: 'exposure', description: 'Weekly', blocks: { type: 'dashboard' } },
    ])
  })
})

describe('the lineage', () => {
  it.each([
    [{ from: 'raw', to: 'orders' }],
    [{ source: 'raw', target: 'orders' }],
    [{ upstream: 'raw', downstream: 'orders' }],
    [{ parent: 'raw', child: 'orders' }],
    [['raw', 'orders']],
  ])('is read as %j', item => {
    const { edges } = packOf({ assets: [orders, { id: 'raw' }], lineage: [item] })
    expect(edges).toEqual([{ from: 'raw', to: 'orders', kind: 'ref', columns: [] }])
  })

  it('names assets by id or by name', () => {
    const assets = [
      { id: '1', name: 'raw' },
      { id: '2', name: 'orders' },
    ]
    expect(packOf({ assets, lineage: [['raw', '2']] }).edges).toMatchObject([{ from: '1', to: '2' }])
  })

  it('makes an external node of what is no asset, and says so', () => {
    const pack = packOf({
      lineage: [
        ['crm', 'orders'],
        ['crm', 'orders'],
      ],
    })
    expect(pack.outsiders).toMatchObject([{ identifier: 'crm', kind: 'external' }])
    expect(pack.edges).toHaveLength(1)
    expect(pack.warnings).toMatchObject([{ code: 'external_node', pointer: '/lineage/0' }])
  })

  it('keeps columns with what is done to them', () => {
    const columns = [{ from: 'a', to: 'b', transform: 'md5(a)', masking: true }]
    const uses = [{ column: 'c', clauses: ['WHERE'] }]
    const { edges } = packOf({ lineage: [{ from: 'orders', to: 'x', kind: 'ref', columns, uses }] })
    expect(edges[0]?.columns).toEqual(columns)
  })
})

describe('versions and results', () => {
  it('come from runs: what was built, and of failed runs what failed', () => {
    const run = (run_id: string, status: string, asset: string, kind = 'run') => ({
      run_id,
      kind,
      status,
      started_at: '2026-01-01T00:00:00Z',
      finished_at: `2026-01-0${run_id}T00:00:00Z`,
      assets: [{ name: 'orders', definition_hash: `h${run_id}`, status: asset }],
    })
    const { versions } = packOf({
      history: [
        run('4', 'deployed', 'unchanged'),
        run('3', 'Failed', 'failed'),
        run('2', 'Failed', 'built'),
        run('1', 'deployed', 'built'),
        run('5', 'deployed', 'built', 'preview'),
      ],
    })
    expect(versions.map(({ hash, status, run_id }) => `${hash} ${status} ${run_id}`)).toEqual([
      'h1 deployed 1',
      'h3 Failed 3',
    ])
  })

  it('leave out what is said of unknown assets, and say so', () => {
    const entry = {
      asset_name: 'gone',
      timestamp: '2026-01-01T00:00:00Z',
      tests: [],
      summary: { total: 0, passed: 0, failed: 0 },
    }
    const pack = packOf({ test_results: { gone: entry }, versions: { gone: [] } })
    expect(pack.results).toEqual([])
    expect(pack.warnings.map(warning => warning.code)).toEqual(['unknown_asset', 'unknown_asset'])
  })
})

describe('the glossary', () => {
  const kinds = (body: object) => packOf(body).glossary.map(({ kind, pointer }) => `${kind} ${pointer}`)

  it('is a list of entries, told apart by kind, identifier or fields', () => {
    const glossary = [
      { kind: 'dimension', name: 'Status' },
      { id: 'metric.revenue', name: 'Revenue' },
      { name: 'No names', rule: 'None' },
      { term: 'term.x', asset: 'orders' },
      { name: 'Customer' },
    ]
    expect(kinds({ glossary })).toEqual([
      'dimension /glossary/0',
      'metric /glossary/1',
      'policy /glossary/2',
      'link /glossary/3',
      'term /glossary/4',
    ])
  })

  it('is the document of an export, whose terms bring their links', () => {
    const term = {
      id: 1,
      identifier: 'term.x',
      name: 'X',
      links: [{ asset: 'orders', column: 'id', role: null }],
    }
    const glossary = {
      project: { id: 1, name: 'shop' },
      terms: [term],
      metrics: [],
      dimensions: [],
      policies: [],
    }
    expect(packOf({ glossary }).glossary).toMatchObject([
      { kind: 'term', entry: { identifier: 'term.x' } },
      {
        kind: 'link',
        entry: { term: 'term.x', asset: 'orders', column: 'id' },
        pointer: '/glossary/terms/0/links/0',
      },
    ])
  })

  it('may stand beside the pack in lists of its own', () => {
    expect(kinds({ policies: [{ name: 'P', rule: 'R' }], metrics: [{ name: 'M' }] })).toEqual([
      'metric /metrics/0',
      'policy /policies/0',
    ])
  })

  it.each([
    ['an entry of no kind', { glossary: [{ kind: 'theme', name: 'x' }] }, ['/glossary/0/kind not_allowed']],
    ['an entry that is a text', { glossary: ['x'] }, ['/glossary/0 wrong_type']],
    ['a list of no kind', { glossary: { themes: [] } }, ['/glossary/themes unknown_member']],
  ])('refuses %s', (_, body, expected) => {
    expect(problems({ project, assets: [], ...body })).toEqual(expected)
  })
})
