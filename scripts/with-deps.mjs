// Runs a command of this project after installing missing or outdated dependencies, so that every `npm run
// <x>` works in a fresh clone. Uses only Node's own modules. Install scripts of packages are disabled: only
// that of sqlite3 matters, it compiles for a minute or two, and most commands do not need it. `--native`
// builds it; if that is not possible, one line says so. `--native=quick` has it compiled in half of the time
// and somewhat slower, which is enough for tests; who measures gets another one by `--native`.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const lock = join(root, '.installing')
const oldestNode = [20, 17]

requireNode()
const native = ['--native', '--native=quick'].find(option => option === process.argv[2])
const [command, ...commandArguments] = process.argv.slice(native === undefined ? 2 : 3)
if (command === undefined)
  fail('usage: node scripts/with-deps.mjs [--native[=quick]] <command> [arguments]', 2)
await installIfNeeded()
if (native !== undefined) await buildNativeIfNeeded(native === '--native=quick')
process.exit(await run(command === 'node' ? process.execPath : command, commandArguments))

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return
  fail(
    `Node ${process.versions.node} is too old: this needs ${oldestNode.join('.')} or later (https://nodejs.org)`,
    2,
  )
}

/**
 * Runs `npm ci` if the installed packages differ from package-lock.json; one process at a time, the others
 * wait.
 */
async function installIfNeeded() {
  if (isInstalled()) return
  await takeLock()
  try {
    if (isInstalled()) return
    process.stderr.write('Installing dependencies (npm ci)…\n')
    const status = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
    if (status !== 0) fail(`npm ci failed with exit code ${status}; what it says is above`, 3)
    for (const line of whatIsMissing()) process.stderr.write(`${line}\n`)
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

/** Tried once per installation, because it would fail every time on a machine without a compiler. */
async function buildNativeIfNeeded(isQuick) {
  const folder = join(root, 'node_modules', 'sqlite3')
  const tried = join(folder, '.build-tried')
  const builtQuickly = join(folder, '.built-quickly')
  const isBuilt = () =>
    existsSync(join(folder, 'build', 'Release', 'node_sqlite3.node')) &&
    (isQuick || !existsSync(builtQuickly))
  if (!existsSync(folder) || isBuilt() || existsSync(tried)) return
  await takeLock()
  try {
    if (isBuilt()) return
    process.stderr.write(`Building sqlite3 (${isQuick ? 'half a minute' : 'a minute or two'})…\n`)
    const { CFLAGS = '', CXXFLAGS = '' } = process.env
    const quick = isQuick ? { CFLAGS: `-O1 ${CFLAGS}`, CXXFLAGS: `-O1 ${CXXFLAGS}` } : {}
    const status = await npm(['rebuild', 'sqlite3', '--loglevel=error'], quick)
    if (status === 0) {
      if (isQuick) writeFileSync(builtQuickly, '')
      else rmSync(builtQuickly, { force: true })
      return
    }
    // A status above 128 is a signal: an interrupted build does not show that building is impossible.
    if (status < 128) writeFileSync(tried, '')
    process.stderr.write('sqlite3 cannot be built here: what needs it is left out (see above)\n')
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

/** Compares package-lock.json with npm's own record of the installed packages. */
function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = readPackages(join(root, 'package-lock.json'))
  const present = readPackages(record)
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link || !path.startsWith('node_modules/')) return true
    const installed = present[path]
    if (installed === undefined) return entry.optional === true
    return entry.integrity === undefined || installed.integrity === entry.integrity
  })
}

/** npm says nothing about a native package that a registry does not have, nor about a missing hash. */
function whatIsMissing() {
  const record = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return []
  const present = readPackages(record)
  return Object.entries(readPackages(join(root, 'package-lock.json'))).flatMap(([path, entry]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (present[path] !== undefined)
      return entry.integrity === undefined && path.includes('node_modules/') && entry.link !== true
        ? [`${name} ${entry.version} was installed without a hash to compare: package-lock.json has none`]
        : []
    const isForHere = entry.os?.includes(process.platform) && entry.cpu?.includes(process.arch)
    return isForHere && !otherLibc(entry)
      ? [`${name} ${entry.version} is for this machine and not installed: the npm registry does not have it`]
      : []
  })
}

/** Whether a package is for the other C library of Linux, by what its entry or its name says. */
function otherLibc({ libc, resolved = '' }) {
  if (process.platform !== 'linux') return false
  const isMusl = process.report.getReport().header.glibcVersionRuntime === undefined
  const wanted = libc?.[0] ?? (/musl/.test(resolved) ? 'musl' : 'glibc')
  return (wanted === 'musl') !== isMusl
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? {}
  } catch (error) {
    return fail(`cannot read ${path}: ${error.message}`, 3)
  }
}

/** Waits while another process installs. The lock of a dead process is taken over. */
async function takeLock() {
  for (let told = false; ; told = true) {
    try {
      mkdirSync(lock)
      writeFileSync(join(lock, 'pid'), String(process.pid))
      return
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`cannot write to ${root}: ${error.message}`, 3)
    }
    if (!told) process.stderr.write('Waiting for another process that installs the dependencies…\n')
    await wait(500)
    if (!ownerIsAlive()) rmSync(lock, { recursive: true, force: true })
  }
}

function ownerIsAlive() {
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * Uses npm's own script, whose path `npm run` provides: this works without `npm` on the path, and on Windows.
 */
function npm(options, env = {}) {
  const script = process.env.npm_execpath
  return script?.endsWith('.js') ? run(process.execPath, [script, ...options], env) : run('npm', options, env)
}

/** Runs a program on this terminal, forwards signals, and returns its exit code. */
function run(program, options, env = {}) {
  const path = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`
  const child = spawn(program, options, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32' && program !== process.execPath,
    env: { ...process.env, ...env, PATH: path },
  })
  const forward = signal => child.kill(signal)
  // Ctrl+C reaches the child by itself (same terminal); this process only has to outlive it.
  const ignore = () => {}
  process.on('SIGTERM', forward).on('SIGHUP', forward).on('SIGINT', ignore)
  return new Promise(resolve => {
    child.once('error', error => {
      const missing = error.code === 'ENOENT'
      fail(
        missing
          ? `${program} is not installed or not on the path`
          : `cannot start ${program}: ${error.message}`,
        3,
      )
    })
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', forward).off('SIGHUP', forward).off('SIGINT', ignore)
      resolve(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}

function fail(message, exitCode) {
  giveUpLock()
  process.stderr.write(`error: ${message}\n`)
  process.exit(exitCode)
}

function giveUpLock() {
  try {
    if (readFileSync(join(lock, 'pid'), 'utf8') === String(process.pid)) rmSync(lock, { recursive: true })
  } catch {
    // There is no lock, or it belongs to somebody else.
  }
}
