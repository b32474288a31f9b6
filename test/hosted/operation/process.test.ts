import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../../support/postgres.ts'
import { seededRandom } from '../../support/random.ts'
import { type ServiceProcess, startProcess } from '../support/child.ts'
import { createClient } from '../support/client.ts'
import { svcHosted } from '../support/command-line.ts'
import { engines } from '../support/engines.ts'

const token = 'process-token-0123456789-0123456789-0123'
const terms = '/api/svc/glossary/terms'
/** For longer runs: SVC_CRASH_ROUNDS=500. */
const rounds = Number(process.env['SVC_CRASH_ROUNDS'] ?? 4)
const unlimited = ['--rate-limit', '0', '--write-rate-limit', '0']

describe.each(engines)('a process on $name', engine => {
  let folder = ''
  let postgres: PostgresServer | undefined
  let db = ''
  const running: ServiceProcess[] = []

  const start = async (words: readonly string[] = []) => {
    const options = ['--db', db, '--db-driver', engine.driver, ...unlimited, ...words]
    const made = await startProcess(options, { SVC_HOSTED_BOOTSTRAP_TOKEN: token })
    running.push(made)
    return { ...made, client: createClient(made.url, token) }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-process-'))
    postgres = engine.isPostgres ? await startPostgres() : undefined
    db = (await postgres?.createDatabase()) ?? `sqlite://${join(folder, 'x.db')}`
  })
  afterAll(async () => {
    for (const { child } of running) child.kill('SIGKILL')
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('that is killed under load has lost nothing of what it said was done', {
    timeout: 240_000 + rounds * 20_000,
  }, async () => {
    const random = seededRandom(3)
    const acknowledged = new Map<number, string>()
    for (let round = 0; round < rounds; round++) {
      const service = await start(['--log-level', 'silent'])
      // In the middle of writes, and never before there are some.
      const enough = acknowledged.size + 10 + random.below(100)
      await Promise.all(
        Array.from({ length: 16 }, async (_, writer) => {
          for (let count = 0; ; count++) {
            const name = `Round ${round} writer ${writer} term ${count}`
            const answer = await service.client.post(terms, { project: 1, name }).catch(() => undefined)
            if (answer === undefined) return
            expect(answer.status).toBe(201)
            acknowledged.set(answer.body.term.id, name)
            if (acknowledged.size >= enough) service.child.kill('SIGKILL')
          }
        }),
      )
      expect(await service.ended).toBe('SIGKILL')
    }
    const service = await start(['--log-level', 'silent'])
    const found = new Map<number, string>()
    for (let path: string | undefined = `${terms}?project=1&limit=1000`; path !== undefined; ) {
      const { body, headers } = await service.client.get(path)
      for (const { id, name } of body as { id: number; name: string }[]) found.set(id, name)
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    const lost = [...acknowledged].filter(([id, name]) => found.get(id) !== name)
    expect(lost).toEqual([])
    expect(acknowledged.size).toBeGreaterThanOrEqual(rounds * 10)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(await svcHosted(['audit', 'verify', '--db', db, '--db-driver', engine.driver])).toMatchObject({
      code: 0,
    })
  })

  it.runIf(process.platform === 'linux')('that has nothing to do sleeps, with metrics too', async () => {
    const service = await start(['--log-level', 'silent'])
    const wakeups = () =>
      Number(
        /^voluntary_ctxt_switches:\s*(\d+)/m.exec(
          readFileSync(`/proc/${service.child.pid}/status`, 'utf8'),
        )?.[1],
      )
    await wait(1000)
    const before = wakeups()
    await wait(2000)
    expect(wakeups() - before).toBeLessThan(80)
    service.child.kill('SIGTERM')
    await service.ended
  })

  it('that is told to stop answers what it has begun, takes nothing new, and ends', async () => {
    const service = await start(['--drain', '1'])
    const { hostname, port } = new URL(service.url)
    const body = JSON.stringify({ project: 1, name: 'Last' })
    const slow = connect(Number(port), hostname)
    let answer = ''
    slow.on('data', chunk => {
      answer += chunk.toString()
    })
    const closed = new Promise(resolve => slow.once('close', resolve))
    slow.write(
      `POST ${terms} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    )
    await expect.poll(async () => (await service.client.get('/metrics')).text).toMatch(/in_flight 1$/m)
    expect((await service.client.get('/readyz')).status).toBe(200)
    service.child.kill('SIGTERM')
    await expect.poll(async () => (await service.client.get('/readyz')).status).toBe(503)
    expect((await service.client.get('/healthz')).status).toBe(200)
    await expect
      .poll(
        () =>
          service.client.get('/healthz').then(
            () => 'open',
            () => 'closed',
          ),
        { timeout: 240_000 },
      )
      .toBe('closed')
    slow.write(body.slice(5))
    await closed
    expect(answer).toContain('HTTP/1.1 201')
    expect(await service.ended).toBe(0)
  })

  it('that hangs on a request is ended at its deadline', async () => {
    const service = await start(['--stop-deadline', '1'])
    const socket = await hangingRequest(service)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    socket.destroy()
  })

  it('that hangs on a request is ended at once by a second signal', async () => {
    const service = await start(['--stop-deadline', '600'])
    const socket = await hangingRequest(service)
    service.child.kill('SIGTERM')
    await expect
      .poll(() =>
        service.client.get('/healthz').then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed')
    service.child.kill('SIGINT')
    expect(await service.ended).toBe(130)
    socket.destroy()
  })

  it('whose log nobody reads any more answers as before, and ends when it is told to', async () => {
    const service = await start()
    service.child.stdout?.destroy()
    service.child.stderr?.destroy()
    // More than a pipe and a buffer hold, and longer than lines are gathered.
    for (let count = 0; count < 400; count++) {
      const answer = await service.client.get(terms, { 'X-Request-Id': `request.${count}` })
      expect(answer.status).toBe(200)
      if (count % 200 === 0) await wait(1200)
    }
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
  })

  it('writes one line of JSON for each request, and no secret', async () => {
    const service = await start()
    const id = 'my-request.1'
    await service.client.get(`${terms}?q=private`, { 'X-Request-Id': id })
    await service.client.get(terms, { 'X-Request-Id': 'not allowed: spaces' })
    await createClient(service.url, 'a-wrong-token-0123456789-0123456789-x').get(terms)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    const lines = service.log().map(line => JSON.parse(line) as Record<string, unknown>)
    const requests = lines.filter(({ msg }) => msg === 'request')
    expect(requests).toHaveLength(3)
    expect(requests[0]).toMatchObject({
      level: 'info',
      id,
      method: 'GET',
      path: terms,
      route: 'listTerms',
      status: 200,
      actor: 'token:bootstrap',
      address: '127.0.0.1',
    })
    expect(requests[1]?.['id']).toMatch(/^[0-9a-f]{12}-\w+$/)
    expect(requests[2]).toMatchObject({ status: 401, level: 'info' })
    const text = service.log().join('\n')
    for (const secret of [token, 'a-wrong-token', 'private']) expect(text).not.toContain(secret)
    expect(lines.at(-1)).toMatchObject({ msg: 'stopped', in_time: true })
  })

  it('tells Prometheus what it did', async () => {
    const service = await start(['--log-level', 'silent'])
    await service.client.get(terms)
    await service.client.get('/nothing/of/this')
    const { text, headers } = await service.client.get('/metrics')
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    expect(text).toContain('svc_http_requests_total{route="listTerms",status="200"} 1')
    expect(text).toContain('svc_http_requests_total{route="none",status="404"} 1')
    expect(text).toContain('svc_http_request_duration_seconds_count{route="listTerms"} 1')
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m)
    service.child.kill('SIGTERM')
    await service.ended
    const quiet = await start(['--log-level', 'silent', '--no-metrics'])
    expect((await quiet.client.get('/metrics')).status).toBe(404)
  })

  it.skipIf(engine.isPostgres)('leaves no log of SQLite behind when it stops', async () => {
    for (const { child } of running) child.kill('SIGKILL')
    await Promise.all(running.map(({ ended }) => ended))
    const service = await start(['--log-level', 'silent'])
    await service.client.post(terms, { project: 1, name: 'W' })
    service.child.kill('SIGTERM')
    await service.ended
    const log = `${db.slice('sqlite://'.length)}-wal`
    // libsql frees its statements late, and leaves the file, with nothing in it.
    if (engine.driver === 'libsql') expect(existsSync(log) ? statSync(log).size : 0).toBe(0)
    else expect(existsSync(log)).toBe(false)
  })
})

/** Begins a request whose body never comes whole. */
async function hangingRequest({
  url,
  client,
}: Pick<ServiceProcess, 'url'> & { readonly client: ReturnType<typeof createClient> }): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const head = `POST ${terms} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`)
  await expect.poll(async () => (await client.get('/metrics')).text).toMatch(/in_flight 1$/m)
  return socket
}
