/**
 * The `svc ui` behind a lineage view: the same program that serves browsers, started out of sight and ended with its view.
 * It reads files and never opens a warehouse. Starts again by itself when somebody asks after it has ended.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { Invocation } from '../bundled-cli.ts'

export interface DashboardProcess {
  /** A `GET` of its API, relative: `api/catalog.json`. Rejects with a `NoDashboard`. */
  get(path: string, options: GetOptions): Promise<IncomingMessage>
  /** The next question starts a process anew: the project, the environment or the command line may be another one. */
  stop(): void
}

export interface GetOptions {
  readonly lastEventId?: string | undefined
  readonly signal: AbortSignal
}

/** `message` is the first line that `svc ui` said instead of an address. */
export class NoDashboard extends Error {}

interface Served {
  readonly base: string
  /** Of a page that was opened with the token. */
  readonly cookie: string
}

/** `invocation`: how `svc ui --no-open --port 0` is started now. */
export function createDashboardProcess(
  invocation: () => Invocation,
  log: (line: string) => void,
): DashboardProcess {
  // Its own: the editor's goes through proxies.
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  let child: ChildProcess | undefined
  let served: Promise<Served> | undefined

  function start(): Promise<Served> {
    const { executable, args, cwd, env } = invocation()
    const own = spawn(executable, args, { cwd, env: { ...process.env, ...env }, windowsHide: true })
    child = own
    own.once('close', () => {
      if (child !== own) return
      child = undefined
      served = undefined
    })
    return addressOf(own, log).then(address => open(address, agent))
  }

  return {
    async get(path, options) {
      served ??= start()
      const { base, cookie } = await served.catch((error: unknown) => {
        served = undefined
        throw error
      })
      return ask(new URL(path, base), agent, { cookie, ...options })
    },
    stop() {
      served = undefined
      child?.kill('SIGINT')
      child = undefined
      agent.destroy()
    },
  }
}

/** The line with the address is all that `svc ui` prints on stdout. */
function addressOf(child: ChildProcess, log: (line: string) => void): Promise<URL> {
  return new Promise((resolve, reject) => {
    let printed = ''
    let said = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const address = /http:\/\/127\.0\.0\.1:\S+/.exec(printed)?.[0]
      if (address !== undefined && printed.includes('\n')) resolve(new URL(address))
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      log(text.trimEnd())
    })
    child.once('error', error => reject(new NoDashboard(error.message)))
    child.once('close', code => {
      const [line = ''] = said.trim().split('\n')
      reject(new NoDashboard(line.replace(/^error: /, '') || `svc ui ended with exit code ${code}`))
    })
  })
}

/** The address is good for a cookie, as in a browser. */
async function open(address: URL, agent: Agent): Promise<Served> {
  const answer = await ask(address, agent, { signal: new AbortController().signal })
  answer.resume()
  const [cookie = ''] = (answer.headers['set-cookie']?.[0] ?? '').split(';')
  return { base: address.origin, cookie }
}

function ask(
  url: URL,
  agent: Agent,
  { cookie, lastEventId, signal }: GetOptions & { readonly cookie?: string },
): Promise<IncomingMessage> {
  const headers = {
    ...(cookie !== undefined && { cookie }),
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  }
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers, signal }, resolve)
    request.once('error', error => reject(new NoDashboard(`svc ui does not answer: ${error.message}`)))
  })
}
