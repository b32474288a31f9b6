/** What a run takes over from the last files is what it would make anew, whatever has changed. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGround, type Ground } from './bad-input/command-line.ts'
import { shop } from './shop-project.ts'

let ground: Ground
beforeAll(() => {
  ground = createGround(shop)
})
afterAll(() => ground.dispose())

/** A clock that each run begins a minute later, and that stands still in it. */
let minutes = 1
const options = () => {
  const now = new Date(Date.now() + minutes++ * 60_000)
  return { program: 'svc test', now: () => now }
}

async function run(code = 0): Promise<void> {
  const said = await ground.line(['run'], options())
  expect(said.code, said.stderr).toBe(code)
}

const names = ['manifest', 'lineage', 'schemas', 'tests', 'test_results', 'svc_catalog'] as const

/** The texts of all files, with the same time in each. */
function files(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map(name => {
      const text = readFileSync(join(ground.root, `.svc/dev/${name}.json`), 'utf8')
      return [name, text.replace(/"20\d\d-\d\d-\d\dT[^"]*"/g, '"then"')]
    }),
  )
}

/** What an asset took in its last run is known of that run alone. */
function untimed(texts: Readonly<Record<string, string>>): unknown {
  const timeless = (text: string | undefined) => text?.replace(/^ {6}"seconds": .*$/gm, '')
  return { ...texts, svc_catalog: timeless(texts['svc_catalog']) }
}

const edited = (path: keyof typeof shop, from: string, to: string) => () => {
  const text = readFileSync(join(ground.root, path), 'utf8')
  expect(text).toContain(from)
  ground.write(path, text.replace(from, to))
}

const model = 'name: days\ningest: none\ntransform: SELECT DISTINCT day FROM {{ ref("orders") }}\n'
const sales = 'models/marts/daily_sales.svc'

it.each<readonly [what: string, change: () => void]>([
  ['nothing at all', () => undefined],
  ['a description', edited(sales, 'name: daily_sales', 'name: daily_sales\ndescription: "Each day, –名\\n"')],
  [
    'a type that models below have too',
    edited('models/orders.svc', 'amount, day', 'amount::FLOAT AS amount, day'),
  ],
  ['a new model between the others', () => ground.write('models/days.svc', model)],
  ['a model that reads another one', edited('models/days.svc', 'ref("orders")', 'ref("daily_sales")')],
  [
    'a mark of personal data above',
    edited('models/customers.svc', 'name: {type: varchar, pii: true}', 'name: varchar'),
  ],
  ['one test more', edited(sales, '- not_null: total', '- not_null: total\n  - unique: day')],
  ['a model less', () => ground.remove('models/days.svc')],
  ['a variable', () => ground.write('svc.yaml', 'name: shop\nvars: {smallest: 1}\n')],
  [
    'a glossary',
    () => ground.write('glossary.yaml', 'terms:\n  - name: Total\n    description: All of it.\n'),
  ],
  [
    'an exposure less',
    edited(sales, '  - {name: Board, type: dashboard, url: "https://example.com/board"}\n', '  []\n'),
  ],
  [
    'rows of a source',
    edited('models/customers.svc', '{id: 2, name: 日本}', '{id: 2, name: 日本}\n    - {id: 3, name: Bo}'),
  ],
])('after %s', async (_what, change) => {
  change()
  await run()
  const afterChange = untimed(files())
  await run()
  const taken = files()
  expect(untimed(taken)).toEqual(afterChange)
  rmSync(join(ground.root, '.svc/cache/files-dev.json'))
  await run()
  expect(files()).toEqual(taken)
})

it('after a run that failed, and the one that mends it', async () => {
  edited('models/orders.svc', '{amount: {min: 0}}', '{amount: {min: 11}}')()
  await run(1)
  expect(files()['svc_catalog']).toContain('"failure"')
  edited('models/orders.svc', '{amount: {min: 11}}', '{amount: {min: 1}}')()
  await run()
  const mended = untimed(files())
  expect(JSON.stringify(mended)).not.toContain('"failure"')
  rmSync(join(ground.root, '.svc/cache/files-dev.json'))
  await run()
  expect(untimed(files())).toEqual(mended)
})
