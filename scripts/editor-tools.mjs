// A real VS Code for the tests and for `npm run editor`: code-server with the Node that it needs, from the
// npm registry into the git-ignored folder .tools, and Chromium from the system. Installs what is missing, or
// prints one line about what is not available. Uses only Node's own modules.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants as os } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, '.tools')
const codeServerVersion = '4.139.1'
const nodeVersion = '24.21.0'
const record = join(folder, 'ready.json')
const wanted = JSON.stringify({
  codeServerVersion,
  nodeVersion,
  platform: process.platform,
  arch: process.arch,
})

const chromiumPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * @typedef {object} EditorTools
 * @property {string} node the Node that code-server runs on
 * @property {string} codeServer its main script
 * @property {string | undefined} chromium undefined if none was requested
 */

/**
 * Returns the tools, after installing what is missing; or `missing`, one line that says what is not available and why.
 * @param {{ browser: boolean }} needs
 * @returns {{ tools: EditorTools } | { missing: string }}
 */
export function prepareEditor({ browser }) {
  try {
    const chromium = browser ? findChromium() : undefined
    installCodeServer()
    return {
      tools: { node: nodeProgram(), codeServer: join(codeServerFolder(), 'out/node/entry.js'), chromium },
    }
  } catch (error) {
    if (error instanceof Missing) return { missing: error.message }
    throw error
  }
}

/**
 * Returns the path of Chromium, after installing it if it is missing; or `missing`, as above.
 * @returns {{ chromium: string } | { missing: string }}
 */
export function prepareBrowser() {
  try {
    return { chromium: findChromium() }
  } catch (error) {
    if (error instanceof Missing) return { missing: error.message }
    throw error
  }
}

class Missing extends Error {}

// ---------------------------------------------------------------- Chromium

function findChromium() {
  const named = process.env.CHROME_PATH
  if (named !== undefined) {
    if (existsSync(named)) return named
    throw new Missing(`CHROME_PATH names ${named}, which is not there`)
  }
  const present = chromiumPlaces.find(existsSync)
  if (present !== undefined) return present
  installFromDebian('chromium')
  const installed = chromiumPlaces.find(existsSync)
  if (installed === undefined)
    throw new Missing('Chromium is not installed: install it, or name it in CHROME_PATH')
  return installed
}

/**
 * Installs a Debian package if possible: as root, with apt-get.
 * @param {string} name
 */
export function installFromDebian(name) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  say(`Installing ${name} (apt-get)…`)
  const patience = ['-o', 'DPkg::Lock::Timeout=300']
  const options = [...patience, 'install', '-y', '-qq', '--no-install-recommends', name]
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = () => spawnSync('apt-get', options, { stdio: ['ignore', 'ignore', 'inherit'], env })
  if (install().status === 0) return
  // The package lists may be outdated or missing.
  spawnSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 'ignore', 'inherit'], env })
  install()
}

// ---------------------------------------------------------------- code-server

function codeServerFolder() {
  return join(folder, 'code-server', 'node_modules', 'code-server')
}

function nodePackage() {
  return `node-${process.platform}-${process.arch}`
}

function nodeProgram() {
  return join(folder, 'node24', 'node_modules', nodePackage(), 'bin', 'node')
}

function installCodeServer() {
  if (existsSync(record) && readFileSync(record, 'utf8') === wanted && existsSync(nodeProgram())) return
  if (process.platform === 'win32')
    throw new Missing('code-server does not run on Windows: install VS Code itself')
  say('Setting up code-server in .tools, once, about a minute…')
  mkdirSync(join(folder, 'node24'), { recursive: true })
  mkdirSync(join(folder, 'code-server'), { recursive: true })
  rmSync(record, { force: true })
  npm(folder, ['install', '--prefix', join(folder, 'node24'), `${nodePackage()}@${nodeVersion}`])
  // Its own set-up compiles modules that are not used here and needs system libraries, so the needed parts
  // are set up below.
  npm(folder, [
    'install',
    '--prefix',
    join(folder, 'code-server'),
    '--ignore-scripts',
    `code-server@${codeServerVersion}`,
  ])
  const vscode = join(codeServerFolder(), 'lib', 'vscode')
  npm(vscode, ['install', '--omit=dev', '--ignore-scripts'])
  npm(join(vscode, 'extensions'), ['install', '--omit=dev', '--ignore-scripts'])
  // Without these two it runs, but it writes no logs and outlives the process that started it.
  npm(vscode, ['rebuild', '@vscode/spdlog', '@vscode/native-watchdog'])
  writeFileSync(record, wanted)
}

/** Runs npm with the Node of code-server, against whose headers native modules are compiled. */
function npm(cwd, options) {
  const bin = dirname(nodeProgram())
  const script = process.env.npm_execpath?.endsWith('.js') ? process.env.npm_execpath : undefined
  const [program, first] =
    script === undefined
      ? ['npm', []]
      : [existsSync(nodeProgram()) ? nodeProgram() : process.execPath, [script]]
  const { status, signal, stdout, stderr } = spawnSync(
    program,
    [...first, ...options, '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      env: {
        ...withoutNpmSettings(process.env),
        PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
        npm_config_nodedir: dirname(bin),
      },
    },
  )
  if (status === 0) return
  if (signal !== null) process.exit(128 + (os.signals[signal] ?? 0))
  const why =
    `${stderr ?? ''}${stdout ?? ''}`
      .trim()
      .split('\n')
      .find(line => line.includes('error')) ?? 'npm is not on the path'
  throw new Missing(`code-server cannot be installed: ${why.slice(0, 200)}`)
}

/**
 * Removes the variables that `npm run` sets about this project (its workspaces, its prefix), because they do
 * not apply to another folder.
 */
function withoutNpmSettings(env) {
  const foreign = /^npm_(package|lifecycle|command|config_(local_prefix|prefix|workspace))/
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)))
}

function say(line) {
  process.stderr.write(`${line}\n`)
}

// `--without-browser` installs code-server alone, while something else may be installing Chromium.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const prepared = prepareEditor({ browser: !process.argv.includes('--without-browser') })
  if ('missing' in prepared) {
    say(`error: ${prepared.missing}`)
    process.exit(3)
  }
  console.log(JSON.stringify(prepared.tools, undefined, 2))
}
