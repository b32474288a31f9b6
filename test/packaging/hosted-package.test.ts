import { execFile, spawn } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'svc-hosted-package-'))
const launcher = join(folder, 'node_modules', 'svc-hosted', 'bin', 'svc-hosted.cjs')

beforeAll(async () => {
  await run(process.execPath, ['scripts/package.mjs', '--only', 'hosted'], { cwd: root })
  const tarball = readdirSync(join(root, 'packages')).find(name => /^svc-hosted-.*\.tgz$/.test(name))
  writeFileSync(join(folder, 'package.json'), '{"name": "empty", "private": true}')
  // The driver is compiled for minutes where no ready-made one fits: it is tried without, and with the one at hand.
  const options = ['install', '--silent', '--no-audit', '--no-fund', '--omit=optional', '--ignore-scripts']
  await run('npm', [...options, join(root, 'packages', tarball ?? '')], {
    cwd: folder,
    shell: process.platform === 'win32',
  })
}, 240_000)

afterAll(() => rmSync(folder, { recursive: true }))

test('without a driver for SQLite one line says what to do', async () => {
  const failed = run(process.execPath, [
    launcher,
    'serve',
    '--create',
    '--db',
    `sqlite:///${join(folder, 'x.db')}`,
  ])
  await expect(failed).rejects.toMatchObject({
    stderr: expect.stringMatching(/^error: .*sqlite3.*npm rebuild.*\n$/),
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

const driver = join(root, 'node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node')

if (!existsSync(driver))
  console.log('not run: the packed service with SQLite, whose driver could not be built here')
test.skipIf(!existsSync(driver))(
  'with one it serves, and keeps what it was given',
  async () => {
    const installed = join(root, 'node_modules')
    for (const name of ['sqlite3', 'bindings', 'file-uri-to-path'])
      symlinkSync(join(installed, name), join(folder, 'node_modules', name), 'junction')
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
  },
  240_000,
)
