/**
 * The `svc ui` process behind a lineage view: the same server as for browsers, started in the background and
 * ended with its view. It reads files and never opens a warehouse. If it has ended, the next request starts
 * it again.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { Invocation } from '../bundled-cli.ts'
import { firstError } from '../first-error.ts'

export type DashboardProcess = ReturnType<typeof createDashboardProcess>

export interface GetOptions {
  readonly lastEventId?: string | undefined
  readonly signal: AbortSignal
}

/** The message is the first line that `svc ui` printed instead of an address. */
export class NoDashboard extends Error {}

interface Served {
  readonly base: string
  /** The cookie of a page that was opened with the token. */
  readonly cookie: string
}

/** `invocation` returns how `svc ui --no-open --port 0` is started now. */
export function createDashboardProcess(invocation: () => Invocation, log: (line: string) => void) {
  // A separate agent is used because the editor's agent may use a proxy.
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
    /** Sends a `GET` to its API with a relative path: `api/catalog.json`. Rejects with a `NoDashboard`. */
    async get(path: string, options: GetOptions) {
      served ??= start()
      const { base, cookie } = await served.catch((error: unknown) => {
        served = undefined
        throw error
      })
      return ask(new URL(path, base), agent, { cookie, ...options })
    },
    /**
     * Ends the process; the next request starts another one, possibly with another project, environment or
     * command line.
     */
    stop() {
      served = undefined
      child?.kill('SIGINT')
      child = undefined
      agent.destroy()
    },
  }
}

/** The line with the address is the only output of `svc ui` on stdout. */
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
      reject(new NoDashboard(firstError(said) || `svc ui ended with exit code ${code}`))
    })
  })
}

/** Opens the address to get a cookie, as a browser does. */
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
