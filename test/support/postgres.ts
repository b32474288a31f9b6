/**
 * A PostgreSQL server for one test file: its own folder, a free port of this machine, gone afterwards. Where the
 * programs are not installed there is none, and one line says so.
 */
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './free-port.ts'

export interface PostgresServer {
  /** A new, empty database. */
  createDatabase(): Promise<string>
  /** The address of a database through the server's Unix socket. */
  socketAddress(address: string): string
  /** Ends it at once, as a crash would; `start` lets it recover. */
  crash(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

const folders = [15, 16, 17, 18, 14].map(version => `/usr/lib/postgresql/${version}/bin`)
const programs = folders.find(folder => existsSync(join(folder, 'initdb')))

export function canStartPostgres(): boolean {
  const can = programs !== undefined
  if (!can)
    process.stderr.write(
      'PostgreSQL is not installed (apt install postgresql): what needs it is not tested\n',
    )
  return can
}

/** The server refuses to run as root: then it runs as the user that its package made. */
const account = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}

export interface PostgresSettings {
  /** The password of the user `svc`; without one everybody is trusted. */
  readonly password?: string
  /** Settings of the server, such as `max_connections=20`. */
  readonly settings?: readonly string[]
  /** A certificate and its key in PEM, for TLS. */
  readonly certificate?: { readonly cert: string; readonly key: string }
}

export async function startPostgres({
  password,
  settings: given = [],
  certificate,
}: PostgresSettings = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const authentication =
    password === undefined
      ? ['-A', 'trust']
      : ['-A', 'scram-sha-256', `--pwfile=${ownFile(folder, 'password', `${password}\n`)}`]
  const encoding = ['-E', 'UTF8', '--locale=C.UTF-8']
  run('initdb', ['-D', data, '-U', 'svc', ...authentication, ...encoding, '--no-sync'])
  const port = await freePort()
  const settings = [
    'fsync=off',
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    ...(certificate === undefined ? [] : tlsSettings(folder, certificate)),
    ...given,
  ]
  const launch = () => {
    const child = spawn(program('postgres'), ['-D', data, ...settings.flatMap(setting => ['-c', setting])], {
      ...account,
      stdio: 'ignore',
    })
    return { child, ended: new Promise<void>(resolve => child.once('exit', () => resolve())) }
  }
  let server = launch()
  const address = (database: string) => `postgres://svc@127.0.0.1:${port}/${database}`
  const known = new URL(address('postgres'))
  if (password !== undefined) known.password = encodeURIComponent(password)
  const admin = new pg.Pool({ connectionString: known.href, max: 1 })
  admin.on('error', () => {})
  await untilReady(admin)
  let count = 0
  return {
    async createDatabase() {
      const name = `test_${++count}`
      await admin.query(`create database ${name}`)
      return address(name)
    },
    socketAddress(place) {
      return `postgres://svc@${new URL(place).pathname}?host=${encodeURIComponent(folder)}&port=${port}`
    },
    async crash() {
      server.child.kill('SIGQUIT')
      await server.ended
    },
    async start() {
      server = launch()
      await untilReady(admin)
    },
    async stop() {
      await admin.end()
      server.child.kill('SIGINT')
      await server.ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Asks a database one question, as a client of its own. */
export async function askPostgres(address: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

function tlsSettings(folder: string, { cert, key }: { readonly cert: string; readonly key: string }) {
  const [certFile, keyFile] = [ownFile(folder, 'server.crt', cert), ownFile(folder, 'server.key', key)]
  return ['ssl=on', `ssl_cert_file=${certFile}`, `ssl_key_file=${keyFile}`]
}

/** A file that only the server may read. */
function ownFile(folder: string, name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o600 })
  if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid)
  return path
}

async function untilReady(admin: pg.Pool): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await admin.query('select 1')
      return
    } catch (error) {
      if (tries > 300) throw error
      await wait(100)
    }
  }
}

function run(name: string, options: readonly string[]): void {
  const { status, stderr } = spawnSync(program(name), options, { ...account, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`)
}

function program(name: string): string {
  return join(programs ?? '', name)
}

function idOf(option: '-u' | '-g'): number | undefined {
  const { status, stdout } = spawnSync('id', [option, 'postgres'], { encoding: 'utf8' })
  return status === 0 ? Number(stdout) : undefined
}
