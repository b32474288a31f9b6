// The programs that are up for the whole week: an editor's language server, the dashboard, the server of agents, the hosted store.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'
import { serveDashboard } from './dashboard-page.mjs'

const repository = join(dirname(fileURLToPath(import.meta.url)), '..')
export const svc = join(repository, 'cli', 'bin', 'svc.cjs')
const hosted = join(repository, 'hosted-api', 'bin', 'svc-hosted.cjs')
const longestMs = 60_000

/** `env`: that of each process; `database`: where the store keeps its rows. Each server says what it `heard` that no answer is. */
export async function startServers({ root, env, database }) {
  const [editor, dashboard, agents, store] = await Promise.all([
    startEditor(root, env),
    startDashboard(root, env),
    startAgents(root, env),
    startStore(database, env),
  ])
  const all = { editor, dashboard, agents, store }
  return {
    ...all,
    pids: Object.entries(all).map(([name, { pid }]) => [name, pid]),
    heard: () => Object.values(all).flatMap(server => server.heard?.() ?? []),
    async stop() {
      for (const server of Object.values(all)) await server.stop()
    },
  }
}

async function startEditor(root, env) {
  const child = spawn(process.execPath, [svc, 'lsp', '--stdio'], { cwd: root, env, stdio: 'pipe' })
  const heard = [gathered(child.stderr)]
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  )
  for (const method of [
    'client/registerCapability',
    'window/workDoneProgress/create',
    'workspace/diagnostic/refresh',
  ])
    connection.onRequest(method, () => null)
  connection.onNotification('window/logMessage', ({ message }) => heard.push(() => message))
  connection.listen()
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: [{ uri: pathToFileURL(root).href, name: 'soak' }],
    capabilities: {
      textDocument: { diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true } },
      workspace: { workspaceFolders: true, diagnostics: { refreshSupport: true } },
    },
    clientInfo: { name: 'Visual Studio Code' },
  })
  await connection.sendNotification('initialized', {})
  const uriOf = path => pathToFileURL(path).href
  let version = 0
  return {
    pid: child.pid,
    heard: () => heard.map(said => said()),
    async open(path, text) {
      const textDocument = { uri: uriOf(path), languageId: 'svc', version: ++version, text }
      await connection.sendNotification('textDocument/didOpen', { textDocument })
    },
    async change(path, text) {
      const textDocument = { uri: uriOf(path), version: ++version }
      await connection.sendNotification('textDocument/didChange', {
        textDocument,
        contentChanges: [{ text }],
      })
    },
    close: path =>
      connection.sendNotification('textDocument/didClose', { textDocument: { uri: uriOf(path) } }),
    changed: paths =>
      connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: paths.map(path => ({ uri: uriOf(path), type: 2 })),
      }),
    /** The messages of the problems of a file, as its text is now. */
    async problems(path) {
      const asked = connection.sendRequest('textDocument/diagnostic', { textDocument: { uri: uriOf(path) } })
      const { items = [] } = await inTime(asked, 'the editor')
      return items.map(({ message }) => message)
    },
    async stop() {
      await connection.sendRequest('shutdown')
      await connection.sendNotification('exit')
      await ended(child)
      connection.dispose()
    },
  }
}

async function startDashboard(root, env) {
  const { address, pid, stop } = await serveDashboard({ cwd: root, env }, ['--env', 'prod'])
  const { origin } = new URL(address)
  const entered = await fetch(address, { redirect: 'manual' })
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  return {
    pid,
    stop,
    async load(path) {
      const response = await inTime(fetch(origin + path, { headers: { cookie } }), 'the dashboard')
      return { status: response.status, text: await response.text() }
    },
  }
}

async function startAgents(root, env) {
  const child = spawn(process.execPath, [svc, 'mcp', '--env', 'prod'], { cwd: root, env, stdio: 'pipe' })
  const said = gathered(child.stderr)
  const waiting = new Map()
  lines(child.stdout, line => {
    const message = JSON.parse(line)
    // An answer to what could not be read has no id of a request.
    const id = message.id ?? null
    waiting.get(id)?.(message)
    waiting.delete(id)
  })
  let last = 0
  const answer = (id, text) => {
    const asked = new Promise(resolve => waiting.set(id, resolve))
    child.stdin.write(`${text}\n`)
    return inTime(asked, 'the server of agents')
  }
  const request = (method, params) => {
    const id = ++last
    return answer(id, JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  }
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'week', version: '1' },
  })
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  return {
    pid: child.pid,
    heard: () => [said()],
    async call(name, given = {}) {
      const { result, error } = await request('tools/call', { name, arguments: given })
      const text = result?.content?.[0]?.text ?? JSON.stringify(error)
      return {
        isError: error !== undefined || result.isError === true,
        text,
        value: result?.structuredContent,
      }
    },
    /** Sends a line that is no message, and returns the number of the error that comes back. */
    sendsNonsense: async text => (await answer(null, text)).error?.code,
    async stop() {
      const over = ended(child)
      child.stdin.end()
      await over
    },
  }
}

async function startStore(database, env) {
  const token = 'week-token-0123456789-0123456789-0123456789'
  const words = ['serve', '--create', '--port', '0', '--log-level', 'silent', '--rate-limit', '0']
  const own = { ...env, SVC_HOSTED_DB: database, SVC_HOSTED_BOOTSTRAP_TOKEN: token }
  const child = spawn(process.execPath, [hosted, ...words], { env: own, stdio: ['ignore', 'ignore', 'pipe'] })
  const said = gathered(child.stderr)
  const url = await new Promise((resolve, reject) => {
    child.stderr.on('data', () => {
      const found = /listens on (\S+)/.exec(said())?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error(`the store did not start: ${said()}`)))
  })
  const headers = { Authorization: `Bearer ${token}` }
  return {
    pid: child.pid,
    heard: () => [said()],
    env: { SVC_HOSTED_URL: url, SVC_HOSTED_TOKEN: token },
    async get(path) {
      const response = await inTime(fetch(`${url}/api/svc/${path}`, { headers }), 'the store')
      return { status: response.status, body: await response.json() }
    },
    /** Returns what `svc-hosted prune` counts. */
    async prune(...more) {
      const pruning = spawn(process.execPath, [hosted, 'prune', '--keep', '1d', ...more], {
        env: own,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [out, err] = [gathered(pruning.stdout), gathered(pruning.stderr)]
      const [code] = await once(pruning, 'close')
      return { code, counts: (out() + err()).match(/\d+ [a-z]+/g)?.join(', ') ?? '' }
    },
    async stop() {
      child.kill('SIGTERM')
      await ended(child)
    },
  }
}

async function inTime(asked, whom) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${whom} does not answer`)), longestMs)
  })
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}

async function ended(child) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
}

function gathered(stream) {
  let text = ''
  stream.setEncoding('utf8').on('data', part => {
    text += part
  })
  return () => text
}

export function lines(stream, each) {
  let rest = ''
  stream.setEncoding('utf8').on('data', text => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) each(part)
  })
}
