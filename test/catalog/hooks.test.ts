/** The statements around a build are parsed by the engine's own grammar, on DuckDB and on PostgreSQL. */
import { openCatalog, type ShadowCatalog } from '@svc/server/catalog'
import { createProject, lineIndex, parseSettings, type SourceShapes } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256, shown } from '../support/sql-lab.ts'

const sources: SourceShapes = new Map()

describe.each([
  {
    engine: 'DuckDB',
    warehouse: 'duckdb:./warehouse.duckdb',
    own: 'INSERT INTO {{ this }} BY NAME SELECT 1 AS id',
  },
  {
    engine: 'PostgreSQL',
    warehouse: 'postgres://localhost/shop',
    own: 'ALTER TABLE {{ this }} SET (fillfactor = 70)',
  },
])('statements around a build on $engine', ({ warehouse, own }) => {
  const settings = parseSettings(`name: shop\nwarehouse: "${warehouse}"\nvars: {least: 3}\n`)
  const path = 'models/orders.svc'
  let catalog: ShadowCatalog
  let project = createProject({ settings, files: [], hash: sha256 })

  beforeAll(async () => {
    catalog = await openCatalog(settings.engine)
  }, 60_000)
  afterAll(() => catalog.close())

  /** The line, the code, the text at the place and the message of each problem. */
  async function problems(deploy: string): Promise<readonly string[]> {
    const text = `name: orders\ningest: none\ntransform: SELECT 1 AS id\ndeploy:\n${deploy}`
    project = project.with(path, text)
    const found = (await catalog.analyze(project, sources)).of('orders')?.diagnostics ?? []
    const lines = lineIndex(text)
    return found.map(each => `${lines.position(each.range.start).line} ${shown(each, text)}`)
  }

  it('that parse are left alone, whatever tables they read', async () => {
    const deploy = `  before:
    - CREATE TEMPORARY TABLE lost AS SELECT 1 AS id; -- for below
    - -- nothing
    - |
      /* nothing either */
  after:
    - DELETE FROM {{ this }} WHERE id IN (SELECT id FROM lost) OR id < {{ var('least') }}
    - INSERT INTO elsewhere SELECT * FROM {{ ref('orders') }}
    - COMMENT ON TABLE {{ this }} IS 'parcels'
    - ${own}
`
    expect(await problems(deploy)).toEqual([])
  })

  it('have each mistake of syntax at its place', async () => {
    const deploy = `  before:
    - CREATE TEMPORARY TABLE lost AS SELECT 1 AS id
    - CREATE TEMPORARY TABEL other AS SELECT 1 AS id
  after:
    - DELETE FORM {{ this }} WHERE id = 1
    - |
      UPDATE {{ this }}
      SET id = id + {{ var('least') }} WERE id = 1
    - INSERT INTO {{ this }} VALUES (1
`
    const found = await problems(deploy)
    expect(found).toEqual([
      '7 sql-syntax "TABEL" syntax error at or near "TABEL"',
      '9 sql-syntax "FORM" syntax error at or near "FORM"',
      '12 sql-syntax "WERE" syntax error at or near "WERE"',
      '13 sql-syntax "1" the statement ends too early',
    ])
  })

  it('are parsed again when they are mended, and only theirs are reported', async () => {
    expect(await problems('  after: DELETE FORM {{ this }}\n')).toHaveLength(1)
    expect(await problems('  after: DELETE FROM {{ this }}\n')).toEqual([])
    expect(await problems('  materialize: table\n')).toEqual([])
  })

  it('are remembered with the asset', async () => {
    await problems('  after: DELETE FORM {{ this }}\n')
    const memory = catalog.remember(() => true)
    const next = await openCatalog(settings.engine, { memory })
    try {
      const analysis = (await next.analyze(project, sources)).of('orders')
      expect(next.isRemembered('orders')).toBe(true)
      expect(analysis?.diagnostics.map(({ code }) => code)).toEqual(['sql-syntax'])
    } finally {
      next.close()
    }
  })
})
