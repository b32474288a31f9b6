// Starts code-server for a test or for `npm run editor`: on loopback and a free port, with its own home, settings and
// extensions, no gallery, no telemetry. What it leaves behind is in one folder.
import { spawn } from 'node:child_process'
import { mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const startTimeoutMs = 60_000
const stopTimeoutMs = 5_000

const quietSettings = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'git.enabled': false,
  'security.workspace.trust.enabled': false,
  'editor.accessibilitySupport': 'off',
  // As in the desktop editor: in a browser it would save by itself.
  'files.autoSave': 'off',
  'chat.disableAIFeatures': true,
  // Text in the DOM can be read by tests; text on a canvas cannot.
  'terminal.integrated.gpuAcceleration': 'off',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'files.simpleDialog.enable': true,
  'remote.autoForwardPorts': false,
}

/** Chromium in a container: without its sandbox, and without requests of its own. */
export const chromiumOptions = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

/**
 * @param {object} options
 * @param {import('./editor-tools.mjs').EditorTools} options.tools
 * @param {string} options.folder emptied first; keep its path short, sockets live in it
 * @param {string} [options.vsix] installed before the start
 * @param {Record<string, unknown>} [options.settings] over the quiet ones
 * @param {Record<string, string>} [options.env]
 * @param {readonly string[]} [options.flags] further options of code-server
 * @param {number} [options.port] a free one by default
 */
export async function startCodeServer({ tools, folder, vsix, settings = {}, env = {}, flags = [], port }) {
  rmSync(folder, { recursive: true, force: true })
  for (const part of ['data/User', 'extensions', 'home', 't'])
    mkdirSync(join(folder, part), { recursive: true })
  writeFileSync(
    join(folder, 'data/User/settings.json'),
    JSON.stringify({ ...quietSettings, ...settings }, undefined, 2),
  )
  writeFileSync(join(folder, 'config.yaml'), 'auth: none\n')
  const own = [
    tools.codeServer,
    ...['--config', join(folder, 'config.yaml')],
    ...['--user-data-dir', join(folder, 'data')],
    ...['--extensions-dir', join(folder, 'extensions')],
  ]
  const environment = {
    ...process.env,
    HOME: join(folder, 'home'),
    // Sockets are created here, and are deleted with the folder.
    TMPDIR: join(folder, 't'),
    // Otherwise the gallery would be requested from the internet.
    EXTENSIONS_GALLERY: '{}',
    PATH: `${dirname(tools.node)}${delimiter}${process.env.PATH ?? ''}`,
    ...env,
  }
  if (vsix !== undefined) await runToEnd(tools.node, [...own, '--install-extension', vsix], environment)
  const chosenPort = port ?? (await freePort())
  const log = join(folder, 'server.log')
  const output = openSync(log, 'w')
  const quiet = [
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
    '--disable-proxy',
  ]
  const trust = settings['security.workspace.trust.enabled'] === true ? [] : ['--disable-workspace-trust']
  const server = spawn(
    tools.node,
    [...own, '--auth', 'none', '--bind-addr', `127.0.0.1:${chosenPort}`, ...quiet, ...trust, ...flags],
    { env: environment, stdio: ['ignore', output, output], detached: true },
  )
  const url = `http://127.0.0.1:${chosenPort}`
  await untilHealthy(server, url, log)
  return {
    url,
    port: chosenPort,
    /** Returns the logs of server, window and extension, to investigate a failure. */
    logs: () => logsOf(folder),
    exited: exitOf(server),
    stop: () => stop(server),
  }
}

function logsOf(folder) {
  const logs = join(folder, 'data', 'logs')
  const paths = readdirSync(logs, { recursive: true, encoding: 'utf8' })
    .filter(path => /(SVC|remoteexthost)\.log$/.test(path))
    .map(path => join(logs, path))
  return [join(folder, 'server.log'), ...paths]
    .map(path => `==== ${path.slice(folder.length + 1)}\n${readFileSync(path, 'utf8')}`)
    .join('\n')
}

async function untilHealthy(server, url, log) {
  for (const deadline = Date.now() + startTimeoutMs; ; ) {
    const isUp = await fetch(`${url}/healthz`).then(
      response => response.ok,
      () => false,
    )
    if (isUp) return
    if (server.exitCode !== null || Date.now() > deadline)
      throw new Error(`code-server did not start; see ${log}`)
    await wait(50)
  }
}

function exitOf(server) {
  return new Promise(resolve => server.once('exit', resolve))
}

/** Ends the whole process group: the server, its extension hosts and terminals. */
async function stop(server) {
  if (server.exitCode !== null) return
  const exited = exitOf(server)
  signal(server, 'SIGTERM')
  const isGone = await Promise.race([exited.then(() => true), wait(stopTimeoutMs, false, { ref: false })])
  if (!isGone) signal(server, 'SIGKILL')
}

function signal(server, name) {
  try {
    process.kill(-server.pid, name)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

function runToEnd(program, options, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, options, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', part => (output += part))
    child.once('error', reject)
    child.once('exit', code => (code === 0 ? resolve(undefined) : reject(new Error(output.trim()))))
  })
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
