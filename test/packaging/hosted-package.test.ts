import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { danglingReferences } from '../support/installs/references.ts'

const run = promisify(execFile)
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'svc-hosted-package-'))
const launcher = join(folder, 'node_modules', 'svc-hosted', 'bin', 'svc-hosted.cjs')

beforeAll(async () => {
  await run(process.execPath, ['scripts/package.mjs', '--only', 'hosted'], { cwd: root })
  const tarball = readdirSync(join(root, 'packages')).find(name => /^svc-hosted-.*\.tgz$/.test(name))
  writeFileSync(join(folder, 'package.json'), '{"name": "empty", "private": true}')
  const options = ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', [...options, join(root, 'packages', tarball ?? '')], {
    cwd: folder,
    shell: process.platform === 'win32',
  })
}, 240_000)

afterAll(() => rmSync(folder, { recursive: true }))

test('an older Node is told which one it needs', async () => {
  const old = join(folder, 'old-node.cjs')
  writeFileSync(
    old,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.9.0' } })`,
  )
  await expect(run(process.execPath, ['--require', old, launcher, '--version'])).rejects.toMatchObject({
    code: 3,
    stderr: 'error: svc-hosted needs Node 20.17 or later, and this is Node 20.9.0\n',
  })
})

test('what it answers is described beside it', () => {
  const document: unknown = JSON.parse(
    readFileSync(join(dirname(launcher), '..', 'dist', 'openapi.json'), 'utf8'),
  )
  expect(document).toMatchObject({
    openapi: '3.1.0',
    paths: { '/api/svc/metadata/projects/{project}/upload': { post: { operationId: 'uploadContextPack' } } },
  })
})

test('it brings its pages, and no reference to what it does not have', () => {
  const installed = join(dirname(launcher), '..')
  expect(readdirSync(join(installed, 'docs', 'hosted')).length).toBeGreaterThan(2)
  expect(danglingReferences(installed)).toEqual([])
})

test('after an installation without scripts it serves, and keeps what it was given', async () => {
  const token = 'a'.repeat(40)
  const service = spawn(
    process.execPath,
    [launcher, 'serve', '--create', '--db', `sqlite:///${join(folder, 'y.db')}`, '--port', '0'],
    {
      env: { ...process.env, SVC_HOSTED_BOOTSTRAP_TOKEN: token },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  try {
    const base = await new Promise<string>((resolve, reject) => {
      let said = ''
      const hear = (text: Buffer) => {
        said += text.toString()
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
        if (address !== undefined) resolve(address)
      }
      service.stdout.on('data', hear)
      service.stderr.on('data', hear)
      service.once('exit', () => reject(new Error(said)))
    })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ project: 1, name: 'Customer', id: 'term.customer' })
    const made = await fetch(`${base}/api/svc/glossary/terms/`, { method: 'POST', headers, body })
    expect(made.status).toBe(201)
    const listed = await fetch(`${base}/api/svc/glossary/terms?project=1`, { headers })
    expect(await listed.json()).toMatchObject([{ identifier: 'term.customer' }])
  } finally {
    service.kill()
  }
}, 240_000)

test('without a driver for SQLite one line says what to do', async () => {
  rmSync(join(folder, 'node_modules', '@libsql'), { recursive: true })
  const failed = run(process.execPath, [
    launcher,
    'serve',
    '--create',
    '--db',
    `sqlite:///${join(folder, 'x.db')}`,
  ])
  await expect(failed).rejects.toMatchObject({
    stderr: expect.stringMatching(/^error: .*driver libsql.*npm install.*\n$/),
  })
})
