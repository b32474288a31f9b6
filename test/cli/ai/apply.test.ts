/** `svc ai apply` as a user and a program run it. */
import { chmodSync, chownSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterEach, describe, expect, it } from 'vitest'
import { type JsonOf, outputSchemas, type Patch } from '../../../server/contract/index.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'
import { ordinaryUser } from '../../support/ordinary-user.ts'
import { shop } from '../shop-project.ts'
import { filesOf, patchOf } from './patch-of.ts'

let project: ProjectHere | undefined
afterEach(() => project?.dispose())

function open(): ProjectHere {
  project = createProjectHere(shop)
  return project
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: false })

async function apply(of: ProjectHere, patch: Patch, ...words: readonly string[]) {
  expect(ajv.validate(outputSchemas['ai-patch'] ?? false, patch), ajv.errorsText()).toBe(true)
  of.write('patch.json', JSON.stringify(patch))
  const { code, value } = await of.json(['ai', 'apply', 'patch.json', '--json', ...words])
  expect(ajv.validate(outputSchemas['ai-apply'] ?? false, value), ajv.errorsText()).toBe(true)
  return { code, said: value as JsonOf<'ai-apply'> }
}

const orders = 'models/orders.svc'
const daily = 'models/marts/daily_sales.svc'

describe('svc ai apply', () => {
  it('writes all files of a patch, changes and new ones, and says so for each', async () => {
    const of = open()
    const fresh = 'models/new/big.svc'
    const patch = patchOf(of.root, {
      [orders]: [{ op: 'add', path: '/description', value: 'Orders of the shop' }],
      [fresh]: [
        { op: 'add', path: '/name', value: 'big' },
        { op: 'add', path: '/ingest', value: 'none' },
        { op: 'add', path: '/transform', value: "SELECT id FROM {{ ref('orders') }} WHERE amount > 9\n" },
      ],
    })
    const dry = await apply(of, patch, '--dry-run')
    expect([dry.code, dry.said.status]).toEqual([0, 'checked'])
    expect(dry.said.files.map(({ status }) => status)).toEqual(['ready', 'ready'])
    expect(dry.said.files[0]?.diff).toContain('+ description: Orders of the shop')
    expect(Object.keys(filesOf(of.root))).not.toContain(fresh)
    const { code, said } = await apply(of, patch)
    expect([code, said.status]).toEqual([0, 'applied'])
    expect(said.files.map(({ path, status }) => [path, status])).toEqual([
      [orders, 'changed'],
      [fresh, 'created'],
    ])
    expect(filesOf(of.root)[fresh]).toBe(said.files[1]?.after_sha256)
    expect((await of.svc(['validate'])).code).toBe(0)
    const again = await apply(of, patch)
    expect(again.said.refusals.map(({ code: what }) => what)).toEqual(['patch-base', 'patch-base'])
  })

  it('shows every weakened check, and applies it after a yes only', async () => {
    const of = open()
    const before = filesOf(of.root)
    const patch = patchOf(of.root, {
      [orders]: [
        { op: 'remove', path: '/tests/2' },
        { op: 'replace', path: '/freshness/error_after', value: '240h' },
      ],
      'models/customers.svc': [
        { op: 'remove', path: '/contract/columns/name/pii' },
        { op: 'remove', path: '/contract/required_columns' },
        { op: 'add', path: '/tests/0/severity', value: 'warn' },
      ],
    })
    const { code, said } = await apply(of, patch)
    expect([code, said.status]).toEqual([1, 'unconfirmed'])
    expect(said.weakened.map(({ path, place }) => `${path} ${place}`)).toEqual([
      `${orders} /tests/2`,
      `${orders} /freshness`,
      'models/customers.svc /tests/0',
      'models/customers.svc /contract/required_columns',
      'models/customers.svc /contract/columns/name',
    ])
    expect({ ...filesOf(of.root), 'patch.json': undefined }).toEqual({ ...before, 'patch.json': undefined })
    expect((await apply(of, patch, '--yes')).said.status).toBe('applied')
  })

  it('asks for consent to keys that reach outside, by the narrowest name', async () => {
    const of = open()
    const patch = patchOf(of.root, {
      [orders]: [{ op: 'replace', path: '/ingest/endpoint', value: './data' }],
    })
    const { said } = await apply(of, patch)
    expect(said.refusals).toMatchObject([{ code: 'patch-needs-consent', place: '/ingest/endpoint' }])
    expect((await apply(of, patch, '--allow', '/ingest/endpoint')).said.status).toBe('applied')
    const { code, stderr } = await of.svc(['ai', 'apply', 'patch.json', '--allow', 'ingest'])
    expect(code).toBe(2)
    expect(stderr).toContain('"ingest" is no prefix of keys')
  })

  it('refuses what is wrong with a code, the place and what to do, in a fixed order', async () => {
    const of = open()
    const refused = async (path: string, value: unknown, file = daily) => {
      const { code, said } = await apply(of, patchOf(of.root, { [file]: [{ op: 'add', path, value }] }))
      expect([code, said.status]).toEqual([1, 'refused'])
      for (const { hint } of said.refusals) expect(hint).toBeTruthy()
      return said.refusals.map(({ code: what }) => what)
    }
    expect(await refused('/transfrom', 'SELECT 1')).toEqual(['patch-needs-consent'])
    expect(await refused('/tests/-', { not_nul: 'total' })).toEqual(['unknown-key'])
    expect(await refused('/transform', 'SELECT FROM WHERE')).toContain('sql-syntax')
    expect(await refused('/transform', 'SELECT 1 AS total; DROP TABLE x')).toEqual(['sql-not-a-select'])
    expect(await refused('/transform', "SELECT 1 AS total FROM {{ ref('order') }}")).toContain('unknown-ref')
    expect(await refused('/transform', "SELECT 1 AS total FROM {{ ref('daily_sales') }}")).toContain(
      'self-ref',
    )
    expect(await refused('/description', 'postgres://ana:Xk29fjw0sq@db/x')).toContain(
      'hard-coded-credentials',
    )
    const unit = { unit: { given: { orders: [] }, expect: [{ total: 1 }] } }
    expect(await refused('/tests/-', unit)).toEqual(['unit-test-failed'])
  })

  it('tells people the difference, the reasons and what to do', async () => {
    const of = open()
    of.write(
      'patch.json',
      JSON.stringify(patchOf(of.root, { [orders]: [{ op: 'remove', path: '/contract' }] })),
    )
    const refused = await of.svc(['ai', 'apply', 'patch.json'])
    expect(refused.stdout).toMatch(/^refused {2}operation 1 \(remove\): there is nothing at this path/m)
    expect(refused.stdout).toContain('no file was changed')
    of.write(
      'patch.json',
      JSON.stringify(patchOf(of.root, { [orders]: [{ op: 'remove', path: '/tests/0' }] })),
    )
    const weaker = await of.svc(['ai', 'apply', 'patch.json'])
    expect(weaker.stdout).toContain('-   - unique: id')
    expect(weaker.stdout).toContain('weaker   the unique test "unique_id" is removed')
    expect(weaker.stdout).toContain('say so with --yes')
    expect(weaker.code).toBe(1)
    const missing = await of.svc(['ai', 'apply', 'nothing.json'])
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('no file "nothing.json"')])
    expect(readFileSync(join(of.root, orders), 'utf8')).toBe(shop[orders])
  })
})

describe('a patch of several files of which one is in the way', () => {
  const described = (of: ProjectHere) =>
    patchOf(of.root, {
      [orders]: [{ op: 'add', path: '/description', value: 'Orders of the shop' }],
      [daily]: [{ op: 'add', path: '/description', value: 'Sales of a day' }],
    })

  it('is told file by file where it is refused', async () => {
    const of = open()
    const patch = described(of)
    of.write(daily, `${readFileSync(join(of.root, daily), 'utf8')}\n# changed meanwhile\n`)
    const { code, said } = await apply(of, patch)
    expect([code, said.status]).toEqual([1, 'refused'])
    expect(said.files.map(({ path, status }) => [path, status])).toEqual([
      [orders, 'failed'],
      [daily, 'failed'],
    ])
    const shown = await of.svc(['ai', 'apply', 'patch.json'])
    expect(shown.stdout).toMatch(new RegExp(`failed +${orders}, with the others`))
    expect(shown.stdout).toMatch(new RegExp(`failed +${daily}\\n`))
  })

  const user = ordinaryUser()
  it.skipIf(user === undefined)(
    'is told file by file where one cannot be written, and each is as it was',
    async () => {
      const of = open()
      of.write('patch.json', JSON.stringify(described(of)))
      const before = filesOf(of.root)
      giveTo(of.root, user)
      const folder = join(of.root, dirname(daily))
      chmodSync(folder, 0o555)
      try {
        const { code, value } = await of.json(['ai', 'apply', 'patch.json', '--json'], { user })
        const said = value as JsonOf<'ai-apply'>
        expect([code, said.status]).toEqual([3, 'failed'])
        expect(said.files.map(({ path, status }) => [path, status])).toEqual([
          [orders, 'failed'],
          [daily, 'failed'],
        ])
        expect(said.refusals).toMatchObject([{ code: 'file-failed', path: daily }])
        const shown = await of.svc(['ai', 'apply', 'patch.json'], { user })
        expect(shown.code).toBe(3)
        expect(shown.stdout).toMatch(new RegExp(`failed +${orders}, with the others`))
        expect(shown.stdout).toContain(`${daily} cannot be written (EACCES)`)
      } finally {
        chmodSync(folder, 0o755)
      }
      expect(filesOf(of.root)).toEqual(before)
    },
  )
})

/** Somebody else can then write the project, but for what its modes forbid. */
function giveTo(root: string, user: ReturnType<typeof ordinaryUser>): void {
  if (user === undefined || process.getuid?.() !== 0) return
  for (const path of ['.', ...readdirSync(root, { recursive: true, encoding: 'utf8' })])
    chownSync(join(root, path), user.uid, user.gid)
}
