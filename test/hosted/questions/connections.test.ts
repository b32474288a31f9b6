/** How many connections to PostgreSQL the service and its processes have, and that it finds the database and its password. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canStartPostgres, type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { type ServiceProcess, startProcess } from '../support/child.ts'
import { type Client, createClient } from '../support/client.ts'

const token = 'connection-token-0123456789-0123456789-01'
const terms = '/api/svc/glossary/terms'
const password = 'p@ss word'

interface Started extends ServiceProcess {
  readonly client: Client
  readonly pid: number
}

/** The open connections of a process to a port of this machine. */
function connectionsOf(pid: number, port: number): number {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map(fd => inodeOf(`/proc/${pid}/fd/${fd}`)))
  const lines = ['tcp', 'tcp6'].flatMap(kind =>
    readFileSync(`/proc/net/${kind}`, 'utf8').trim().split('\n').slice(1),
  )
  return lines.filter(line => {
    const [, , remote = '', state, , , , , , inode] = line.trim().split(/\s+/)
    return state === '01' && Number.parseInt(remote.split(':')[1] ?? '', 16) === port && sockets.has(inode)
  }).length
}

/** A file may be closed while the list of files is read. */
function inodeOf(path: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(path))?.[1]
  } catch {
    return undefined
  }
}

describe.runIf(process.platform === 'linux' && canStartPostgres())('on PostgreSQL', () => {
  let server: PostgresServer | undefined
  let address = new URL('postgres://localhost')
  const running: Started[] = []

  const start = async (...words: readonly string[]): Promise<Started> => {
    const made = await startProcess(['--cache-mb', '0', '--max-questions-per-token', '0', ...words], {
      SVC_HOSTED_BOOTSTRAP_TOKEN: token,
      SVC_HOSTED_DB: address.href,
      PGPASSWORD: password,
    })
    const started = { ...made, client: createClient(made.url, token), pid: made.child.pid ?? 0 }
    running.push(started)
    return started
  }

  /** Asks much at once, and returns the most connections that the process had meanwhile. */
  const mostOf = async (pid: number, work: readonly Promise<unknown>[]): Promise<number> => {
    let most = 0
    const look = () => {
      most = Math.max(most, connectionsOf(pid, Number(address.port)))
    }
    const timer = setInterval(look, 20)
    try {
      await Promise.all(work)
    } finally {
      clearInterval(timer)
    }
    look()
    return most
  }

  beforeAll(async () => {
    server = await startPostgres({ password })
    address = new URL(await server.createDatabase())
  })
  afterAll(async () => {
    for (const { child } of running) child.kill('SIGKILL')
    await server?.stop()
  })

  it('SVC_HOSTED_DB and PGPASSWORD say where the database is, and it has no more than seventeen connections, which stay', async () => {
    const { client, pid, url } = await start('--question-processes', '0')
    expect((await client.get('/readyz')).status).toBe(200)
    await client.post(terms, { project: 1, name: 'First' })
    const orders = { scopes: ['glossary:write', 'glossary:read'], projects: [1] }
    const made = await Promise.all(
      ['a', 'b', 'c', 'd'].map(name => client.post('/api/svc/tokens', { ...orders, name })),
    )
    const writers = made.map(({ body }) => createClient(url, body.secret))
    const times = Array.from({ length: 24 }, (_, index) => index)
    const most = await mostOf(pid, [
      ...times.map(() => client.get(`${terms}/1`)),
      ...times.map(() => client.get(`${terms}?project=1`)),
      ...times.map(index => writers[index % 4]?.post(terms, { project: 1, name: `Term ${index}` })),
    ] as readonly Promise<unknown>[])
    expect(most).toBeLessThanOrEqual(17)
    // More than one pool of connections was in use.
    expect(most).toBeGreaterThan(6)
    expect(connectionsOf(pid, Number(address.port))).toBe(most)
  })

  it('a process for long questions has no more than four', async () => {
    const { client, pid } = await start('--question-processes', '1')
    await client.get(`${terms}?project=1`)
    const [child = 0] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number)
    const asked = Array.from({ length: 24 }, () => client.get(`${terms}?project=1`))
    const most = await mostOf(child, asked)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(4)
  })
})
