/** What the dashboard says of the files of a project: which have changed since the last run, and what is wrong in them. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { JsonOf, ProjectProblems } from '../../../server/contract/index.ts'
import { shop } from '../shop-project.ts'
import { createDashboard, type Ground } from './ground.ts'

let ground: Ground
beforeEach(async () => {
  ground = await createDashboard(shop)
})
afterEach(() => ground.dispose())

const daily = 'models/marts/daily_sales.svc'
const changed = async () => ((await ground.json('/api/dashboard.json')) as JsonOf<'dashboard'>).changed
const problems = async () => (await ground.json('/api/problems.json')) as ProjectProblems
const textOf = (path: string) => readFileSync(join(ground.project.root, path), 'utf8')
const edit = (path: string, from: string, to: string) =>
  ground.project.write(path, textOf(path).replace(from, to))

it('names the files that were edited, added and deleted since the last run, and none that was only touched', async () => {
  expect((await ground.project.svc(['run'])).code).toBe(0)
  expect(await changed()).toEqual([])
  ground.project.write(daily, textOf(daily))
  ground.project.write('svc.yaml', textOf('svc.yaml'))
  expect(await changed()).toEqual([])
  ground.project.write('svc.yaml', `${textOf('svc.yaml')}# a note\n`)
  expect(await changed()).toEqual([{ path: 'svc.yaml', change: 'edited' }])
  edit(daily, '>=', '>')
  ground.project.write('models/new.svc', 'name: new\ningest: none\ntransform: SELECT 1 AS one\n')
  ground.project.remove('models/customers.svc')
  expect(await changed()).toEqual([
    { path: 'svc.yaml', change: 'edited' },
    { path: daily, change: 'edited' },
    { path: 'models/new.svc', change: 'added' },
    { path: 'models/customers.svc', change: 'deleted' },
  ])
})

it('tells what is wrong in the files, and again when they change', async () => {
  edit(daily, "ref('orders')", "ref('order')")
  const told = await ground.stream('/api/changes', ground.bearer)
  expect(await problems()).toMatchObject({ checked_at: null, problems: [] })
  await told.until(({ type }) => type === 'problems')
  const found = await problems()
  expect(found.failure).toBeNull()
  expect(found.problems.filter(({ severity }) => severity === 'error')).toMatchObject([
    { code: 'unknown-ref', path: daily, line: 4, hint: 'did you mean "orders"?' },
  ])
  ground.project.write('svc.yaml', 'name: shop\nmodels: [\n')
  await told.until(() => told.events.filter(({ type }) => type === 'problems').length === 2)
  const all = (await problems()).problems.flatMap(({ path, severity }) =>
    severity === 'error' ? [path] : [],
  )
  expect(new Set(all)).toEqual(new Set(['svc.yaml', daily]))
  told.cut()
})

it('says that the project was moved away, whatever is asked, and does not begin it anew in its old place', async () => {
  const { root } = ground.project
  const paths = ['catalog', 'quality', 'history', 'problems', 'glossary', 'dashboard']
  const asked = () =>
    Promise.all(paths.map(name => ground.ask(`/api/${name}.json`, { headers: ground.bearer })))
  renameSync(root, `${root}-moved`)
  try {
    for (const { status, text } of await asked()) {
      expect([status, JSON.parse(text)]).toEqual([
        503,
        {
          error: 'the project is not in its folder any more',
          hint: 'Move it back, or end svc ui and start it in the new folder.',
        },
      ])
    }
    expect(existsSync(root)).toBe(false)
    // An empty folder of that name is no project either.
    mkdirSync(root)
    expect((await asked()).map(({ status }) => status)).toEqual(paths.map(() => 503))
    rmSync(root, { recursive: true })
  } finally {
    renameSync(`${root}-moved`, root)
  }
  expect((await asked()).map(({ status }) => status)).toEqual(paths.map(() => 200))
})
