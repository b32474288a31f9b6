/**
 * The hosted service under load, beside Node's bare server and beside Koa, its router and knex doing the same plainly: CPU
 * of the server for 10,000 requests, and how long the slowest hundredth takes. Linux only, for the CPU of the server.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, keepSamples } from './bench.ts'
import { cpuMsOf, type LoadResult, percentile, runLoad } from './http-load.ts'
import type { Sample } from './measure.ts'
import type { Goal } from './measurement.ts'

const token = 'bench-token-0123456789-0123456789-012345'
const requests = 10_000
const writers = 32
const readers = 16
/** Cached reads reach 0.45 of what a bare server answers: 1 / 0.45. */
const bareTimes = 2.22

interface Target {
  readonly name: 'bare' | 'koa' | 'svc'
  readonly url: string
  readonly pid: number
  stop(): void
}

export async function benchHosted(bench: Bench): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-hosted-'))
  const repeat = bench.repeat ?? 3
  try {
    for (const name of ['bare', 'koa', 'svc'] as const) {
      const target = await startTarget(bench, name, folder)
      try {
        await benchReads(bench, target, repeat)
        if (name !== 'bare') await benchWrites(bench, target, repeat)
        if (name === 'svc') for (const size of [1000, 20_000]) await benchUpload(bench, target, size)
      } finally {
        target.stop()
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function benchReads(bench: Bench, target: Target, repeat: number): Promise<void> {
  if (target.name === 'svc') await prepare(target)
  const read = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const term = '/api/svc/glossary/terms/1'
  await loadSamples(bench, target, 'hosted-read', 'hosted: 10,000 reads of a term by number', repeat, () =>
    read(term),
  )
  if (target.name !== 'svc') return
  // A query that no other request has is in no cache.
  let count = 0
  const fresh = () => read(`/api/svc/glossary/terms?project=1&limit=10&q=x${count++}`)
  await loadSamples(bench, target, 'hosted-list', 'hosted: 10,000 searches, each another one', repeat, fresh)
}

async function benchWrites(bench: Bench, target: Target, repeat: number): Promise<void> {
  let count = 0
  const write = () => {
    const body = JSON.stringify({ project: 1, name: `Term ${count++}`, description: 'x' })
    return (
      `POST /api/svc/glossary/terms HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    )
  }
  const work = 'hosted: 10,000 durable writes of 32 clients'
  await loadSamples(bench, target, 'hosted-write', work, repeat, write, { status: 201, connections: writers })
}

async function loadSamples(
  bench: Bench,
  target: Target,
  id: string,
  work: string,
  repeat: number,
  request: () => string,
  { status = 200, connections = readers } = {},
): Promise<void> {
  const [times, slowest]: [Sample[], Sample[]] = [[], []]
  let problem: string | undefined
  try {
    const load = { url: target.url, connections, request, status }
    await runLoad({ ...load, requests: requests / 5 })
    for (let round = 0; round < repeat; round++) {
      const before = cpuMsOf(target.pid)
      const result = await runLoad({ ...load, requests })
      times.push({ wallMs: result.wallMs, cpuMs: cpuMsOf(target.pid) - before, rssBytes: 0 })
      slowest.push(sample(percentile(result, 0.99)))
    }
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error)
  }
  const measured = { work, rows: requests, tool: toolNames[target.name] }
  const own = target.name === 'svc'
  const floor = id === 'hosted-read' && target.name !== 'bare' ? { floor: 'hosted-read/bare' } : {}
  const beside = target.name === 'koa' ? { beside: `${id}/svc` } : {}
  const goal = own ? goals[id] : undefined
  keepSamples(
    bench,
    { ...measured, id: `${id}/${target.name}`, ...floor, ...beside, ...withGoal(goal) },
    times,
    problem,
  )
  const last = { id: `${id}-p99/${target.name}`, work: `${work}: the slowest hundredth`, tool: measured.tool }
  keepSamples(bench, { ...last, ...withGoal(own ? goals[`${id}-p99`] : undefined) }, slowest, problem)
}

const toolNames = { bare: 'floor', koa: 'Koa + knex', svc: 'svc' } as const

const goals: Readonly<Record<string, Goal>> = {
  'hosted-read': { times: bareTimes, of: 'hosted-read/bare' },
  // 5,000 a second.
  'hosted-write': { seconds: requests / 5000 },
  'hosted-write-p99': { seconds: 0.015 },
}

function withGoal(goal: Goal | undefined): { readonly goal?: Goal } {
  return goal === undefined ? {} : { goal }
}

/** An upload while somebody else reads: how long it takes, and how long the others wait. */
async function benchUpload(bench: Bench, target: Target, size: number): Promise<void> {
  const [times, others]: [Sample[], Sample[]] = [[], []]
  let problem: string | undefined
  try {
    const pack = packOf(size)
    const read = `GET /api/svc/glossary/terms/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`
    let done = false
    const waits: number[] = []
    const reading = (async () => {
      while (!done) {
        const load = { url: target.url, connections: 2, requests: 200, request: () => read, status: 200 }
        waits.push(...(await runLoad(load)).latencies)
      }
    })()
    const before = cpuMsOf(target.pid)
    const started = performance.now()
    const answer = await fetch(`${target.url}/api/svc/metadata/projects/1/upload`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: pack,
    })
    const text = await answer.text()
    const wallMs = performance.now() - started
    times.push({ wallMs, cpuMs: cpuMsOf(target.pid) - before, rssBytes: 0 })
    done = true
    await reading
    if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${text.slice(0, 200)}`)
    const result: LoadResult = { wallMs: 0, latencies: waits.sort((a, b) => a - b) }
    others.push(sample(percentile(result, 0.99)))
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error)
  }
  const goal = size === 1000 ? { seconds: 0.15 } : { seconds: 3 }
  const work = 'hosted: upload of a context pack'
  keepSamples(bench, { id: `hosted-upload/${size}`, work, assets: size, goal }, times, problem)
  const wait = {
    id: `hosted-upload-others/${size}`,
    work: `${work}: the slowest hundredth of other requests`,
    assets: size,
  }
  keepSamples(bench, { ...wait, goal: { seconds: 0.05 } }, others, problem)
}

/** About 2 kB an asset; each reads the two before it. */
function packOf(size: number): string {
  const name = (index: number) => `asset_${index}`
  const columns = Array.from({ length: 20 }, (_, index) => ({
    name: `column_${index}`,
    type: 'varchar',
    nullable: true,
  }))
  const assets = Array.from({ length: size }, (_, index) => ({
    id: name(index),
    name: name(index),
    path: `models/${name(index)}.svc`,
    blocks: { name: name(index), transform: `select * from t -- ${'x'.repeat(600)}`, owner: 'a@b.co' },
    schema: { columns },
  }))
  const lineage = Array.from({ length: size }, (_, index) =>
    [index - 1, index - 2].filter(from => from >= 0).map(from => ({ from: name(from), to: name(index) })),
  ).flat()
  const project = { id: 'bench', name: 'bench', warehouse: 'duckdb', default_schema: 'analytics' }
  return JSON.stringify({ context_pack: { project, assets, lineage, glossary: [] }, source: 'cli' })
}

/** The term that is read. */
async function prepare({ url }: Target): Promise<void> {
  const body = { project: 1, name: 'Customer', id: 'term.customer', description: 'x'.repeat(200) }
  await fetch(`${url}/api/svc/glossary/terms`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function startTarget(bench: Bench, name: Target['name'], folder: string): Promise<Target> {
  const unlimited = ['rate-limit', 'write-rate-limit', 'upload-rate-limit'].flatMap(option => [
    `--${option}`,
    '0',
  ])
  const command =
    name === 'svc'
      ? [
          join(bench.root, 'hosted-api', 'bin', 'svc-hosted.cjs'),
          'serve',
          ...['--db', `sqlite://${join(folder, 'x.db')}`, '--create', '--port', '0', '--log-level', 'warn'],
          ...unlimited,
        ]
      : [join(bench.folder, 'hosted-peers.mjs'), name]
  const child: ChildProcess = spawn(process.execPath, command, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, SVC_HOSTED_BOOTSTRAP_TOKEN: token },
  })
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stderr?.on('data', chunk => {
      text += String(chunk)
      const found = /listens on (\S+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', code => reject(new Error(`${name} ended with ${code}: ${text}`)))
  })
  return { name, url, pid: child.pid ?? 0, stop: () => void child.kill('SIGTERM') }
}

function sample(milliseconds: number): Sample {
  return { wallMs: milliseconds, cpuMs: milliseconds, rssBytes: 0 }
}
