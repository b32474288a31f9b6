/** Asks an HTTP server the same thing over and over on a few connections, with as little work of our own as can be. */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

export interface Load {
  readonly url: string
  readonly connections: number
  readonly requests: number
  /** The whole request as text; `index` counts from 0. */
  readonly request: (index: number) => string
  /** Answers have this status; another one ends the measurement. */
  readonly status: number
}

export interface LoadResult {
  readonly wallMs: number
  /** Milliseconds of each request, in order of their length. */
  readonly latencies: readonly number[]
}

export async function runLoad(load: Load): Promise<LoadResult> {
  const { hostname, port } = new URL(load.url)
  const latencies: number[] = []
  let next = 0
  const started = performance.now()
  await Promise.all(
    Array.from({ length: load.connections }, async () => {
      const connection = await openConnection(hostname, Number(port))
      while (next < load.requests) {
        const text = load.request(next++)
        const before = performance.now()
        const status = await connection.ask(text)
        latencies.push(performance.now() - before)
        if (status !== load.status) throw new Error(`answered ${status} in place of ${load.status}`)
      }
      connection.close()
    }),
  )
  const wallMs = performance.now() - started
  return { wallMs, latencies: latencies.sort((a, b) => a - b) }
}

/** The time within which this part of the requests was answered. */
export function percentile({ latencies }: LoadResult, part: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? Number.NaN
}

/** User and system time of a process, in milliseconds; the kernel counts in hundredths of a second. Linux only. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

interface Connection {
  /** Gives the status of the answer. */
  ask(text: string): Promise<number>
  close(): void
}

async function openConnection(host: string, port: number): Promise<Connection> {
  const socket: Socket = connect(port, host)
  socket.setNoDelay(true)
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let waiting: { resolve(status: number): void; reject(error: Error): void } | undefined
  let received: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = received.toString('latin1', 0, end)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (received.length < end + 4 + length) return
    received = received.subarray(end + 4 + length)
    waiting?.resolve(Number(head.slice(9, 12)))
  })
  socket.on('close', () => waiting?.reject(new Error('the connection was closed')))
  socket.on('error', error => waiting?.reject(error))
  return {
    ask: text =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(text)
      }),
    close() {
      waiting = undefined
      socket.destroy()
    },
  }
}
