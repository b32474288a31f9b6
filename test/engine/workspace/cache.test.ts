/** A command that begins with what the last one kept says what one that knows nothing says. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { realWorld } from '../../../cli/commands/world.ts'
import { checkContracts } from '../../../cli/engine/workspace/contract-checks.ts'
import { type OpenedWorkspace, openWorkspace } from '../../../cli/engine/workspace/open-workspace.ts'
import { problemsOf } from '../../../cli/engine/workspace/problems.ts'
import { openCatalog } from '../../../server/catalog/index.ts'
import { engineOf } from '../../../server/language/engines/index.ts'
import { metricKey, noOwnTests } from '../../../server/language/index.ts'
import { openCache } from '../../../server/workspace/cache/open-cache.ts'
import { seeds } from '../../support/long.ts'
import { seeded } from '../../support/mutations.ts'
import { pathOf, pick, type Random, randomAsset, size } from '../../support/random-assets.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-cache-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const cacheFile = () => join(root, '.svc', 'cache', 'project')

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** A minute later, so that nothing counts as written just now. */
const later = () => new Date(Date.now() + 60_000)

interface Opening {
  readonly program?: string
  readonly now?: () => Date
}

async function withWorkspace<T>(
  opening: Opening,
  use: (workspace: OpenedWorkspace) => Promise<T>,
): Promise<T> {
  const world = { ...realWorld(opening.program), cwd: root, now: opening.now ?? later }
  const workspace = await openWorkspace({ world, environment: 'dev', signal: new AbortController().signal })
  try {
    return await use(workspace)
  } finally {
    await workspace.close()
  }
}

/** All that commands ask for, places included. */
async function everything(workspace: OpenedWorkspace): Promise<unknown> {
  const { project } = workspace
  const analysis = await workspace.analysis()
  const problems = await problemsOf(workspace)
  const assets = [...project.assets.values()].map(({ path, name, definition, refs, sql, textHash }) => ({
    path,
    sql: sql?.text,
    name,
    definition,
    textHash,
    refs: refs.map(ref => [ref.name, ref.from, ref.range]),
  }))
  const metrics = project.glossary.metrics.map(metricKey)
  const known = [...project.order, ...metrics].map(name => {
    const { columns, complete, lineage, uses, diagnostics, volatile } = analysis.of(name) ?? {}
    return { name, columns, complete, lineage, uses, diagnostics, volatile }
  })
  return {
    assets,
    known,
    problems: [...problems],
    order: project.order,
    variables: [...workspace.variables].sort(),
  }
}

const warm = (opening: Opening = {}) => withWorkspace({ program: 'svc test', ...opening }, everything)
const cold = () => withWorkspace({}, everything)

// ---------------------------------------------------------------- random edits

function randomEdit(random: Random): void {
  const index = pick(random, size + 2)
  const path = pathOf(index)
  const present = existsSync(join(root, path))
  switch (pick(random, 10)) {
    case 0:
      rmSync(join(root, path), { force: true })
      return
    case 1:
      if (present) renameSync(join(root, path), join(root, pathOf(size + 3)))
      return
    case 2:
      if (present) put(path, `${readFileSync(join(root, path), 'utf8')}# ${pick(random, 9)}\n`)
      return
    case 3:
      // Of the same length, at the same time as far as anybody can say.
      if (present) sameStampOtherText(path)
      return
    case 4:
      put('svc.yaml', `name: p\nvars: {v: ${random() < 0.5 ? 1 : "'x'"}}\n`)
      return
    case 5:
      put('data/a.csv', `id,name,amount\n1,x,${random() < 0.5 ? 1 : "'y'"}\n`)
      return
    case 6:
      put('schemas.lock.json', random() < 0.5 ? '{}' : 'broken')
      return
    case 7:
      put('glossary.yaml', randomGlossary(random))
      return
    default:
      put(path, randomAsset(index, random))
  }
}

/** Metrics with and without a mistake, of a variable, of an asset that may be gone, at places that move. */
function randomGlossary(random: Random): string {
  const metrics = [
    `{name: A, sql_definition: count(${random() < 0.5 ? 'id' : 'idd'}), source_assets: [file]}`,
    `{name: B, sql_definition: "SELECT max(id) AS id, {{ var('v') }} AS v FROM {{ ref('file') }}"}`,
    `{name: C, sql_definition: "SELECT count(*) AS n FROM {{ ref('m_${pick(random, size)}') }}"}`,
  ]
  const kept = metrics.filter(() => random() < 0.8)
  const note = `# ${'x'.repeat(pick(random, 3))}\n`
  const secret = random() < 0.2 ? '# token: abcdefghij0123456789abcdefghij\n' : ''
  return kept.length === 0 ? note : `${note}metrics:\n${kept.map(each => `  - ${each}\n`).join('')}${secret}`
}

function sameStampOtherText(path: string): void {
  const { atime, mtime } = statSync(join(root, path))
  const text = readFileSync(join(root, path), 'utf8')
  put(path, text.replace('id', 'di'))
  utimesSync(join(root, path), atime, mtime)
}

function damage(random: Random): void {
  if (!existsSync(cacheFile())) return
  const bytes = readFileSync(cacheFile())
  if (random() < 0.5) writeFileSync(cacheFile(), bytes.subarray(0, pick(random, bytes.length)))
  else {
    const at = pick(random, bytes.length)
    bytes[at] = ((bytes[at] ?? 0) + 1) % 256
    writeFileSync(cacheFile(), bytes)
  }
}

describe('with a cache', () => {
  it.each(seeds(1, 12))('everything is as without one, after any edits (seed %i)', async seed => {
    const random = seeded(seed)
    put('svc.yaml', 'name: p\nvars: {v: 1}\n')
    put('data/a.csv', 'id,name,amount\n1,x,1\n')
    put(
      'models/file.svc',
      'name: file\ningest: {type: file, endpoint: data, resource: "*.csv"}\ntransform: SELECT * FROM {{ source }}\n',
    )
    put(
      'models/secret.svc',
      'name: secret\ningest: {type: rest_api, endpoint: "https://x.example", resource: env:R, auth: {type: bearer, token: abcdefghij0123456789abcdefghij}}\ntransform: SELECT * FROM {{ source }}\n',
    )
    put('glossary.yaml', randomGlossary(random))
    for (let index = 0; index < size; index++) put(pathOf(index), randomAsset(index, random))
    for (let round = 0; round < 10; round++) {
      expect(await warm(), `round ${round}`).toEqual(await cold())
      for (let count = pick(random, 3); count > 0; count--) randomEdit(random)
      if (random() < 0.1) damage(random)
    }
    for (const name of readdirSync(dirname(cacheFile())))
      expect(readFileSync(join(dirname(cacheFile()), name), 'utf8')).not.toContain('abcdefghij0123456789')
  })

  const opened = (program: string, now = later) =>
    openCache({
      root,
      models: 'models/',
      settings: { engine: engineOf('duckdb:'), defaults: [], ownTests: noOwnTests },
      world: { now, program },
    })

  it('unchanged files are neither read nor analysed again', async () => {
    for (let index = 0; index < 3; index++)
      put(
        pathOf(index),
        randomAsset(index, () => 0),
      )
    await warm()
    const { read, files, memory } = opened('svc test')
    expect([read.size, files.length, memory.entries.size]).toEqual([0, 3, 3])
    put(pathOf(1), `${readFileSync(join(root, pathOf(1)), 'utf8')}# more\n`)
    expect([...opened('svc test').read.keys()]).toEqual([pathOf(1)])
  })

  it('metrics are bound again only where they or what they read have changed', async () => {
    put('models/a.svc', 'name: a\ningest: none\ntransform: SELECT 1 AS id\n')
    const glossary = (sql: string) =>
      `metrics:\n  - {name: A, sql_definition: count(id), source_assets: [a]}\n  - {name: B, sql_definition: "${sql}"}\n`
    put('glossary.yaml', glossary("SELECT 1 AS one FROM {{ ref('a') }}"))
    const remembered = () =>
      withWorkspace({ program: 'svc test' }, async workspace => {
        const catalog = await openCatalog(engineOf('duckdb:'), { memory: opened('svc test').memory })
        await catalog.analyze(workspace.project, new Map())
        const names = ['a', 'metric 0', 'metric 1'].filter(name => catalog.isRemembered(name))
        catalog.close()
        await workspace.analysis()
        return names
      })
    expect(await remembered()).toEqual([])
    expect(await remembered()).toEqual(['a', 'metric 0', 'metric 1'])
    put('glossary.yaml', glossary("SELECT 2 AS two FROM {{ ref('a') }}"))
    expect(await remembered()).toEqual(['a', 'metric 0'])
    put('models/a.svc', 'name: a\ningest: none\ntransform: SELECT 1 AS id, 2 AS other\n')
    expect(await remembered()).toEqual([])
    expect(await remembered()).toEqual(['a', 'metric 0', 'metric 1'])
  })

  it('a few changes are written beside what is kept of the other files', async () => {
    const body = (value: number) => `name: m_0\ningest: none\ntransform: SELECT ${value} AS id\n`
    for (let index = 1; index < 30; index++)
      put(pathOf(index), `name: m_${index}\ningest: none\ntransform: SELECT 1 AS id\n`)
    put(pathOf(0), body(0))
    await warm()
    const base = readFileSync(cacheFile())
    for (const value of [1, 2, 3]) {
      put(pathOf(0), body(value))
      expect(await warm()).toEqual(await cold())
      expect([...opened('svc test').read.keys()]).toEqual([])
      expect(opened('svc test').files.map(file => 'sql' in file && file.sql?.text)).toContain(
        `SELECT ${value} AS id`,
      )
    }
    expect(readFileSync(cacheFile())).toEqual(base)
    expect(statSync(`${cacheFile()}.changes`).size).toBeLessThan(base.length / 4)
    for (let index = 0; index < 20; index++) put(pathOf(index), body(9).replace('m_0', `m_${index}`))
    await warm()
    expect(readFileSync(cacheFile())).not.toEqual(base)
    expect(existsSync(`${cacheFile()}.changes`)).toBe(false)
  })

  it('changes of another file than the one that is there count for nothing', async () => {
    for (let index = 0; index < 5; index++)
      put(pathOf(index), `name: m_${index}\ningest: none\ntransform: SELECT 1 AS id\n`)
    await warm()
    put(pathOf(0), 'name: m_0\ningest: none\ntransform: SELECT 2 AS id\n')
    await warm()
    const changes = readFileSync(`${cacheFile()}.changes`)
    put('models/more.svc', 'name: more\ningest: none\ntransform: SELECT 1 AS id\n')
    put(pathOf(0), 'name: m_0\ningest: none\ntransform: SELECT 3 AS id\n')
    await warm()
    writeFileSync(`${cacheFile()}.changes`, changes)
    expect(opened('svc test').read.size).toBe(0)
    expect(await warm()).toEqual(await cold())
  })

  it('the SQL of an unchanged file is known without reading the file', async () => {
    put('models/a.svc', "name: a\ningest: none\ntransform: SELECT '日本' AS name\n")
    put('models/half.svc', 'name: half\ningest: none\ntransform: "SELECT \'\\ud83d\' AS half"\n')
    await warm()
    const sqlNow = () =>
      withWorkspace({ program: 'svc test' }, async ({ project }) =>
        ['a', 'half'].map(name => project.byName.get(name)?.sql?.text),
      )
    const before = await sqlNow()
    expect(before).toEqual(["SELECT '日本' AS name", "SELECT '\ud83d' AS half"])
    // The file is another one now, and does not look it.
    const { atime, mtime } = statSync(join(root, 'models/a.svc'))
    writeFileSync(join(root, 'models/a.svc'), "name: a\ningest: none\ntransform: SELECT '中国' AS name\n")
    utimesSync(join(root, 'models/a.svc'), atime, mtime)
    expect(await sqlNow()).toEqual(["SELECT '中国' AS name", "SELECT '\ud83d' AS half"])
  })

  it('a contract is held against files that were looked at before without opening them again', async () => {
    put('data/x.csv', 'id,name\n1,a\n')
    put(
      'models/x.svc',
      'name: x\ningest: {type: file, endpoint: ./data, resource: x.csv}\ncontract: {required_columns: [id, name]}\ntransform: SELECT id FROM {{ source }}\n',
    )
    const check = () =>
      withWorkspace({ program: 'svc test' }, async workspace => {
        await workspace.analysis()
        const remembered = workspace.looks
        const found: unknown[] = []
        const looks = {
          get(key: string) {
            found.push(remembered?.get(key))
            return remembered?.get(key)
          },
          set: () => expect.fail('a peek keeps nothing'),
        }
        const [asked] = await checkContracts({ ...workspace, project: workspace.project, looks }, ['x'])
        return [asked?.status, found.filter(look => look !== undefined).length]
      })
    expect(await check()).toEqual(['kept', 1])
    expect(await check()).toEqual(['kept', 1])
    put('data/x.csv', 'id,other\n1,a\n')
    expect(await check()).toEqual(['broken', 1])
    // Of a file that was written this moment nothing is remembered: it is opened.
    put('data/x.csv', 'id,name\n1,b\n')
    const now = () => new Date()
    await withWorkspace({ program: 'svc test', now }, async workspace => {
      expect((await checkContracts(workspace, ['x']))[0]?.status).toBe('kept')
    })
  })

  it('what another program found out is not believed', async () => {
    put(
      pathOf(0),
      randomAsset(0, () => 0),
    )
    await warm()
    const { read, memory } = opened('svc of tomorrow')
    expect([read.size, memory.entries.size]).toEqual([1, 0])
    expect(await warm({ program: 'svc of tomorrow' })).toEqual(await cold())
    expect(opened('svc test').memory.entries.size).toBe(0)
  })

  it('a file that was written this moment is read again', async () => {
    put(
      pathOf(0),
      randomAsset(0, () => 0),
    )
    const now = () => new Date()
    await warm({ now })
    const stamps = (file: string) => readFileSync(file, 'utf8').match(/"stamps":\[(.*?)\]/)?.[1]
    expect(stamps(cacheFile())).toBe('""')
    await warm()
    expect(stamps(`${cacheFile()}.changes`)).toMatch(/^"\d+ \d+ \d+ /)
  })

  it('a file that changes under the hands of a command is not taken for the old one', async () => {
    put(
      pathOf(0),
      randomAsset(0, () => 0),
    )
    await warm()
    await withWorkspace({ program: 'svc test' }, async ({ project }) => {
      put(
        pathOf(0),
        randomAsset(0, () => 0.5),
      )
      expect(() => project.assets.get(pathOf(0))?.text).toThrow('changed while it was being read')
    })
  })

  it('what a killed command left half written goes, what another one writes stays', async () => {
    put(
      pathOf(0),
      randomAsset(0, () => 0),
    )
    put('.svc/cache/project.1.tmp', 'half')
    put('.svc/cache/project.2.tmp', 'half')
    utimesSync(join(root, '.svc/cache/project.1.tmp'), new Date(0), new Date(0))
    await warm()
    expect(readdirSync(join(root, '.svc/cache')).sort()).toEqual(['.gitignore', 'project', 'project.2.tmp'])
  })

  it('git leaves it alone', async () => {
    put(
      pathOf(0),
      randomAsset(0, () => 0),
    )
    await warm()
    expect(readFileSync(join(root, '.svc', 'cache', '.gitignore'), 'utf8')).toBe('*\n')
  })
})
