/** Indexes and statements around a build on DuckDB: they are stored with it, or nothing is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWarehouse } from '../../cli/engine/warehouse/open.ts'
import { createProjectHere, type ProjectHere } from '../support/cli-here.ts'

const orders = `name: orders
ingest: {type: rows, rows: [{id: 1, amount: 5}, {id: 2, amount: 7}]}
transform: SELECT id, amount FROM {{ source }}
deploy:
  indexes:
    - {columns: id, unique: true, name: orders_id}
    - [amount, id]
  before: CREATE TEMPORARY TABLE extra AS SELECT {{ third() }} AS id
  after:
    - INSERT INTO {{ this }} SELECT id, 1 FROM extra  # the third
    - DROP TABLE extra
tests:
  - sql: SELECT 1 FROM (SELECT count(*) AS n FROM {{ this }}) WHERE n <> 3
`

const copy = `name: copy
ingest: none
transform: SELECT 1 AS one
deploy: {after: ["INSERT INTO {{ this }} SELECT id FROM {{ ref('orders') }}"]}
`

describe('what is done around a build on DuckDB', () => {
  let project: ProjectHere

  beforeAll(() => {
    project = createProjectHere({
      'svc.yaml': 'name: shop\nvars: {extra: 3}\n',
      'macros/numbers.sql': "CREATE MACRO third() AS {{ var('extra') }};\n",
      'models/orders.svc': orders,
      'models/copy.svc': copy,
    })
  })

  afterAll(() => project.dispose())

  const write = (text: string) => project.write('models/orders.svc', text)

  async function query(sql: string): Promise<unknown> {
    const warehouse = await openWarehouse('duckdb:./warehouse.duckdb', {
      root: project.root,
      project: 'shop',
    })
    const session = await warehouse.open('read')
    try {
      return await session?.query(sql)
    } finally {
      await session?.close()
    }
  }

  async function failsAt(text: string, place: string, message: string): Promise<void> {
    write(text)
    const { code, stdout, stderr } = await project.svc(['run'])
    expect(code).toBe(1)
    expect(stderr + stdout).toContain(place)
    expect((stderr + stdout).replace(/\s+/g, ' ')).toContain(message)
  }

  it('counts as what was built: its rows are tested, promoted and counted', async () => {
    const { stderr, code } = await project.svc(['run'])
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
    expect(stderr).toMatch(/orders +built +3 rows/)
    const { stdout } = await project.svc(['sample', 'orders', '--json'])
    expect((JSON.parse(stdout) as { rows: unknown[] }).rows).toHaveLength(3)
    expect((await project.svc(['sample', 'copy', '--json'])).stdout).toContain('3')
    const indexes = await query('SELECT index_name, is_unique FROM duckdb_indexes() ORDER BY 1')
    expect(indexes).toEqual([
      { index_name: 'orders__index_2', is_unique: false },
      { index_name: 'orders_id', is_unique: true },
    ])
  })

  it('is a part of the definition, comments are not', async () => {
    write(orders.replace('  # the third', ''))
    expect((await project.svc(['plan'])).stdout).toContain('Nothing to do')
    write(orders.replace('[amount, id]', 'amount').replace('SELECT id, 1', 'SELECT id, 2'))
    const stdout = (await project.svc(['plan'])).stdout.replace(/\s+/g, ' ')
    expect(stdout).toContain('deploy.indexes: - {"columns":["amount","id"]}')
    expect(stdout).toContain('deploy.indexes: + {"columns":["amount"]}')
    expect(stdout).toContain('deploy.after')
    expect(stdout).toMatch(/copy +rebuilt +because orders changed/)
  })

  it('fails at its place, and leaves nothing behind', async () => {
    await failsAt(
      orders.replace('SELECT id, amount', 'SELECT 1 AS id, amount'),
      'orders.svc:6:7',
      '1 value of id comes more than once',
    )
    await failsAt(
      orders.replace('SELECT id, 1 FROM extra', 'SELECT idd FROM extra'),
      'orders.svc:10:37',
      '"idd" not found',
    )
    await failsAt(
      orders.replace('DROP TABLE extra', 'DROP TABLE {{ this }}'),
      'orders.svc:11:7',
      'took away what was built',
    )
    const { stdout } = await project.svc(['sample', 'orders', '--json'])
    expect((JSON.parse(stdout) as { rows: unknown[] }).rows).toHaveLength(3)
  })

  it('has no roles to grant anything to', async () => {
    write(`${orders.replace('deploy:', 'deploy:\n  grants: {select: [analyst]}')}`)
    const { code, stdout } = await project.svc(['validate'])
    expect(code).toBe(1)
    expect(stdout).toMatch(/DuckDB has no roles +grants-impossible\n +models\/orders.svc:5:3/)
  })
})
