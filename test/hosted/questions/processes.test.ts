/** The real process for long questions: killed in the middle, stopped in the middle, left alone. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServiceProcess, startProcess } from '../support/child.ts'
import { type Client, createClient } from '../support/client.ts'
import { hasSqlite3 } from '../support/engines.ts'

const token = 'process-token-0123456789-0123456789-0123'
const path = '/api/svc/glossary/terms?project=1'
const isLinux = process.platform === 'linux'

interface Started extends ServiceProcess {
  readonly client: Client
  /** The processes that it has started. */
  readonly children: () => readonly number[]
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** One that is killed stays in the table until its parent looks. */
function isAlive(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false
  return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
}

async function metric(client: Client, name: string): Promise<number> {
  const { text } = await client.get('/metrics')
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}

describe.runIf(isLinux && hasSqlite3)('the process for long questions', () => {
  let folder = ''
  const running: Started[] = []

  const start = async (words: readonly string[] = []): Promise<Started> => {
    const db = `sqlite://${join(folder, 'x.db')}`
    const options = ['--db', db, '--question-processes', '1', '--cache-mb', '0', ...words]
    const made = await startProcess(options, { SVC_HOSTED_BOOTSTRAP_TOKEN: token })
    const { pid = 0 } = made.child
    const started = { ...made, client: createClient(made.url, token), children: () => childrenOf(pid) }
    running.push(started)
    await started.client.post('/api/svc/glossary/terms', { project: 1, name: `Term ${running.length}` })
    // Ready: it has answered one.
    await started.client.get(path)
    return started
  }

  /** The process does not go on until it is told to. */
  const freeze = ({ children }: Started): number => {
    const [child = 0] = children()
    process.kill(child, 'SIGSTOP')
    return child
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-questions-'))
  })
  afterAll(() => {
    for (const { child } of running) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  it('that is killed in the middle of questions loses none of them', async () => {
    const service = await start(['--max-questions-per-token', '0'])
    const expected = await service.client.get(path)
    const child = freeze(service)
    const asked = Promise.all(Array.from({ length: 6 }, () => service.client.get(path)))
    await expect.poll(() => metric(service.client, 'svc_questions_running')).toBe(4)
    process.kill(child, 'SIGKILL')
    for (const { status, text } of await asked) expect([status, text]).toEqual([200, expected.text])
    expect(await metric(service.client, 'svc_question_process_failures')).toBe(1)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(service.log().join('\n')).toContain('a process that answers long questions ended: SIGKILL')
  })

  it('is one at the start and a second where one is not enough, and the metrics count them and their questions', async () => {
    const service = await start(['--question-processes', '2', '--max-questions-per-token', '0'])
    const figures = async () => {
      const names = [
        'question_processes',
        'questions_running',
        'questions_waiting',
        'question_process_failures',
      ]
      return Promise.all(names.map(name => metric(service.client, `svc_${name}`)))
    }
    expect(service.children()).toHaveLength(1)
    expect(await figures()).toEqual([1, 0, 0, 0])
    const answered = await metric(service.client, 'svc_questions_answered')
    expect(answered).toBeGreaterThan(0)
    const first = freeze(service)
    const asked = Array.from({ length: 4 }, () => service.client.get(path))
    await expect.poll(() => service.children().length).toBe(2)
    const second = service.children().find(each => each !== first) ?? 0
    // What the second one has room for it answers, so it is stopped before more is asked.
    await expect.poll(async () => (await figures())[1]).toBeGreaterThan(0)
    process.kill(second, 'SIGSTOP')
    asked.push(...Array.from({ length: 12 }, () => service.client.get(path)))
    await expect.poll(async () => (await figures())[2]).toBeGreaterThan(0)
    const [processes, running = 0, waiting = 0, failures] = await figures()
    expect([processes, failures]).toEqual([2, 0])
    expect(running).toBeLessThanOrEqual(8)
    expect(running + waiting).toBeLessThanOrEqual(16)
    for (const each of [first, second]) process.kill(each, 'SIGCONT')
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
    expect(await figures()).toEqual([2, 0, 0, 0])
    expect(await metric(service.client, 'svc_questions_answered')).toBe(answered + 16)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
  })

  it('that hangs is killed, and health and short requests do not wait for it', async () => {
    const service = await start(['--question-timeout', '1'])
    const child = freeze(service)
    const hung = service.client.get(path)
    await expect.poll(() => metric(service.client, 'svc_questions_running')).toBe(1)
    expect((await service.client.get('/healthz')).status).toBe(200)
    expect((await service.client.get('/readyz')).status).toBe(200)
    expect((await service.client.get('/api/svc/glossary/terms/1')).status).toBe(200)
    expect(isAlive(child)).toBe(true)
    const { status, body } = await hung
    expect([status, body.code]).toEqual([503, 'took_too_long'])
    expect((await service.client.get(path)).status).toBe(200)
    await expect.poll(() => isAlive(child)).toBe(false)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
  })

  it('answers what it has begun when the service is told to stop, and ends with it', async () => {
    const service = await start()
    const child = freeze(service)
    const asked = service.client.get(path)
    await expect.poll(() => metric(service.client, 'svc_questions_running')).toBe(1)
    service.child.kill('SIGTERM')
    // A service manager tells all processes at once.
    process.kill(child, 'SIGTERM')
    process.kill(child, 'SIGINT')
    process.kill(child, 'SIGCONT')
    expect((await asked).status).toBe(200)
    expect(await service.ended).toBe(0)
    expect(isAlive(child)).toBe(false)
    expect(service.log().at(-1)).toContain('"in_time":true')
  })

  it('ends when the service is killed', async () => {
    const service = await start()
    const [child = 0] = service.children()
    expect(isAlive(child)).toBe(true)
    service.child.kill('SIGKILL')
    expect(await service.ended).toBe('SIGKILL')
    await expect.poll(() => isAlive(child)).toBe(false)
  })

  it('has no secret in its arguments or its environment', async () => {
    const service = await start()
    const [child = 0] = service.children()
    for (const file of ['cmdline', 'environ']) {
      const text = readFileSync(`/proc/${child}/${file}`, 'utf8')
      expect(text).not.toContain(token)
      expect(text).not.toContain('x.db')
    }
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
  })

  it('has a lower priority than the service, and a gigabyte for its values', async () => {
    const service = await start()
    const [child = 0] = service.children()
    expect(getPriority(child)).toBeGreaterThan(getPriority(service.child.pid))
    expect(readFileSync(`/proc/${child}/cmdline`, 'utf8')).toContain('--max-old-space-size=1024')
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
  })

  it('is not started if nobody wants it', async () => {
    const service = await start(['--question-processes', '0'])
    expect(service.children()).toEqual([])
    expect((await service.client.get(path)).status).toBe(200)
    expect(Number.isNaN(await metric(service.client, 'svc_question_processes'))).toBe(true)
  })
})
