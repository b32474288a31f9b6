/** When which version of an asset was deployed stands once: every command and file that tells it tells the same, after each kind of act. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { CatalogFile, ContextPack } from '../../server/contract/index.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

const orders = (value: number) =>
  `name: orders\ningest: none\ntransform: SELECT ${value} AS id\ndeploy: {materialize: table}\n`
const files = {
  'svc.yaml': 'name: shop\nwarehouse: duckdb:./w.duckdb\n',
  'models/orders.svc': orders(1),
  'models/daily.svc':
    "name: daily\ningest: none\ntransform: SELECT count(*) AS orders FROM {{ ref('orders') }}\ntests: [{not_null: orders}]\n",
}

let ground: Ground
beforeEach(() => {
  ground = createGround(files)
})
afterEach(() => ground.dispose())

async function json<T>(...line: string[]): Promise<T> {
  const { stdout } = await ground.line([...line, '--env', 'prod'])
  return JSON.parse(stdout) as T
}

async function act(code: number, ...line: string[]): Promise<void> {
  const done = await ground.line([...line, '--env', 'prod'])
  expect(done.code, `${line.join(' ')}\n${done.stdout}${done.stderr}`).toBe(code)
}

interface Version {
  readonly hash: string
  readonly deployed_at: string
  readonly status: string
  readonly run_id: string
  readonly active: boolean
}

/** The versions of an asset as `svc versions` tells them, after the pack, the catalogue and the status said the same. */
async function agreed(asset: string): Promise<readonly Version[]> {
  const { versions } = await json<{ versions: readonly Version[] }>('versions', asset, '--json')
  const pack = await json<ContextPack & { history: readonly Run[] }>(
    'ai',
    'context',
    '--include-history',
    '--json',
  )
  const told = [...(pack.versions?.[asset] ?? [])].reverse()
  expect(told).toEqual(versions.map(({ active, ...version }) => version))
  const live = versions.find(({ active }) => active)
  const catalog = JSON.parse(readFileSync(join(ground.root, 'svc_catalog.json'), 'utf8')) as CatalogFile
  const entry = catalog.assets.find(({ name }) => name === asset)
  expect(entry).toMatchObject({
    active_hash: live?.hash ?? null,
    deployed_at: live?.deployed_at ?? null,
    deployed_by: live?.run_id ?? null,
  })
  const status = await json<{ assets: readonly { name: string; active_hash: string | null }[] }>(
    'status',
    '--format',
    'json',
  )
  expect(status.assets.find(({ name }) => name === asset)?.active_hash ?? null).toBe(live?.hash ?? null)
  return versions
}

interface Run {
  readonly kind: string
  readonly assets: readonly { readonly name: string }[]
}

it('runs, reuses, previews, promotions, rollbacks and failures are told alike by all', async () => {
  await act(0, 'run')
  expect(await agreed('orders')).toHaveLength(1)
  await act(0, 'run')
  expect(await agreed('orders')).toHaveLength(1)
  ground.write('models/orders.svc', orders(2))
  await act(0, 'run')
  expect(await agreed('orders')).toHaveLength(2)
  ground.write('models/orders.svc', orders(1))
  await act(0, 'run')
  const reused = await agreed('orders')
  expect(reused).toHaveLength(3)
  expect(reused[0]?.hash).toBe(reused[2]?.hash)
  ground.write('models/orders.svc', orders(3))
  const preview = await json<{ run_id: string }>('preview', '--json')
  expect(await agreed('orders')).toHaveLength(3)
  await act(0, 'promote', preview.run_id)
  expect(await agreed('orders')).toHaveLength(4)
  await act(0, 'rollback')
  expect(await agreed('orders')).toHaveLength(5)
  await act(0, 'run')
  expect(await agreed('orders')).toHaveLength(6)
  ground.write('models/orders.svc', orders(3).replace('3 AS id', "CAST(error('no') AS INTEGER) AS id"))
  await act(1, 'run')
  expect((await agreed('orders')).map(({ status }) => status)).toEqual([
    'Failed',
    ...Array(6).fill('deployed'),
  ])
  expect(await agreed('daily')).toHaveLength(6)
  const { history } = await json<{ history: readonly Run[] }>('ai', 'context', '--include-history', '--json')
  expect(history.map(({ kind }) => kind).sort()).toEqual([
    'preview',
    'promote',
    'rollback',
    ...Array(5).fill('run'),
  ])
})

it('what a rollback took away is not deployed any more', async () => {
  await act(0, 'run')
  ground.write('models/weekly.svc', files['models/daily.svc'].replace('name: daily', 'name: weekly'))
  await act(0, 'run')
  await act(0, 'rollback')
  const { assets } = await json<{ assets: readonly { name: string }[] }>('status', '--format', 'json')
  expect(assets.find(({ name }) => name === 'weekly')).toBeUndefined()
  expect((await ground.line(['status', '--env', 'prod'])).stdout).toMatch(/weekly.*not deployed/)
  const versions = await agreed('weekly')
  expect(versions.some(({ active }) => active)).toBe(false)
})
