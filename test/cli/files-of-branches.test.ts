/** The files that runs write for other programs are those of the branch that is checked out, as `svc status` is. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { realWorld } from '../../cli/commands/world.ts'
import { openProjectFiles } from '../../cli/dashboard/project-files.ts'
import { foldersOfEnvironments } from '../../cli/engine/run/leftover-files.ts'
import { locateProject, stateNameNow } from '../../cli/engine/workspace/locate-project.ts'
import type { CatalogFile, ContextPack } from '../../server/contract/index.ts'
import { createGround, type Ground } from './bad-input/command-line.ts'

let p: Ground

function checkOut(branch: string, value: number): void {
  p.write('.git/HEAD', `ref: refs/heads/${branch}\n`)
  p.write('models/orders.svc', `name: orders\ningest: none\ntransform: SELECT ${value} AS value\n`)
}

beforeEach(async () => {
  p = createGround({ 'svc.yaml': 'name: shop\n' })
  for (const [branch, value] of [
    ['main', 1],
    ['feature', 2],
  ] as const) {
    checkOut(branch, value)
    expect((await p.line(['run'])).code).toBe(0)
  }
})
afterEach(() => p.dispose())

async function statusHash(): Promise<string> {
  const { value } = await p.json(['status', '--json'])
  const { assets } = value as { readonly assets: readonly { readonly active_hash: string }[] }
  return assets[0]?.active_hash ?? 'none'
}

const pack = async () => {
  const { value } = await p.json(['ai', 'context', '--json', '--include-history'])
  return value as ContextPack
}

test('after a checkout the pack, the dashboard and the site show the versions and the SQL of the branch', async () => {
  const world = { ...realWorld(undefined, undefined, true), cwd: p.root, env: {} }
  const place = locateProject(world, 'dev')
  const files = openProjectFiles({
    root: p.root,
    environment: 'dev',
    stateName: () => stateNameNow(place),
    models: place.models,
    engine: place.engine,
    outline: () => Promise.reject(new Error('no run is known')),
  })
  try {
    const hashes = new Set<string>()
    for (const [branch, value] of [
      ['main', 1],
      ['feature', 2],
      ['main', 1],
    ] as const) {
      checkOut(branch, value)
      const hash = await statusHash()
      hashes.add(hash)
      const [shown] = (await files.catalog()).assets
      expect([shown?.active_hash, shown?.compiled_sql]).toEqual([
        hash,
        expect.stringContaining(`SELECT ${value} AS value`),
      ])
      expect((await files.history()).runs).toHaveLength(1)
      expect((await pack()).versions?.['orders']).toMatchObject([{ hash }])
      expect((await p.line(['lineage', '--out', 'site'])).code).toBe(0)
    }
    expect(hashes.size).toBe(2)
  } finally {
    files.close()
  }
})

test('each branch has a folder, which completion does not take for an environment', async () => {
  for (const branch of ['main', 'feature']) {
    const path = join(p.root, '.svc', `dev_${branch}`, 'svc_catalog.json')
    expect((JSON.parse(readFileSync(path, 'utf8')) as CatalogFile).environment).toBe('dev')
  }
  const offered = (await p.line(['__complete', 'run', '--env', ''])).stdout
  expect(offered).toContain('dev\t')
  expect(offered).not.toContain('dev_')
})

test('the folder of a branch goes with the branch', async () => {
  const later = new Date(Date.now() + 40 * 86_400_000)
  checkOut('feature', 2)
  const said = await p.line(['gc'], { now: () => later })
  expect(said.code, said.stderr).toBe(0)
  expect(existsSync(join(p.root, '.svc', 'dev_main'))).toBe(false)
  expect(existsSync(join(p.root, '.svc', 'dev_feature'))).toBe(true)
})

test('what lies in .svc and at the root is of no branch that is gone', async () => {
  const at = (days: number) => ({ now: () => new Date(Date.now() + days * 86_400_000) })
  const shown = () => JSON.parse(readFileSync(join(p.root, 'svc_catalog.json'), 'utf8')) as CatalogFile
  expect(shown().assets[0]?.compiled_sql).toContain('SELECT 2 AS value')
  checkOut('main', 1)
  expect((await p.line(['gc'], at(40))).code).toBe(0)
  expect(shown().assets[0]?.compiled_sql).toContain('SELECT 1 AS value')
  expect((await p.line(['gc', '--env', 'prod'], at(40))).code).toBe(0)
  const left = readdirSync(join(p.root, '.svc'))
  expect([existsSync(join(p.root, 'svc_catalog.json')), left.includes('test_results.json')]).toEqual([
    false,
    false,
  ])
  expect(left).toContain('manifest.json')
})

test('the folders of the whole project are no environment, whatever one is called', () => {
  for (const name of ['cache', 'logs', 'patch', 'dev', 'dev_gone'])
    mkdirSync(join(p.root, '.svc', name), { recursive: true })
  const environments = ['cache', 'logs', 'patch', 'dev', 'dev_gone'].map(name => ({ name }))
  expect(foldersOfEnvironments(p.root, environments).map(({ path }) => path)).toEqual(['.svc/dev_gone'])
})

test('a run leaves no folder of its own that is empty, in prod as in dev', async () => {
  for (const words of [['run', '--env', 'prod'], ['run', '--env', 'prod'], ['run']])
    expect((await p.line(words)).code).toBe(0)
  const folders = readdirSync(join(p.root, '.svc'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
  // That of all runs of an environment stays: another one may be making its own in it.
  const own = folders.filter(folder => basename(folder) !== 'work')
  expect(own.filter(folder => readdirSync(folder).length === 0)).toEqual([])
})
