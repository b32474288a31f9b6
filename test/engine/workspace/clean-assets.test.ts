/** Assets that the last command found clean are passed over: what is said of all of them is what a first command says. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { realWorld } from '../../../cli/commands/world.ts'
import { type OpenedWorkspace, openWorkspace } from '../../../cli/engine/workspace/open-workspace.ts'
import { problemsOf } from '../../../cli/engine/workspace/problems.ts'
import { type Random, seededRandom } from '../../support/random.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-clean-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

interface Checked {
  readonly problems: readonly (readonly [string, unknown])[]
  /** Names of those that were passed over. */
  readonly passedOver: readonly string[]
}

/** One command. `program` undefined: nothing is known, and nothing is kept. */
async function check(program?: string): Promise<Checked> {
  // A minute later, so that nothing counts as written just now.
  const now = () => new Date(Date.now() + 60_000)
  const world = { ...realWorld(program), cwd: root, now }
  const workspace = await openWorkspace({ world, environment: 'dev', signal: new AbortController().signal })
  try {
    const problems = [...(await problemsOf(workspace))]
    return { problems, passedOver: await passedOver(workspace) }
  } finally {
    await workspace.close()
  }
}

async function passedOver(workspace: OpenedWorkspace): Promise<string[]> {
  const isClean = workspace.cleanAssets?.()
  return isClean === undefined
    ? []
    : [...workspace.project.byName.values()].filter(isClean).map(each => each.name)
}

// ---------------------------------------------------------------- random projects

const size = 8

/** Rests on other files in every way that a check knows. */
function randomAsset(index: number, random: Random): string {
  const other = () => `m_${random.below(size)}`
  const earlier = () => `m_${random.below(Math.max(1, random.below(12) === 0 ? size : index))}`
  const name = random.below(20) === 0 ? random.pick([other(), `M_${index}`]) : `m_${index}`
  const body = random.pick([
    "SELECT 1 AS id, 'e' AS email",
    `SELECT id, email FROM {{ ref('${earlier()}') }}`,
    `SELECT a.id, b.email FROM {{ ref('${earlier()}') }} a JOIN {{ ref('${earlier()}') }} b USING (id)`,
    `SELECT id, md5(email) AS email FROM {{ ref('${earlier()}') }}`,
  ])
  const lines = [
    `name: ${index === 0 ? 'm_0' : name}`,
    'ingest: none',
    `transform: ${JSON.stringify(index === 0 ? "SELECT 1 AS id, 'e' AS email" : body)}`,
    random.pick([
      '',
      '',
      'deploy: {materialize: ephemeral}',
      'deploy: {enabled: false}',
      'deploy: {materialize: view}',
    ]),
    random.pick([
      '',
      '',
      `exposures: [{name: board, type: dashboard, owner: ${random.pick(['ann', 'bob'])}}]`,
    ]),
    random.pick(['', '', `tests: [{relationships: {id: ${other()}.id}}]`, 'tests: [{not_null: id}]']),
    random.pick(['', '', 'columns: {email: {pii: true}}', 'columns: {id: {term: thing}}']),
  ]
  return `${lines.filter(line => line !== '').join('\n')}\n`
}

const pathOf = (index: number) => `models/${index % 2 === 0 ? 'marts/' : ''}m_${index}.svc`

function randomEdit(random: Random): void {
  const index = random.below(size)
  switch (random.below(6)) {
    case 0:
      rmSync(join(root, pathOf(index)), { force: true })
      return
    case 1:
      put(
        'glossary.yaml',
        random.pick([
          'terms: [{name: thing, description: d}]\n',
          'terms: []\n',
          'policies: [{name: people, rule: never, applies_to: [marts.*]}]\n',
          'policies: [{name: people, rule: never, pii_columns: [email]}]\n',
        ]),
      )
      return
    case 2:
      put('svc.yaml', `name: p\nvars: {v: ${random.below(2)}}\n`)
      return
    default:
      put(pathOf(index), randomAsset(index, random))
  }
}

it.each(Array.from({ length: Number(process.env['SEEDS'] ?? 4) }, (_, index) => index + 1))(
  'all problems are found after any edits (seed %i)',
  async seed => {
    const random = seededRandom(seed)
    put('svc.yaml', 'name: p\n')
    for (let index = 0; index < size; index++) put(pathOf(index), randomAsset(index, random))
    for (let round = 0; round < 25; round++) {
      expect((await check('svc test')).problems, `round ${round}`).toEqual((await check()).problems)
      for (let count = random.below(3); count > 0; count--) randomEdit(random)
    }
  },
)

// ---------------------------------------------------------------- what is passed over

it('a clean asset is passed over until it, what it rests on or the project changes', async () => {
  put('svc.yaml', 'name: p\n')
  put('models/a.svc', 'name: a\ningest: none\ntransform: SELECT 1 AS id\n')
  put('models/b.svc', "name: b\ningest: none\ntransform: SELECT id FROM {{ ref('a') }}\n")
  put(
    'models/c.svc',
    'name: c\ningest: none\ntransform: SELECT 1 AS id\ntests: [{relationships: {id: b.id}}]\n',
  )
  put('models/bad.svc', "name: bad\ningest: none\ntransform: SELECT no FROM {{ ref('a') }}\n")
  const again = async () => (await check('svc test')).passedOver
  expect(await again()).toEqual([])
  expect(await again()).toEqual(['a', 'b', 'c'])
  put('models/a.svc', 'name: a\ningest: none\ntransform: SELECT 2 AS id\n')
  expect(await again()).toEqual(['b', 'c'])
  put('models/a.svc', "name: a\ningest: none\ntransform: SELECT 'x' AS id\n")
  expect(await again()).toEqual([])
  expect(await again()).toEqual(['a', 'b', 'c'])
  put('svc.yaml', 'name: p\nvars: {v: 1}\n')
  expect(await again()).toEqual([])
  put('models/d.svc', 'name: d\ningest: none\ntransform: SELECT 1 AS id\n')
  expect(await again()).toEqual([])
  expect(await again()).toEqual(['a', 'b', 'c', 'd'])
  rmSync(join(root, '.svc'), { recursive: true })
  expect(await again()).toEqual([])
})

it('a clean asset gets a problem by what happens in another file alone', async () => {
  const plain = (name: string, more = '') => `name: ${name}\ningest: none\ntransform: SELECT 1 AS id\n${more}`
  const reader = (of: string) => `name: reader\ningest: none\ntransform: SELECT id FROM {{ ref('${of}') }}\n`
  put('svc.yaml', 'name: p\n')
  put('models/a.svc', plain('X', 'deploy: {enabled: false}\n'))
  put('models/b.svc', plain('x'))
  put('models/hidden.svc', plain('hidden', 'deploy: {materialize: ephemeral}\n'))
  put('models/reader.svc', reader('hidden'))
  put('models/board.svc', plain('board', 'exposures: [{name: e, type: dashboard, owner: ann}]\n'))
  put('models/another.svc', plain('another'))
  const codesAt = async (path: string) => {
    const [warm, cold] = [await check('svc test'), await check()]
    expect(warm.problems).toEqual(cold.problems)
    return new Map(warm.problems).get(path)
  }
  await check('svc test')
  expect(await codesAt('models/b.svc')).toEqual([])
  put('models/a.svc', plain('X'))
  expect(await codesAt('models/b.svc')).toMatchObject([{ code: 'duplicate-name' }])
  put('models/reader.svc', reader('another'))
  expect(await codesAt('models/hidden.svc')).toMatchObject([{ code: 'ephemeral-without-reader' }])
  expect(await codesAt('models/board.svc')).toEqual([])
  put('models/another.svc', plain('another', 'exposures: [{name: e, type: dashboard, owner: bob}]\n'))
  expect(await codesAt('models/board.svc')).toMatchObject([{ code: 'exposure-duplicate' }])
})
