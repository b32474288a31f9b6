/** What a file system can hold besides good files: other bytes, links in circles, odd names, far too much. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { realWorld } from '../../../cli/commands/world.ts'
import { runProject } from '../../../cli/engine/run/run-project.ts'
import { openWorkspace } from '../../../cli/engine/workspace/open-workspace.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'
import { sample } from '../../support/long.ts'
import { ordinaryUser } from '../../support/ordinary-user.ts'
import { shop } from '../shop-project.ts'
import { createGround, expectNoStack, expectRefusal, type Ground } from './command-line.ts'

const made: { dispose(): void }[] = []

function ground(files: Readonly<Record<string, string>>): Ground {
  const one = createGround(files)
  made.push(one)
  return one
}

function project(files: Readonly<Record<string, string>>): ProjectHere {
  const one = createProjectHere(files)
  made.push(one)
  return one
}

afterEach(() => {
  for (const one of made.splice(0)) one.dispose()
})

const model = (name: string, sql = 'SELECT 1 AS id') => `name: ${name}\ningest: none\ntransform: ${sql}\n`

describe('bytes', () => {
  it('that are no UTF-8 are shown on their place, and nothing is done', async () => {
    const { write, line } = ground({
      'svc.yaml': 'name: bytes\n',
      'models/good.svc': model('good', "SELECT '�' AS id"),
    })
    const latin = Buffer.from(model('latin', "SELECT 'Zürich' AS id"), 'latin1')
    write('models/latin.svc', latin)
    write('models/utf16.svc', Buffer.from(`\ufeff${model('utf16')}`, 'utf16le'))
    write(
      'models/both.svc',
      Buffer.concat([Buffer.from(model('both', "SELECT '�ä' AS id")), Buffer.from([0xff])]),
    )
    const said = await line(['validate'])
    expectRefusal(
      said,
      1,
      'PASS models/good.svc',
      'the file is not UTF-8 text: byte FC is wrong here',
      'models/latin.svc:3:21',
      'the file is UTF-16, not UTF-8',
      'models/utf16.svc:1:1',
      'byte FF is wrong here',
      'models/both.svc:4:1',
      'Save it as UTF-8.',
    )
    expectRefusal(await line(['run']), 1, 'models/utf16.svc:1:1')
    expect((await line(['status', '--json'])).stdout).not.toContain('"active_hash": "')
    expect((await line(['run', 'good'])).code).toBe(0)
    write('svc.yaml', Buffer.from('name: ü\n', 'latin1'))
    expectRefusal(await line(['plan']), 2, 'svc.yaml:1:7', 'byte FC is wrong here')
  })
})

describe('odd entries', () => {
  it('folders named like assets, links in circles and to nothing', async () => {
    const { root, write, line } = ground({ 'svc.yaml': 'name: odd\n', 'models/a.svc': model('a') })
    mkdirSync(join(root, 'models/folder.svc'))
    write('models/folder.svc/inner.svc', model('inner'))
    symlinkSync('..', join(root, 'models/up'))
    symlinkSync('.', join(root, 'models/self.svc'))
    symlinkSync('round.svc', join(root, 'models/round.svc'))
    symlinkSync('nowhere.svc', join(root, 'models/dangling.svc'))
    symlinkSync('a.svc', join(root, 'models/.hidden.svc'))
    const said = await line(['validate'])
    expectNoStack(said)
    expect(said).toMatchObject({ code: 0, stderr: '' })
    expect(said.stdout).toContain('2 passed')
  })

  it('names with spaces, quotes, marks and other scripts, in files and folders', async () => {
    const files = [
      'with space.svc',
      "o'clock.svc",
      'a"b.svc',
      '#1.svc',
      '100%.svc',
      'größe.svc',
      '資産.svc',
      '😀/x y.svc',
      '-rf.svc',
      '$(id).svc',
    ]
    const { line } = ground({
      'svc.yaml': 'name: names\n',
      ...Object.fromEntries(files.map((name, index) => [`models/${name}`, model(`asset_${index}`)])),
      'data/it\'s "data" #1/größe 😀.csv': 'id,name\n1,Zoë\n',
      'models/src.svc':
        'name: src\ningest: {type: file, endpoint: "data/it\'s \\"data\\" #1", resource: "größe *.csv"}\ntransform: SELECT id, name FROM {{ source }}\n',
    })
    expect((await line(['run'])).code).toBe(0)
    const said = await line(['sample', 'src', '--json'])
    expect(JSON.parse(said.stdout)).toMatchObject({ rows: [{ id: 1, name: 'Zoë' }] })
    expect((await line(['validate', 'models/😀'])).stdout).toContain('1 passed')
  })

  it('a project in a folder with spaces, quotes and marks in its path', async () => {
    const outer = project({})
    const inside = join(outer.root, `it's "the" #1 project; 100% größe 😀`)
    for (const [path, text] of Object.entries(shop))
      outer.write(join(inside.slice(outer.root.length + 1), path), text)
    const cwd = inside.slice(outer.root.length + 1)
    for (const words of [
      ['init'],
      ['validate'],
      ['plan'],
      ['run'],
      ['status'],
      ['sample', 'orders'],
      ['manifest'],
      ['rollback', '--help'],
    ]) {
      const said = await outer.alone(words, { cwd })
      expectNoStack(said)
      expect(said.code, words.join(' ') + said.stderr).toBe(0)
    }
  })
})

describe('permissions', () => {
  const user = ordinaryUser()
  it.skipIf(user === undefined)('a file and a folder that may not be read', async () => {
    const one = project({
      'svc.yaml': 'name: closed\n',
      'models/a.svc': model('a'),
      'models/b/c.svc': model('c'),
    })
    chmodSync(one.root, 0o777)
    chmodSync(join(one.root, 'models/a.svc'), 0o000)
    const closed = await one.svc(['validate'], { user })
    expectRefusal(closed, 3, 'cannot read models/a.svc (EACCES)', 'Are you allowed to read it?')
    chmodSync(join(one.root, 'models/a.svc'), 0o644)
    chmodSync(join(one.root, 'models/b'), 0o000)
    expectRefusal(await one.svc(['run'], { user }), 3, 'cannot read models/b (EACCES)')
    chmodSync(join(one.root, 'models/b'), 0o755)
    chmodSync(join(one.root, 'svc.yaml'), 0o000)
    expectRefusal(await one.svc(['plan'], { user }), 3, 'svc.yaml')
  })

  it.skipIf(user === undefined)('a folder that may not be written', async () => {
    const one = project({ 'svc.yaml': 'name: fixed\n', 'models/a.svc': model('a') })
    chmodSync(one.root, 0o555)
    expect((await one.svc(['validate'], { user })).code).toBe(0)
    for (const words of [['init'], ['run'], ['manifest'], ['create', 'asset', 'b']]) {
      const said = await one.svc(words, { user })
      expectRefusal(said, 3, 'error:')
      expect(said.stderr, words.join(' ')).toMatch(/EACCES|no permission|not allowed/)
    }
    const plan = await one.svc(['plan'], { user })
    expectNoStack(plan)
    expect(plan.code, plan.stderr).toBe(0)
    chmodSync(one.root, 0o755)
  })

  it.skipIf(user === undefined)('a folder that may not be looked into is no project', async () => {
    const one = project({ 'inner/models/a.svc': model('a') })
    chmodSync(join(one.root, 'inner/models'), 0o000)
    expectRefusal(await one.svc(['status'], { user, cwd: 'inner' }), 2, 'no project here')
    chmodSync(join(one.root, 'inner/models'), 0o755)
  })
})

describe('far too much', () => {
  it('a file of 50 MB is told at once, whatever is in it', async () => {
    const one = project({ 'svc.yaml': 'name: much\n', 'models/good.svc': model('good') })
    const size = 50 * 1024 * 1024
    for (const line of sample(
      ['x', '- }\n', "  {{ ref('x') }} {{\n", '# password: a1b2c3d4e5f6g7h8i9\n'],
      4,
    )) {
      writeFileSync(join(one.root, 'models/big.svc'), model('big') + line.repeat(size / line.length))
      const said = await one.svc(['validate'])
      expectRefusal(said, 1, 'PASS models/good.svc', 'characters, 8,000,000 are allowed')
      expect(said.stdout.length).toBeLessThan(2000)
    }
    expectRefusal(await one.svc(['run']), 1, 'characters, 8,000,000 are allowed')
    expect((await one.svc(['run', 'good'])).code).toBe(0)
  })

  it('a file of a megabyte that is wrong in every line is shown in part', async () => {
    const one = project({ 'svc.yaml': 'name: much\n' })
    const lines = ['- }\n', "  {{ ref('x') }} {{\n", 'a_key: 1\n', '# password: a1b2c3d4e5f6g7h8i9\n']
    for (const line of sample(lines, 4)) {
      one.write('models/big.svc', model('big', '|') + line.repeat(1_200_000 / line.length))
      const said = await one.svc(['validate'])
      expectRefusal(said, 1, 'more problems in models/big.svc')
      expect(said.stdout.length).toBeLessThan(60_000)
    }
  })

  it('100,000 rows inline come through whole', async () => {
    const rows = Array.from(
      { length: 100_000 },
      (_, id) => `    - {id: ${id}, name: "row ${id}", more: ${id % 7}}`,
    )
    const one = project({
      'svc.yaml': 'name: rows\n',
      'models/rows.svc': `name: rows\ningest:\n  type: rows\n  rows:\n${rows.join('\n')}\ntransform: SELECT id, name, more FROM {{ source }}\ntests: [{unique: id}, {row_count: {min: 100000, max: 100000}}]\n`,
    })
    const said = await one.svc(['run'])
    expect(said.code, said.stderr).toBe(0)
    expect(said.stderr).toContain('100,000 rows')
  })
})

describe('between two looks', () => {
  it('a source file that vanishes fails its asset, and production stays', async () => {
    const one = ground(shop)
    expect((await one.line(['run'])).code).toBe(0)
    const world = { ...realWorld(), cwd: one.root, env: {} }
    const workspace = await openWorkspace({ world, environment: 'dev', signal: new AbortController().signal })
    try {
      rmSync(join(one.root, 'data/orders.csv'))
      rmSync(join(one.root, 'models/customers.svc'))
      const request = { kind: 'run', selector: undefined, noIngest: false, allTests: false } as const
      const report = await runProject(workspace, request, () => {})
      expect(report.status).toBe('Failed')
      expect(report.failure?.message).toContain('no file matches')
    } finally {
      await workspace.close()
    }
    const sample = await one.line(['sample', 'orders', '--json'])
    expect(JSON.parse(sample.stdout)).toMatchObject({ rows: [{ id: 1 }, { id: 2 }, { id: 3 }] })
  })
})
