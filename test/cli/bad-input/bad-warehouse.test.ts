/** A warehouse that cannot be had: the command says whose fault it is, changes nothing, and works once that is repaired. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { closeLeftOpen } from '../../../cli/engine/warehouse/duckdb/open-instances.ts'
import { createProject, type Result, type TestProject } from '../../support/cli.ts'
import { createProjectHere, type ProjectHere } from '../../support/cli-here.ts'
import { withStorageVersion } from '../../support/storage-version.ts'
import { shop } from '../shop-project.ts'
import { expectNoStack, expectRefusal } from './command-line.ts'

const made: TestProject[] = []

function project(files: Readonly<Record<string, string>> = shop): ProjectHere {
  const one = createProjectHere(files)
  made.push(one)
  return one
}

afterEach(() => {
  for (const one of made.splice(0)) one.dispose()
})

/** Every command that opens the warehouse. */
const commands: readonly (readonly string[])[] = [
  ['init'],
  ['plan'],
  ['run'],
  ['status'],
  ['versions', 'orders'],
  ['sample', 'orders'],
  ['test'],
  ['freshness'],
  ['rollback'],
]

function fingerprint(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

describe('a warehouse that doctor looks at', () => {
  it('is read through, so that noise in the middle of a table is found', async () => {
    const one = project({
      'svc.yaml': 'name: noise\n',
      'models/many.svc':
        'name: many\ningest: none\ntransform: SELECT range AS i, md5(range::VARCHAR) AS h FROM range(200000)\n',
    })
    expect((await one.svc(['run'])).code).toBe(0)
    expect((await one.svc(['doctor'])).stdout).toContain('1 table read through')
    const file = join(one.root, 'warehouse.duckdb')
    const bytes = readFileSync(file)
    const start = bytes.length >> 1
    for (let at = start; at < start + 65_536; at++) bytes[at] = (at * 7919) & 255
    writeFileSync(file, bytes)
    expectRefusal(await one.svc(['doctor']), 1, 'FAIL', 'parts of it cannot be read: many')
  })

  it('cannot be made where its folder is missing, which init says too', async () => {
    const one = project({ 'svc.yaml': 'name: gone\nwarehouse: duckdb:./gone/w.duckdb\n' })
    const message = 'the folder of gone/w.duckdb does not exist'
    const doctor = await one.svc(['doctor'])
    expectRefusal(doctor, 1, 'FAIL', message, 'Create it, or name another warehouse')
    expect(doctor.stdout).not.toContain('svc init')
    expectRefusal(await one.svc(['init']), 3, message)
  })
})

describe('a file that is no warehouse', () => {
  it.each([
    ['text', 'id,name\n1,x\n'.repeat(3000), 'is not a DuckDB database'],
    ['nothing', '', 'is not a DuckDB database'],
  ])('but %s is left alone, by every command', async (_what, content, message) => {
    const one = project()
    const file = join(one.root, 'warehouse.duckdb')
    writeFileSync(file, content)
    for (const words of commands) {
      expectRefusal(
        await one.svc(words),
        3,
        'warehouse.duckdb',
        message,
        'name another one as warehouse in svc.yaml',
      )
    }
    expectRefusal(await one.svc(['doctor']), 1, 'FAIL', message)
    expect(readFileSync(file, 'utf8')).toBe(content)
  })

  it('but a folder, or in a folder that is not there', async () => {
    const one = project({ ...shop, 'svc.yaml': 'name: x\nwarehouse: duckdb:./no/such/w.duckdb\n' })
    expectRefusal(await one.svc(['run']), 3, 'no/such does not exist', 'in svc.yaml')
    mkdirSync(join(one.root, 'no/such/w.duckdb'), { recursive: true })
    expectRefusal(await one.svc(['run']), 3, 'no/such/w.duckdb')
  })

  it('but was written by a newer DuckDB', async () => {
    const one = project()
    expect((await one.svc(['init'])).code).toBe(0)
    const file = join(one.root, 'warehouse.duckdb')
    writeFileSync(file, withStorageVersion(readFileSync(file), 99n))
    const before = fingerprint(file)
    expectRefusal(await one.svc(['run']), 3, 'newer DuckDB (storage 99)', 'Update svc')
    expect(fingerprint(file)).toBe(before)
  })
})

describe('a warehouse that somebody else holds', () => {
  it('is waited for, then told with program and process', async () => {
    const one = project()
    expect((await one.svc(['run'])).code).toBe(0)
    await closeLeftOpen()
    const file = join(one.root, 'warehouse.duckdb')
    // Kept in a global: what nobody refers to is collected, and its lock is free again.
    const holding = `import('@duckdb/node-api').then(async ({ DuckDBInstance }) => {
      globalThis.held = await DuckDBInstance.create(${JSON.stringify(file)}); console.log('held'); setInterval(() => {}, 1000)
    })`
    const child = spawn(process.execPath, ['-e', holding], { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      await new Promise(resolve => child.stdout.once('data', resolve))
      const [status, run] = await Promise.all([one.alone(['status']), one.alone(['run'])])
      for (const said of [status, run]) {
        expectRefusal(
          said,
          3,
          'warehouse.duckdb is held by',
          `${child.pid}`,
          'Wait until it is done, or end it',
        )
      }
      expectRefusal(await one.svc(['doctor']), 1, 'FAIL', `${child.pid}`)
    } finally {
      child.kill('SIGKILL')
      await new Promise(resolve => child.once('close', resolve))
    }
    expect((await one.svc(['run'])).code).toBe(0)
  })
})

/** Rows enough for some megabytes that do not compress. */
const filling = `name: filling
ingest: none
transform: SELECT i AS id, md5(CAST(i AS VARCHAR)) || md5(CAST(i + 7 AS VARCHAR)) AS text FROM range(400000) t(i)
`

async function expectFullDisk(one: TestProject, run: () => Promise<Result>): Promise<void> {
  const said = await run()
  expectNoStack(said)
  expect(said.code, said.stdout + said.stderr).toBe(3)
  expect((said.stdout + said.stderr).replace(/\s+/g, ' ')).toMatch(
    /disk .*is full|the file would be too large/,
  )
  // Nothing of it is in production, and nothing of it stays for ever.
  const status = await one.svc(['status', '--format', 'json'])
  expect(status.code, status.stderr).toBe(0)
  const { assets } = JSON.parse(status.stdout) as { assets: readonly { name: string }[] }
  expect(assets.map(({ name }) => name).sort()).toEqual([
    'best_customers',
    'customers',
    'daily_sales',
    'orders',
  ])
  expect((await one.svc(['sample', 'orders'])).code).toBe(0)
}

describe('a full disk', () => {
  it('of files that may not grow: production stays, and the run goes through once there is room', async () => {
    const one = project()
    expect((await one.svc(['run'])).code).toBe(0)
    one.write('models/filling.svc', filling)
    const through = ['bash', '-c', 'trap "" XFSZ; ulimit -f 8192; exec "$@"', '-']
    await expectFullDisk(one, () => one.svc(['run'], { through }))
    const after = await one.svc(['run'])
    expect(after.code, after.stderr).toBe(0)
  })

  const canMount = process.getuid?.() === 0 && process.platform === 'linux'
  it.skipIf(!canMount)('of a few megabytes', async () => {
    // A process that has failed to write its file may keep the room that it had, so each command has its own.
    const one = createProject({})
    made.push(one)
    const small = join(one.root, 'small')
    mkdirSync(small)
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', small], {
      encoding: 'utf8',
    })
    if (mounted.status !== 0) {
      console.log(`a small disk is not tried here: ${mounted.stderr.trim()}`)
      return
    }
    try {
      for (const [path, text] of Object.entries(shop)) one.write(`small/${path}`, text)
      const inside: TestProject = {
        ...one,
        svc: (words, options) => one.svc(words, { ...options, cwd: 'small' }),
      }
      expect((await inside.svc(['run'])).code).toBe(0)
      // Something that a person can delete: the warehouse keeps what it has taken until it can write again.
      one.write('small/old.log', 'x'.repeat(500_000))
      one.write('small/models/filling.svc', filling)
      await expectFullDisk(inside, () => inside.svc(['run']))
      // No byte is left at all: what only reads still works, what writes says why not.
      spawnSync('dd', ['if=/dev/zero', `of=${join(small, 'rest')}`, 'bs=64k'], { stdio: 'ignore' })
      expectNoStack(await inside.svc(['validate']))
      for (const words of [['manifest'], ['create', 'asset', 'more'], ['run']]) {
        const said = await inside.svc(words)
        expectNoStack(said)
        expect(said.code, words.join(' ') + said.stderr).toBe(3)
      }
      expect(existsSync(join(small, 'models/more.svc'))).toBe(false)
      expect(readdirSync(small).filter(name => name.endsWith('.tmp'))).toEqual([])
      one.remove('small/rest')
      one.remove('small/old.log')
      one.remove('small/models/filling.svc')
      const after = await inside.svc(['run'])
      expect(after.code, after.stderr).toBe(0)
    } finally {
      spawnSync('umount', ['-l', small])
    }
  })
})
