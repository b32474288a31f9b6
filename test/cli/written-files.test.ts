/** The manifest and its parts are written when a file has changed, and left alone when none has. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createGround, type Ground } from './bad-input/command-line.ts'
import { shop } from './shop-project.ts'

let ground: Ground
beforeEach(() => {
  ground = createGround(shop)
})
afterEach(() => ground.dispose())

/** A minute later, so that nothing counts as written just now. */
const options = { program: 'svc test', now: () => new Date(Date.now() + 60_000) }

async function run(...words: readonly string[]): Promise<void> {
  const said = await ground.line(['run', ...words], options)
  expect(said.code, said.stderr).toBe(0)
}

const parts = ['manifest.json', 'lineage.json', 'schemas.json', 'tests.json']

function read(path: string): string {
  return readFileSync(join(ground.root, path), 'utf8')
}

/** The manifest without its time. */
function manifest(folder = '.svc') {
  const { generated_at, ...rest } = JSON.parse(read(`${folder}/manifest.json`)) as Record<string, unknown>
  expect(generated_at).toMatch(/^20/)
  return rest
}

/** Which file each name is: another one after every writing. */
function identities(): readonly number[] {
  return parts.flatMap(name =>
    ['.svc', '.svc/dev'].map(folder => statSync(join(ground.root, folder, name)).ino),
  )
}

async function madeAnew(): Promise<unknown> {
  const said = await ground.line(['manifest', '--json'], { now: options.now })
  const { generated_at: _at, ...rest } = JSON.parse(said.stdout) as Record<string, unknown>
  return rest
}

it('a run that finds no file changed leaves them as they are, and tells the news all the same', async () => {
  await run()
  await run()
  const before = identities()
  const catalog = read('svc_catalog.json')
  await run()
  expect(identities()).toEqual(before)
  expect(read('svc_catalog.json')).not.toBe(catalog)
  expect(manifest()).toEqual(await madeAnew())
})

it('after a change they say what is there now, of all assets', async () => {
  await run()
  const orders = shop['models/orders.svc'] ?? ''
  ground.write('models/orders.svc', orders.replace('name: orders', 'name: orders\ndescription: Changed.'))
  await run()
  const changed = manifest()
  expect(JSON.stringify(changed)).toContain('Changed.')
  rmSync(join(ground.root, 'models/marts/daily_sales.svc'))
  await run()
  const smaller = manifest()
  expect(JSON.stringify(smaller)).not.toContain('daily_sales')
  expect(smaller).toEqual(await madeAnew())
})

it('a secret that was none before is hidden in files that have not changed too', async () => {
  const orders = shop['models/orders.svc'] ?? ''
  const described = orders.replace(
    'name: orders',
    'name: orders\ndescription: made by opensesame of env:DOOR',
  )
  ground.write('models/orders.svc', described)
  await run()
  expect(read('.svc/manifest.json')).toContain('opensesame')
  const sales = 'models/marts/daily_sales.svc'
  ground.write(
    sales,
    (shop[sales] ?? '').replace('name: daily_sales', 'name: daily_sales\ndescription: New.'),
  )
  const said = await ground.line(['run'], { ...options, env: { DOOR: 'opensesame' } })
  expect(said.code, said.stderr).toBe(0)
  expect(read('.svc/manifest.json')).toContain('New.')
  for (const name of [...parts, '../svc_catalog.json'])
    expect(read(`.svc/${name}`)).not.toContain('opensesame')
})

it('what was written over is put right, and the environment run last has the copies', async () => {
  await run()
  const right = manifest()
  writeFileSync(
    join(ground.root, '.svc/dev/manifest.json'),
    '{"assets":[{"name":"orders","blocks":{"wrong":1}}]}',
  )
  await run()
  expect(manifest()).toEqual(right)
  expect(manifest('.svc/dev')).toEqual(right)
  rmSync(join(ground.root, '.svc/tests.json'))
  await run()
  expect(JSON.parse(read('.svc/tests.json'))).toEqual(right['tests'])
  await run('--env', 'prod')
  await run()
  expect(manifest()).toEqual(right)
})

/** What the catalogue and the results of tests say, without the times of the run. */
function told(): unknown {
  const { generated_at, assets, ...catalog } = JSON.parse(read('svc_catalog.json'))
  const untimed = assets.map(
    ({ last_run, loaded_at, ...asset }: { readonly last_run: string; readonly loaded_at: string }) => {
      expect(last_run <= generated_at).toBe(true)
      // Sources are asked before anything is built or verified.
      expect(loaded_at <= last_run).toBe(true)
      return asset
    },
  )
  return { ...catalog, assets: untimed, results: JSON.parse(read('.svc/test_results.json')) }
}

function timesTold(): ReadonlySet<string> {
  const { assets } = JSON.parse(read('svc_catalog.json')) as { assets: { readonly last_run: string }[] }
  return new Set(assets.map(({ last_run }) => last_run))
}

it('after a run that changed nothing the catalogue has its time, and says what it would say if made anew', async () => {
  for (let time = 0; time < 3; time++) await run()
  const [kept, times] = [told(), timesTold()]
  expect(times.size).toBe(1)
  rmSync(join(ground.root, '.svc/cache/files-dev.json'))
  await run()
  expect(told()).toEqual(kept)
  expect(timesTold()).not.toEqual(times)
  expect(read('.svc/dev/svc_catalog.json')).toBe(read('svc_catalog.json'))
})

/** How each test ended, in the catalogue and in the file of results. */
function outcomes(): unknown {
  const { assets } = JSON.parse(read('svc_catalog.json'))
  const results = JSON.parse(read('.svc/test_results.json'))
  const ends = ({ tests }: { readonly tests: { readonly name: string; readonly status: string }[] }) =>
    tests.map(({ name, status }) => `${name} ${status}`)
  return [assets.map(ends), Object.values(results as Record<string, never>).map(ends)]
}

it('a test that failed in a run is not told of the next one that finds all as deployed', async () => {
  for (let time = 0; time < 3; time++) await run()
  const right = outcomes()
  const orders = read('data/orders.csv')
  ground.write('data/orders.csv', `${orders.trimEnd()}\n${orders.trimEnd().split('\n').at(-1)}\n`)
  const failed = await ground.line(['run'], options)
  expect(failed.code, failed.stderr).toBe(1)
  expect(outcomes()).not.toEqual(right)
  ground.write('data/orders.csv', orders)
  for (let time = 0; time < 3; time++) {
    await run()
    expect(outcomes()).toEqual(right)
  }
})

it('a test of one column names it, and one of several names none', async () => {
  const orders = shop['models/orders.svc'] ?? ''
  ground.write('models/orders.svc', orders.replace('tests:\n', 'tests:\n  - unique: [id, day]\n'))
  await run()
  const tests = JSON.parse(read('.svc/tests.json')) as {
    asset: string
    kind: string
    column: string | null
  }[]
  const keys = tests.filter(({ asset, kind }) => asset === 'orders' && kind === 'unique')
  expect(keys.map(({ column }) => column)).toEqual([null, 'id'])
})
