/** Starts the operating-system processes of workers, some of them ahead of time, because Node takes long to start. */
import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Engine } from '../../language/index.ts'
import { workerFile } from './worker-file.ts'

interface Prepared {
  readonly engine: string
  readonly child: ChildProcess
}

const prepared: Prepared[] = []

/** Starts processes for the next `count` workers of an engine, when SQL is likely to be bound soon. */
export function prepareWorkers(count: number, { kind: engine }: Engine): void {
  const missing = count - prepared.filter(each => each.engine === engine).length
  for (let index = 0; index < missing; index++) prepared.push({ engine, child: spawnWorker(engine) })
}

/** `engine`: its kind. A process that was started for another engine has its libraries, and is ended. */
export function takeChild(engine: string): ChildProcess {
  for (let next = prepared.shift(); next !== undefined; next = prepared.shift()) {
    if (next.engine !== engine) next.child.stdin?.end()
    else if (isRunning(next.child)) return next.child
  }
  return spawnWorker(engine)
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null
}

function spawnWorker(engine: string): ChildProcess {
  const child: ChildProcess = spawn(process.execPath, [workerFile(), engine], {
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  // Failures to start or to write are reported by the end of the process.
  child.on('error', () => undefined)
  // Without a free file handle there are no streams.
  child.stdin?.on('error', () => undefined)
  keepAlive(child, false)
  return child
}

/** Lets the parent exit while the process is idle; the process then ends with it. */
export function keepAlive(child: ChildProcess, isNeeded: boolean): void {
  const { stdin, stdout, stderr } = child
  const streams = [stdin, stdout, stderr].filter(stream => stream instanceof Socket)
  for (const handle of [child, ...streams]) {
    if (isNeeded) handle.ref()
    else handle.unref()
  }
}
