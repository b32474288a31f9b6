// A PostgreSQL of one's own: a folder, a free port of this machine, gone afterwards.
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { installFromDebian } from './editor-tools.mjs'

const isRoot = process.getuid?.() === 0

/** Returns the folder of the server's programs, after installing them where this is root; undefined if there are none. */
export function postgresPrograms() {
  const found = findPrograms()
  if (found !== undefined || !isRoot || !existsSync('/usr/bin/apt-get')) return found
  installFromDebian('postgresql')
  return findPrograms()
}

/** Debian keeps them in a folder for each version, out of the path. */
function findPrograms() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map(version => join(debian, version, 'bin')),
  ]
  return folders.find(folder => ['initdb', 'postgres'].every(name => existsSync(join(folder, name))))
}

/** Starts a server with an empty database; returns its address, and what ends it. */
export async function startPostgresServer(programs) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
  // The server refuses to run as root.
  const account = isRoot ? ordinaryAccount() : {}
  if (isRoot) chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const options = ['-D', data, '-U', 'svc', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const made = spawnSync(join(programs, 'initdb'), options, { ...account, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`]
  const flags = ['-D', data, ...settings.flatMap(setting => ['-c', setting])]
  const server = spawn(join(programs, 'postgres'), flags, { ...account, stdio: 'ignore' })
  const ended = new Promise(resolve => server.once('exit', resolve))
  const address = `postgres://svc@127.0.0.1:${port}/postgres`
  await untilReady(address)
  return {
    address,
    async close() {
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(address) {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client(address)
    try {
      await client.connect()
      return
    } catch (error) {
      if (tries > 300) throw error
      await setTimeout(100)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

function freePort() {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

/** The user that Debian's package makes, or else the one that owns nothing. */
function ordinaryAccount() {
  const idOf = (option, user) => {
    const { status, stdout } = spawnSync('id', [option, user], { encoding: 'utf8' })
    return status === 0 ? Number(stdout) : undefined
  }
  const user = idOf('-u', 'postgres') === undefined ? 'nobody' : 'postgres'
  return { uid: idOf('-u', user), gid: idOf('-g', user) }
}
