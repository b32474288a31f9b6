/** Columns that the data decide: unknown until a run, then as it found them. */

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CatalogFile } from '../../server/contract/index.ts'
import { createGround, expectNoStack, type Ground } from './bad-input/command-line.ts'

const pivot = "PIVOT (SELECT customer, status, amount FROM {{ ref('orders') }}) ON status USING sum(amount)"

const asset = (name: string, sql: string): string => `name: ${name}\ningest: none\ntransform: |\n  ${sql}\n`

const orders = (
  rows: string,
  transform = 'SELECT customer, status, amount FROM {{ source }}',
) => `name: orders
ingest:
  type: rows
  rows: [${rows}]
contract: {columns: {customer: {type: varchar, pii: true}, status: varchar, amount: bigint}}
transform: ${transform}
`
const open = '{customer: Ana, status: open, amount: 1}'
const paid = '{customer: Bo, status: paid, amount: 2}'
const lost = '{customer: Bo, status: lost, amount: 3}'

const foundFile = '.svc/found_columns.json'
/** A minute later nothing counts as written just now, so that all that the last command kept is believed. */
const kept = { program: 'these tests', now: () => new Date(Date.now() + 60_000) }

let ground: Ground
beforeEach(() => {
  ground = createGround({
    'svc.yaml': 'name: shop\n',
    'models/orders.svc': orders(`${open}, ${paid}`),
    'models/by_status.svc': asset('by_status', pivot),
    'models/reader.svc': asset('reader', "SELECT customer, open, paid FROM {{ ref('by_status') }}"),
    'models/everything.svc': asset('everything', "SELECT * FROM {{ ref('by_status') }}"),
  })
})
afterEach(() => ground.dispose())

async function run(...words: readonly string[]): Promise<void> {
  const said = await ground.line(['run', ...words], kept)
  expect(said.code, said.stderr).toBe(0)
}

interface Inspected {
  readonly schema: {
    readonly columns: readonly { readonly name: string; readonly type: string | null }[]
    readonly complete: boolean
  }
}

/** Columns of an asset as a command finds them that knows nothing else, and as one that goes on from the last one. */
async function columns(name: string): Promise<readonly string[]> {
  const [fresh, again] = [await inspected(name, {}), await inspected(name, kept)]
  expect(again).toEqual(fresh)
  return fresh.schema.columns.map(column => `${column.name} ${column.type}`)
}

async function inspected(name: string, options: Parameters<Ground['line']>[1]): Promise<Inspected> {
  const said = await ground.line(['inspect', name, '--json'], options)
  expect(said.code, said.stderr).toBe(0)
  return JSON.parse(said.stdout) as Inspected
}

interface Validated {
  readonly files: readonly { readonly diagnostics: readonly { readonly message: string }[] }[]
}

async function problems(): Promise<readonly string[]> {
  const said = await ground.line(['validate', '--json'], kept)
  const { files } = JSON.parse(said.stdout) as Validated
  return files.flatMap(({ diagnostics }) => diagnostics.map(({ message }) => message))
}

function personal(name: string): readonly string[] {
  const file = JSON.parse(readFileSync(join(ground.root, 'svc_catalog.json'), 'utf8')) as CatalogFile
  const found = file.assets.find(each => each.name === name)?.columns ?? []
  return found.filter(({ pii }) => pii).map(column => column.name)
}

const before = ['customer VARCHAR']
const after = ['customer VARCHAR', 'open HUGEINT', 'paid HUGEINT']

describe('columns of a PIVOT without a list of values', () => {
  it('are unknown before the first run, and nobody may be wrong about them', async () => {
    expect(await columns('by_status')).toEqual(before)
    expect(await columns('reader')).toEqual(['customer VARCHAR', 'open null', 'paid null'])
    expect(await problems()).toEqual([])
  })

  it('are those that a run found, for all that read it', async () => {
    await run()
    for (const name of ['by_status', 'reader', 'everything']) expect(await columns(name)).toEqual(after)
    expect((await inspected('by_status', {})).schema.complete).toBe(false)
  })

  it('have types that a reader may be wrong about, but other names may be there tomorrow', async () => {
    await run()
    ground.write(
      'models/wrong.svc',
      asset('wrong', "SELECT pade, lost, upper(paid) AS p FROM {{ ref('by_status') }}"),
    )
    expect(await problems()).toEqual([expect.stringContaining('"paid" is HUGEINT')])
  })

  it('are new ones where the data have changed', async () => {
    await run()
    ground.write('models/orders.svc', orders(`${open}, ${lost}`))
    expect(await columns('by_status')).toEqual(after)
    // Somebody who reads what is gone does not keep the run from finding out.
    ground.write('models/reader.svc', asset('reader', "SELECT open FROM {{ ref('by_status') }}"))
    await run()
    expect(await columns('by_status')).toEqual(['customer VARCHAR', 'lost HUGEINT', 'open HUGEINT'])
    expect(await columns('everything')).toEqual(['customer VARCHAR', 'lost HUGEINT', 'open HUGEINT'])
  })

  it('are found by a run of it alone, and stay when another asset is run', async () => {
    await run('+by_status')
    expect(await columns('everything')).toEqual(after)
    await run('orders')
    expect(await columns('by_status')).toEqual(after)
  })

  it('are not believed of another text, and are again of the old one', async () => {
    await run()
    ground.write('models/by_status.svc', asset('by_status', pivot.replace('sum', 'max')))
    expect(await columns('by_status')).toEqual(before)
    await run('orders')
    ground.write('models/by_status.svc', asset('by_status', pivot))
    expect(await columns('by_status')).toEqual(after)
  })

  it('are not believed where what it reads has other columns, so that a wrong type can be put right', async () => {
    const text = 'SELECT customer, status, amount::VARCHAR AS amount FROM {{ source }}'
    ground.write('models/orders.svc', orders(`${open}, ${paid}`, text))
    ground.write('models/by_status.svc', asset('by_status', pivot.replace('sum', 'max')))
    await run()
    ground.write('models/reader.svc', asset('reader', "SELECT sum(paid) AS paid FROM {{ ref('by_status') }}"))
    expect(await problems()).toEqual([expect.stringContaining('"paid" is VARCHAR')])
    ground.write('models/orders.svc', orders(`${open}, ${paid}`))
    expect(await problems()).toEqual([])
    await run()
    expect(await columns('by_status')).toEqual(['customer VARCHAR', 'open BIGINT', 'paid BIGINT'])
    expect(await problems()).toEqual([])
  })

  it('stand in rows that are counted', async () => {
    const said = await ground.line(['run', '--json'], kept)
    const { assets } = JSON.parse(said.stdout) as { assets: readonly { name: string; rows: number }[] }
    expect(assets.find(({ name }) => name === 'by_status')?.rows).toBe(2)
  })

  it('are not those of a run over other columns than the files have by now', async () => {
    await run()
    const more = 'SELECT customer, status, amount::DOUBLE AS amount FROM {{ source }}'
    ground.write('models/orders.svc', orders(`${open}, ${paid}`, more))
    ground.write('models/apart.svc', asset('apart', 'SELECT 1 AS one'))
    await run('apart')
    expect(await columns('by_status')).toEqual(before)
    await run('by_status')
    expect(await columns('by_status')).toEqual(before)
    await run('+by_status')
    expect(await columns('by_status')).toEqual(['customer VARCHAR', 'open DOUBLE', 'paid DOUBLE'])
  })

  it('may be all that there are, before a run and after it', async () => {
    const all =
      "PIVOT (SELECT status, amount FROM {{ ref('orders') }}) ON status USING max(amount) AS m, sum(amount) AS s"
    ground.write('models/all.svc', asset('all', all))
    expect(await columns('all')).toEqual([])
    expect(await problems()).toEqual([])
    await run()
    expect(await columns('all')).toEqual([
      'open_m BIGINT',
      'open_s HUGEINT',
      'paid_m BIGINT',
      'paid_s HUGEINT',
    ])
    expect(await problems()).toEqual([])
  })

  it('are found one behind the other, and where they are all that is read', async () => {
    const again =
      "PIVOT (SELECT customer, open, paid FROM {{ ref('by_status') }}) ON customer USING max(open)"
    ground.write('models/orders.svc', orders(`${open}, ${paid}`).replace(', pii: true', ''))
    ground.write('models/again.svc', asset('again', again))
    await run()
    expect(await columns('again')).toEqual(['paid HUGEINT', 'Ana HUGEINT', 'Bo HUGEINT'])
    expect(await problems()).toEqual([])
    expect(await inspected('again', kept)).toMatchObject({
      lineage: { columns: [{}, { column: 'Ana', from: [{ column: 'customer' }, { column: 'open' }] }, {}] },
    })
  })

  it('are found by a run that fails behind it too', async () => {
    ground.write('models/reader.svc', asset('reader', "SELECT never FROM {{ ref('by_status') }}"))
    expect((await ground.line(['run'], kept)).code).not.toBe(0)
    expect(await columns('by_status')).toEqual(after)
  })
})

describe('the file of found columns', () => {
  it.each([
    ['none', undefined],
    ['half of one', '{"version": 2, "engines": {"duckdb": {"by_sta'],
    ['one of another program', '["by_status"]'],
    ['one of another version', '{"version": 99, "engines": {"duckdb": {"by_status": {}}}}'],
    [
      'wrong values',
      '{"version": 2, "engines": {"duckdb": {"by_status": {"ground": 1, "columns": [[null]]}, "nobody": null}}}',
    ],
  ])('tells nothing where it is %s, and a run writes it anew', async (_, text) => {
    await run()
    if (text === undefined) rmSync(join(ground.root, foundFile))
    else ground.write(foundFile, text)
    expect(await columns('by_status')).toEqual(before)
    expect(await problems()).toEqual([])
    await run()
    expect(await columns('by_status')).toEqual(after)
  })

  it.each([
    [
      'two columns of one name',
      [
        ['a', 'INTEGER'],
        ['A', 'INTEGER'],
      ],
      before,
    ],
    ['a column without a name', [['', 'INTEGER']], before],
    [
      'types that there are not',
      [
        ['open', 'NO_TYPE'],
        ['paid', 'INTEGER); DROP TABLE x; --'],
      ],
      ['open null', 'paid null'],
    ],
  ])('breaks nothing with %s', async (_, pairs, expected) => {
    await run()
    const file = JSON.parse(readFileSync(join(ground.root, foundFile), 'utf8'))
    file.engines.duckdb.by_status.columns = pairs
    ground.write(foundFile, JSON.stringify(file))
    expect(await columns('by_status')).toEqual(expected)
    expect(await problems()).toEqual([])
    const said = await ground.line(['run'], kept)
    expectNoStack(said)
    expect(said.code).toBe(0)
    expect(await columns('by_status')).toEqual(after)
  })

  it('is not written for a project that tells all columns', async () => {
    ground.write(
      'models/by_status.svc',
      asset('by_status', pivot.replace('ON status', "ON status IN ('open', 'paid')")),
    )
    await run()
    expect(() => readFileSync(join(ground.root, foundFile))).toThrow('ENOENT')
    expect(await columns('by_status')).toEqual(after)
  })
})

describe('personal data', () => {
  it('stay marked in found columns, also behind a star', async () => {
    ground.write('models/by_status.svc', asset('by_status', pivot.replace('sum(amount)', 'max(customer)')))
    rmSync(join(ground.root, 'models/reader.svc'))
    await run()
    expect(await columns('by_status')).toEqual(['amount BIGINT', 'open VARCHAR', 'paid VARCHAR'])
    for (const name of ['by_status', 'everything']) expect(personal(name)).toEqual(['open', 'paid'])
  })

  it('do not become names that are written down', async () => {
    const sql =
      "PIVOT (SELECT lower(customer) AS who, status, amount FROM {{ ref('orders') }}) ON who USING sum(amount)"
    ground.write('models/by_status.svc', asset('by_status', sql))
    rmSync(join(ground.root, 'models/reader.svc'))
    await run()
    expect(await columns('by_status')).toEqual(['status VARCHAR'])
    expect(await columns('everything')).toEqual(['status VARCHAR'])
    expect(() => readFileSync(join(ground.root, foundFile))).toThrow('ENOENT')
    expect(readFileSync(join(ground.root, 'svc_catalog.json'), 'utf8')).not.toContain('"ana"')
  })
})
