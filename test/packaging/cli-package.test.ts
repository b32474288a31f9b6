import { execFile, spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
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

test.skipIf(isWindows)(
  'docs/container.md has an image that works, as far as its steps can be carried out without docker',
  async () => {
    const page = readFileSync(join(root, 'docs', 'container.md'), 'utf8')
    const lines = (/^```dockerfile Dockerfile\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? '').trim().split('\n')
    const steps = lines.filter(line => !line.startsWith('#')).map(line => line.split(/ (.*)/s))
    const of = (word: string) => steps.filter(([name]) => name === word).map(([, rest = '']) => rest)
    const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'USER', 'ENV', 'VOLUME', 'ENTRYPOINT', 'CMD']
    expect(steps.filter(([name = '']) => !known.includes(name))).toEqual([])
    expect([of('FROM'), of('USER'), of('VOLUME')]).toEqual([
      ['node:20-bookworm-slim'],
      ['node'],
      ['/warehouse /project/.svc'],
    ])
    // What runs last is not root, and what it writes to is made before that and its own.
    const order = steps.map(([name]) => name)
    expect(order.indexOf('USER')).toBeGreaterThan(order.lastIndexOf('RUN'))
    expect(of('RUN').at(-1)).toBe('mkdir -p /warehouse .svc && chown -R node:node /warehouse /project')

    const [context, image] = [join(folder, 'context'), join(folder, 'image')]
    for (const made of [join(context, 'models'), join(image, 'project')]) mkdirSync(made, { recursive: true })
    const tarball = readdirSync(join(root, 'packages')).find(name => /^svc-cli-.*\.tgz$/.test(name)) ?? ''
    copyFileSync(join(root, 'packages', tarball), join(context, tarball))
    writeFileSync(join(context, 'package.json'), '{"name": "shop", "private": true}')
    const install = ['install', '--save-dev', '--silent', '--no-audit', '--no-fund', '--package-lock-only']
    await run('npm', [...install, `./${tarball}`], { cwd: context })
    writeFileSync(
      join(context, 'svc.yaml'),
      'name: shop\nenvironments: {prod: {warehouse: "env:PROD_WAREHOUSE"}}\n',
    )
    writeFileSync(join(context, 'models', 'one.svc'), 'name: one\ningest: none\ntransform: SELECT 1 AS id\n')

    const here = (text: string) => text.replaceAll('/warehouse', join(image, 'warehouse'))
    const project = join(image, 'project')
    for (const [name, rest = ''] of steps) {
      if (name === 'COPY') {
        const from = rest.split(' ').slice(0, -1).join(' ')
        await run('sh', ['-c', `cp -r ${from} ${project}/`], { cwd: context })
      } else if (name === 'RUN') {
        // Only root can give files away, and the user of the image is not on this machine.
        await run('sh', ['-c', here(rest).replace(/ && chown .*/, '')], { cwd: project })
      }
    }
    const [variable = '', address = ''] = here(of('ENV')[0] ?? '').split('=')
    const [program = '', ...before] = JSON.parse(of('ENTRYPOINT')[0] ?? '[]') as string[]
    const inContainer = (words: readonly string[]) =>
      run(program, [...before, ...words], { cwd: project, env: { ...process.env, [variable]: address } })
    await inContainer(JSON.parse(of('CMD')[0] ?? '[]') as string[])
    expect(existsSync(join(image, 'warehouse', 'prod.duckdb'))).toBe(true)
    const { stdout } = await inContainer(['sample', 'one', '--env', 'prod', '--json'])
    expect(JSON.parse(stdout).rows).toEqual([{ id: 1 }])
  },
  240_000,
)

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
