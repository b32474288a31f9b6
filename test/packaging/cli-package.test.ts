import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createProtocolConnection,
  InitializedNotification,
  InitializeRequest,
  ShowMessageNotification,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'
import { separatePackages } from '../../scripts/external-packages.mjs'
import { followPage } from '../docs/run-page.ts'
import { danglingReferences } from '../support/installs/references.ts'
import { isLong } from '../support/long.ts'

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
}, 240_000)

test.runIf(isLong)(
  'it works as docs/install.md installs it, and docs/getting-started.md to the letter',
  async () => {
    const tarball = readdirSync(join(root, 'packages')).find(name => /^svc-cli-.*\.tgz$/.test(name)) ?? ''
    const prefix = join(folder, 'global')
    const inGlobal = ['install', '--global', '--prefix', prefix, '--silent', '--no-audit', '--no-fund']
    await run('npm', [...inGlobal, join(root, 'packages', tarball)], { cwd: folder, shell: isWindows })
    const { stdout } = await run('npx', ['--no', '--', 'svc', '--version'], { cwd: folder, shell: isWindows })
    expect(stdout).toMatch(/^svc 0\.1\.0 \([0-9a-f]{8}\+?\)\n$/)
    if (isWindows) return
    const bin = join(prefix, 'bin')
    for (const page of ['install.md', 'getting-started.md']) {
      const { faults } = await followPage(readFileSync(join(root, 'docs', page), 'utf8'), { bin })
      expect(faults.join('\n\n'), page).toBe('')
    }
  },
  240_000,
)

test('it brings the page of the dashboard, small enough, and serves it', async () => {
  const page = join(folder, 'node_modules', 'svc-cli', 'dist', 'dashboard')
  expect(readdirSync(page).filter(name => name.endsWith('.map'))).toEqual([])
  expect(readdirSync(page)).toEqual(expect.arrayContaining(['app.js.LEGAL.txt', 'elk-worker.LICENSE.md']))
  expect(statSync(join(page, 'app.js')).size).toBeLessThan(350_000)
  const launcher = join(folder, 'node_modules', 'svc-cli', 'bin', 'svc.cjs')
  const served = spawn(process.execPath, [launcher, 'ui', '--no-open', '--port', '0'], {
    cwd: join(folder, 'shop'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>(resolve => served.once('close', resolve))
  try {
    const address = await new Promise<URL>(resolve => {
      served.stdout.setEncoding('utf8').once('data', (text: string) => resolve(new URL(text.trim())))
    })
    const { status, headers } = await ask(address)
    expect([status, headers['location']]).toEqual([303, '/'])
    const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
    const answers = await Promise.all(
      ['/', '/app.js', '/app.css', '/theme.css', '/icon.svg', '/elk-worker.min.js'].map(path =>
        ask(new URL(path, address), { cookie }),
      ),
    )
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 200, 200, 200, 200])
  } finally {
    served.kill('SIGINT')
  }
  if (!isWindows) expect(await ended).toBe(0)
}, 240_000)

function ask(
  url: URL,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number | undefined; headers: Readonly<Record<string, unknown>> }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers }, response => {
      response.resume()
      response.once('end', () => resolve({ status: response.statusCode, headers: response.headers }))
    })
    asked.once('error', reject).end()
  })
}

test('it brings the licences of the packages whose code is in its bundles, with their copyright lines', () => {
  const installed = join(folder, 'node_modules', 'svc-cli')
  const text = readFileSync(join(installed, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const name of [
    'yaml',
    'commander',
    'sql-formatter',
    'undici',
    'lit-html',
    'elkjs',
    '@duckdb/node-api',
    'aws4fetch',
    'zod',
    '@modelcontextprotocol/server',
    ...separatePackages,
  ])
    expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+`, 'm'))
  const [, ...entries] = text.split(/^-{78}\n(?=\S)/m)
  expect(entries.length).toBeGreaterThan(20)
  for (const entry of entries) expect(entry).toMatch(/copyright|eclipse public license/i)
})

test('it brings every package that is a bundle of its own', () => {
  const packages = join(folder, 'node_modules', 'svc-cli', 'dist', 'packages')
  const load = (name: string) => createRequire(join(packages, 'x'))(`./${name}.cjs`)
  for (const name of separatePackages) expect(Object.keys(load(name)), name).not.toEqual([])
})

test('it brings DuckDB and the reader of SQLite for this platform, PostgreSQL for any, and nothing of this repository', () => {
  const packages = readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.'))
  const reader = ['@libsql', '@neon-rs', 'libsql']
  expect(packages.sort()).toEqual(
    ['@astral-sh', '@duckdb', '@electric-sql', 'detect-libc', 'svc-cli', ...reader].sort(),
  )
})

test('it brings the pages of the documentation, and no reference to a file that it does not have', () => {
  const installed = join(folder, 'node_modules', 'svc-cli')
  expect(readFileSync(join(installed, 'README.md'), 'utf8')).toMatch(/\]\(docs\/[a-z-]+\.md/)
  expect(readdirSync(join(installed, 'docs')).length).toBeGreaterThan(20)
  expect(danglingReferences(installed)).toEqual([])
})

test('an older Node is told which one it needs', async () => {
  const old = join(folder, 'old-node.cjs')
  writeFileSync(
    old,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })`,
  )
  const launcher = join(folder, 'node_modules', 'svc-cli', 'bin', 'svc.cjs')
  await expect(run(process.execPath, ['--require', old, launcher, '--version'])).rejects.toMatchObject({
    code: 3,
    stderr: 'error: svc needs Node 20.17 or later, and this is Node 18.20.4\n',
  })
})

test('a native part of another machine is one sentence in the terminal and in the editor', async () => {
  const scope = join(folder, 'node_modules', '@duckdb')
  const part = readdirSync(scope).find(name => name.startsWith('node-bindings-')) ?? ''
  writeFileSync(join(scope, part, 'duckdb.node'), 'of another machine')
  const inProject = { cwd: join(folder, 'shop') }
  // A file that was checked before would need no DuckDB.
  writeFileSync(
    join(inProject.cwd, 'models', 'later.svc'),
    'name: later\ningest: none\ntransform: SELECT 1 AS id\n',
  )
  const sentence = /^error: DuckDB's native part cannot be loaded on this machine/
  const validated = await run(svc, ['validate'], inProject).catch((error: unknown) => error)
  expect(validated).toMatchObject({ code: 3, stderr: expect.stringMatching(sentence) })
  expect((validated as { stderr: string }).stderr).not.toMatch(/bug|^ +at /m)
  const checked = await run(svc, ['doctor'], inProject).catch((error: unknown) => error)
  expect(checked).toMatchObject({ code: 1, stdout: expect.stringMatching(/^FAIL +native part +DuckDB's/m) })
  const launcher = join(folder, 'node_modules', 'svc-cli', 'bin', 'svc.cjs')
  const shown = new Promise<string>(resolve => {
    const server = spawn(process.execPath, [launcher, 'lsp', '--stdio'], { cwd: inProject.cwd })
    const connection = createProtocolConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    )
    connection.onNotification(ShowMessageNotification.type, ({ message }) => {
      server.kill()
      resolve(message)
    })
    connection.listen()
    const rootUri = pathToFileURL(inProject.cwd).href
    const workspaceFolders = [{ uri: rootUri, name: 'shop' }]
    void connection
      .sendRequest(InitializeRequest.type, {
        processId: process.pid,
        rootUri,
        workspaceFolders,
        capabilities: {},
      })
      .then(() => connection.sendNotification(InitializedNotification.type, {}))
  })
  expect(await shown).toMatch(
    /^The project cannot be checked: DuckDB's native part cannot be loaded on this machine/,
  )
})
