/**
 * A MariaDB server for one test file: its own folder, a free port of this machine, gone afterwards. Where the
 * programs are not installed there is none, and one line says so.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import mysql from 'mysql2/promise'
import { freePort } from './free-port.ts'

export interface MariadbServer {
  /** A new, empty database, of the user `svc` with the password `sesame`. */
  createDatabase(): Promise<string>
  /** Runs statements as the administrator. */
  run(...statements: readonly string[]): Promise<void>
  stop(): Promise<void>
}

const server = '/usr/sbin/mariadbd'
/** `mariadb-install-db` asks it for options; it is in a package of its own. */
const optionReader = '/usr/bin/my_print_defaults'

export function canStartMariadb(): boolean {
  const can = existsSync(server) && existsSync(optionReader)
  if (!can)
    process.stderr.write(
      'MariaDB is not installed (apt install mariadb-server-core mariadb-client-core): not tested with it\n',
    )
  return can
}

const small = [
  '--innodb-log-file-size=8M',
  '--innodb-buffer-pool-size=32M',
  '--innodb-flush-log-at-trx-commit=0',
]

export async function startMariadb(): Promise<MariadbServer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mariadb-'))
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  // The server refuses to run as root unless it is told to.
  const account = process.getuid?.() === 0 ? ['--user=root'] : []
  const install = [
    ...['--no-defaults', `--datadir=${data}`, '--skip-test-db', ...account],
    ...['--auth-root-authentication-method=normal', ...small],
  ]
  const made = spawnSync('mariadb-install-db', install, { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`mariadb-install-db failed: ${made.stderr}${made.stdout}`)
  const port = await freePort()
  const options = [
    ...['--no-defaults', `--datadir=${data}`, `--port=${port}`, '--bind-address=127.0.0.1', ...account],
    ...[
      `--socket=${join(folder, 's')}`,
      `--pid-file=${join(folder, 'pid')}`,
      '--skip-name-resolve',
      ...small,
    ],
  ]
  const child = spawn(server, options, { stdio: 'ignore' })
  const address = (database: string) => `mysql://root@127.0.0.1:${port}/${database}`
  const admin = await connectWhenReady(address('mysql'), child)
  await admin.query("CREATE USER svc@'%' IDENTIFIED BY 'sesame'")
  let count = 0
  return {
    async createDatabase() {
      const name = `test_${++count}`
      await admin.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`)
      await admin.query(`GRANT ALL ON ${name}.* TO svc@'%'`)
      return `mysql://svc:sesame@127.0.0.1:${port}/${name}`
    },
    async run(...statements) {
      for (const statement of statements) await admin.query(statement)
    },
    async stop() {
      await admin.end()
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function connectWhenReady(address: string, child: ChildProcess): Promise<mysql.Connection> {
  for (let tries = 0; ; tries++) {
    try {
      return await mysql.createConnection(address)
    } catch (error) {
      if (tries > 300 || child.exitCode !== null) throw error
      await wait(100)
    }
  }
}
