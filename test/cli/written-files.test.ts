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
