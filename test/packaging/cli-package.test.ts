import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'svc-package-'))
const isWindows = process.platform === 'win32'
const svc = join(folder, 'node_modules', '.bin', isWindows ? 'svc.cmd' : 'svc')

beforeAll(async () => {
  await run(process.execPath, ['scripts/package.mjs', '--only', 'cli'], { cwd: root })
  const tarball = readdirSync(join(root, 'packages')).find(name => /^svc-cli-.*\.tgz$/.test(name))
  writeFileSync(join(folder, 'package.json'), '{"name": "empty", "private": true}')
  await run(
    'npm',
    ['install', '--silent', '--no-audit', '--no-fund', join(root, 'packages', tarball ?? '')],
    {
      cwd: folder,
      shell: isWindows,
    },
  )
}, 240_000)

afterAll(() => rmSync(folder, { recursive: true }))

test('the packed command, installed in an empty folder, makes a project and runs it', async () => {
  mkdirSync(join(folder, 'shop'))
  const inProject = { cwd: join(folder, 'shop') }
  await run(svc, ['init'], inProject)
  writeFileSync(
    join(inProject.cwd, 'models', 'orders.svc'),
    `name: orders
ingest:
  type: rows
  rows: [{id: 1, amount: 12.5}, {id: 2, amount: 7}]
transform: SELECT id, amount FROM {{ source }}
tests:
  - unique: id
`,
  )
  await run(svc, ['validate'], inProject)
  await run(svc, ['fmt', '--check'], inProject)
  await run(svc, ['run', '--env', 'prod'], inProject)
  const { stdout } = await run(svc, ['sample', 'orders', '--env', 'prod', '--json'], inProject)
  expect(JSON.parse(stdout).rows).toHaveLength(2)
}, 120_000)

test('it brings DuckDB for this platform and nothing of this repository', () => {
  const packages = readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.'))
  expect(packages.sort()).toEqual(['@astral-sh', '@duckdb', 'detect-libc', 'svc-cli'])
})
