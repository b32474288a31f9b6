#!/usr/bin/env node
// Stands in for the `code` program that @vscode/test-electron starts: takes the same options, opens the folder or
// workspace file in code-server with a headless Chromium as its window, lets the workbench run the suite in its extension
// host, and exits with the suite's exit code. Whether the suite came to its end is told by the suite's own report, not by
// this code.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'node:util'
import { chromium } from 'playwright-core'
import { chromiumOptions, startCodeServer } from '../../../scripts/code-server.mjs'
import { prepareEditor } from '../../../scripts/editor-tools.mjs'
import { unseenSettings, unseenWindow } from './still.mjs'

const limitMs = Number(process.env.SVC_TEST_LIMIT_MS ?? 600_000)
const isVerbose = process.env.SVC_TEST_VERBOSE !== undefined
const options = process.argv.slice(2)
const toOpen = resolve(options.find(option => !option.startsWith('-')) ?? '.')
const prepared = prepareEditor({ browser: true })
if ('missing' in prepared) fail(prepared.missing)
const { tools } = prepared

const folder = mkdtempSync(join(tmpdir(), 'svc-code-'))
const shots = fileURLToPath(new URL('../../../.tools/shots', import.meta.url))
let server
let browser
let page
let exitCode = 1
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void end().then(() => process.exit(130)))
try {
  exitCode = await runSuite()
} catch (error) {
  process.stderr.write(`${error.message}\n`)
}
if (exitCode !== 0) await keepTraces()
await end()
process.exit(exitCode)

async function runSuite() {
  // Without this flag a built workbench ignores the two addresses below, and nothing would ever happen.
  const flags = ['--vscode-option', 'enable-smoke-test-driver']
  server = await startCodeServer({
    tools,
    folder,
    settings: { ...unseenSettings, ...settingsOfUser() },
    flags,
  })
  browser = await chromium.launch({ executablePath: tools.chromium, args: chromiumOptions })
  page = await browser.newPage(unseenWindow)
  await page.route(isForeign, route => route.abort())
  const { ended } = await suiteOf(page)
  await page.goto(workbenchAddress())
  return await ended
}

/** As `code` finds them in the folder that it is given. */
function settingsOfUser() {
  const [data = ''] = valuesOf('user-data-dir')
  const path = join(data, 'User', 'settings.json')
  return data !== '' && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}

/** The workbench calls these two functions of its page where they exist. */
async function suiteOf(page) {
  await page.exposeFunction('codeAutomationLog', (_type, parts) => {
    const line = format(...parts)
    if (isVerbose || !isNoise(line)) process.stdout.write(`${line}\n`)
  })
  let finish
  let giveUp
  const ended = new Promise((resolve, reject) => {
    finish = resolve
    giveUp = reject
  })
  ended.catch(() => {})
  await page.exposeFunction('codeAutomationExit', finish)
  page.on('crash', () => giveUp(new Error('the window crashed')))
  setTimeout(() => giveUp(new Error(`no result within ${limitMs / 1000} s`)), limitMs).unref()
  return { ended }
}

function workbenchAddress() {
  const remote = path => `vscode-remote://127.0.0.1:${server.port}${resolve(path)}`
  const payload = [
    ...valuesOf('extensionDevelopmentPath').map(path => ['extensionDevelopmentPath', remote(path)]),
    ...valuesOf('extensionTestsPath').map(path => ['extensionTestsPath', remote(path)]),
    ...valuesOf('extensionEnvironment').map(value => ['extensionEnvironment', value]),
    ['skipWelcome', 'true'],
    ['skipReleaseNotes', 'true'],
  ]
  const kind = toOpen.endsWith('.code-workspace') ? 'workspace' : 'folder'
  const query = new URLSearchParams({ [kind]: toOpen, payload: JSON.stringify(payload) })
  return `${server.url}/?${query}`
}

function valuesOf(name) {
  const start = `--${name}=`
  return options.filter(option => option.startsWith(start)).map(option => option.slice(start.length))
}

/** The workbench loads its webviews from an address that its own service worker answers. */
function isForeign({ hostname }) {
  return (
    hostname !== '127.0.0.1' &&
    hostname !== 'localhost' &&
    !hostname.endsWith('.vscode-resource.vscode-cdn.net')
  )
}

/** What code-server itself says in every run. */
function isNoise(line) {
  return /^(%c|Creating a socket|Resolv|\[reconnection|\[AgentHost|\[AccountPolicy|\[Service Worker|Updating additional|Ignoring fetching|Creation of workbench contribution|Failed snippets from folder|Extension host \(Remote\) is |Timed out waiting for authentication|getaddrinfo|net::ERR)/.test(
    line,
  )
}

/** What the window showed at the end, and what was logged. */
async function keepTraces() {
  const name = join(shots, `failed host ${process.env.SVC_TEST_LAUNCH ?? ''}`.trim())
  mkdirSync(shots, { recursive: true })
  await page?.screenshot({ path: `${name}.png` }).catch(() => {})
  if (server !== undefined) writeFileSync(`${name}.log`, server.logs())
  process.stderr.write(`see ${name}.png and .log\n`)
}

async function end() {
  await browser?.close().catch(() => {})
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}

function fail(message) {
  process.stderr.write(`error: ${message}\n`)
  process.exit(3)
}
