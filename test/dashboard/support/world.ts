/** The example project as a user has it: its data, its web service (which a test can hold up), and `svc` beside it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { copyExample } from '../../../scripts/example.mjs'
import { startExampleServer } from '../../../scripts/example-server.mjs'
import { buildCommand, svcLauncher } from '../../support/cli.ts'

export interface World {
  readonly root: string
  /** Runs `svc <words>` to its end. */
  svc(words: readonly string[]): Promise<Ended>
  /** Starts `svc ui` or `svc lineage` without a browser, on a free port. */
  serve(words: readonly string[]): Promise<Served>
  /** The service of earthquakes, between the project and its data. */
  readonly gate: Gate
  read(path: string): string
  write(path: string, text: string): void
  dispose(): Promise<void>
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Served {
  /** With the token. */
  readonly address: string
  /** Without it. */
  readonly base: string
  readonly stderr: () => string
  /** As Ctrl-C does. */
  stop(): Promise<Ended>
  /** As a crash does. */
  kill(): Promise<Ended>
}

export interface Gate {
  /** From now on requests wait. */
  shut(): void
  open(): void
  /** Until one waits. */
  asked(): Promise<void>
  /** So far. */
  readonly requests: () => number
}

export async function exampleWorld(): Promise<World> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-dashboard-')))
  copyExample(root)
  const quakes = await startExampleServer()
  const { gate, url, close } = await startGate(quakes.url)
  const world = projectWorld(root, { QUAKES_URL: url }, gate)
  return {
    ...world,
    async dispose() {
      await world.dispose()
      close()
      await quakes.close()
    },
  }
}

/** A project of nothing but the given files. */
export function smallWorld(files: Readonly<Record<string, string>>): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-dashboard-')))
  const nothing: Gate = { shut() {}, open() {}, asked: async () => {}, requests: () => 0 }
  const world = projectWorld(root, {}, nothing)
  for (const [path, text] of Object.entries(files)) world.write(path, text)
  return world
}

function projectWorld(root: string, variables: Readonly<Record<string, string>>, gate: Gate): World {
  buildCommand()
  const children = new Set<ChildProcess>()
  const env = { PATH: process.env['PATH'], HOME: root, ...variables }
  const start = (words: readonly string[]) => {
    const child = spawn(process.execPath, [svcLauncher, ...words], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.add(child)
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', code => {
        children.delete(child)
        resolve({ code, stdout, stderr })
      })
    })
    return { child, ended, stdout: () => stdout, stderr: () => stderr }
  }
  return {
    root,
    gate,
    svc: words => start(words).ended,
    async serve(words) {
      const port = words.includes('--port') ? [] : ['--port', '0']
      const process = start([...words, '--no-open', ...port])
      const address = await Promise.race([addressOf(process.child), process.ended.then(refused)])
      return {
        address,
        base: new URL(address).origin,
        stderr: process.stderr,
        stop() {
          process.child.kill('SIGINT')
          return process.ended
        },
        kill() {
          process.child.kill('SIGKILL')
          return process.ended
        },
      }
    },
    read: path => readFileSync(join(root, path), 'utf8'),
    write: (path, text) => writeFile(join(root, path), text),
    async dispose() {
      gate.open()
      for (const child of children) child.kill('SIGKILL')
      rmSync(root, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

function addressOf({ stdout }: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    let text = ''
    stdout?.on('data', (part: string) => {
      text += part
      const address = /http:\S+\n/.exec(text)?.[0]
      if (address !== undefined) resolve(address.trim())
    })
  })
}

function refused({ code, stderr }: Ended): never {
  throw new Error(`it ended with ${code}: ${stderr}`)
}

function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

async function startGate(target: string): Promise<{ gate: Gate; url: string; close(): void }> {
  let isOpen = true
  let requests = 0
  let waiting: (() => void)[] = []
  let wake = () => {}
  const forward = async (path: string, response: ServerResponse) => {
    const answer = await fetch(`${target}${path}`)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }
  const server = createServer((request, response) => {
    requests++
    const go = () => void forward(request.url ?? '/', response)
    if (isOpen) go()
    else waiting.push(go)
    wake()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    gate: {
      shut() {
        isOpen = false
      },
      open() {
        isOpen = true
        for (const go of waiting) go()
        waiting = []
      },
      async asked() {
        while (waiting.length === 0) {
          await new Promise<void>(resolve => {
            wake = resolve
          })
        }
      },
      requests: () => requests,
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
