/** Starts the operating-system processes of workers, some of them ahead of time, because Node takes long to start. */
import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { workerFile } from './worker-file.ts'

const prepared: ChildProcess[] = []

/** Starts processes for the next `count` workers, when SQL is likely to be bound soon. */
export function prepareWorkers(count: number): void {
  while (prepared.length < count) prepared.push(spawnWorker())
}

export function takeChild(): ChildProcess {
  const child = prepared.shift()
  return child !== undefined && isRunning(child) ? child : spawnWorker()
}

function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null
}

function spawnWorker(): ChildProcess {
  const child: ChildProcess = spawn(process.execPath, [workerFile()], {
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
