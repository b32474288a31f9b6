/** Ways to a PostgreSQL warehouse: passwords in a file, TLS with and without a look at the certificate, Unix sockets. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, type TestProject } from '../support/cli.ts'
import { canStartPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

const password = 'open: sesame'

describe.runIf(canStartPostgres())('the address of a PostgreSQL warehouse', () => {
  let folder: string
  let project: TestProject
  let server: PostgresServer
  let database: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-address-'))
    const [cert, key] = [join(folder, 'server.crt'), join(folder, 'server.key')]
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2']
    execFileSync('openssl', [...made, ...names], { stdio: 'ignore' })
    server = await startPostgres({
      password,
      certificate: { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') },
    })
    database = await server.createDatabase()
    project = createProject({
      'svc.yaml': 'name: shop\nwarehouse: env:WAREHOUSE\n',
      'models/a.svc':
        'name: a\ningest: {type: rows, rows: [{n: 1}]}\ntransform: SELECT n FROM {{ source }}\n',
    })
  })

  afterAll(async () => {
    project?.dispose()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function init(address: string, env: Readonly<Record<string, string>> = { PGPASSWORD: password }) {
    return project.svc(['init'], { env: { WAREHOUSE: address, ...env } })
  }

  function overHost(host: string, query: string): string {
    const url = new URL(database)
    url.hostname = host
    return `${url.href}?${query.replace('CA', encodeURIComponent(join(folder, 'server.crt')))}`
  }

  it('leads there with a password of PGPASSFILE, and says nothing else', async () => {
    const file = join(folder, 'passwords')
    writeFileSync(file, `127.0.0.1:*:*:svc:${password.replace(':', '\\:')}\n`, { mode: 0o600 })
    expect(await init(database, { PGPASSFILE: file })).toMatchObject({ code: 0, stderr: '' })
    const none = await init(database, { PGPASSFILE: join(folder, 'none') })
    expect(none.code).toBe(3)
    expect(none.stderr).toContain('asks for a password')
  })

  it.each([
    ['localhost', 'sslmode=require'],
    ['localhost', 'sslmode=verify-full&sslrootcert=CA'],
    ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=CA'],
  ])('leads over TLS to %s with %s', async (host, query) => {
    expect(await init(overHost(host, query))).toMatchObject({ code: 0, stderr: '' })
  })

  it.each([
    ['localhost', 'sslmode=verify-full', 'sslrootcert='],
    ['127.0.0.1', 'sslmode=verify-full&sslrootcert=CA', 'Write the host as the certificate names it'],
    ['localhost', 'sslmode=verify-full&sslrootcert=/no/such.crt', 'paths of certificates'],
  ])('is refused over TLS to %s with %s, and what to do is said', async (host, query, hint) => {
    const { code, stderr } = await init(overHost(host, query))
    expect(code).toBe(3)
    expect(stderr.replace(/\s+/g, ' ')).toContain(hint)
  })

  it('leads through a Unix socket', async () => {
    const { pathname, search } = new URL(server.socketAddress(database).replace('svc@', 'x'))
    expect(await init(`postgres://${pathname}${search}&user=svc`)).toMatchObject({ code: 0, stderr: '' })
    expect(await init(`postgres://svc@${pathname}${search}`)).toMatchObject({ code: 0, stderr: '' })
    const given = `postgres://svc:${encodeURIComponent(password)}@${pathname}${search}`
    expect(await init(given, {})).toMatchObject({ code: 0, stderr: '' })
    const { stderr } = await init(given.replace('open', 'shut'), {})
    expect(stderr.replace(/\s+/g, ' ')).toContain('refuses: password authentication')
  })

  it.each([
    'postgres://svc@localhost:99999/db',
    'postgres://svc:open@localhost:543x/db',
    'postgres://svc@/db?host=/tmp&port=sesame',
    'postgres://open:sesame',
  ])('has a number as its port, else %s is refused without repeating it', async address => {
    const { code, stderr } = await init(address)
    const told = stderr.replace(/\s+/g, ' ')
    expect(code).toBe(2)
    expect(told).toMatch(/the address of the .* cannot be read: its port is not a number from 1 to 65535/)
    expect(told).not.toMatch(/99999|543x|sesame/)
  })

  it('has a mode of TLS that PostgreSQL has', async () => {
    const { code, stderr } = await init(overHost('localhost', 'sslmode=requird'))
    expect(code).toBe(2)
    const told = stderr.replace(/\s+/g, ' ')
    expect(told).toContain('unknown sslmode: "requird"')
    expect(told).toContain(
      'did you mean "require"? The modes are disable, prefer, require, verify-ca, verify-full.',
    )
  })
})
