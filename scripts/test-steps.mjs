// The steps of `npm test`, which `npm run test:long` runs too.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { dashboardJourneys } from './dashboard-steps.mjs'
import { hostSuites, journeys } from './editor-steps.mjs'
import { inBackground, program, tests } from './steps.mjs'

/** Bytes. The tests have half a gigabyte on the disk at once, at most. */
const leastMemory = 4 * 2 ** 30
const editorTools = ['scripts/editor-tools.mjs', '--without-browser']

/**
 * Returns what the tests of some folders need, or, without a folder, everything that a change can break: build, types, lint,
 * all tests but those of test/long, the dashboard in a browser and the extension in a real VS Code.
 * @param {readonly string[]} chosen
 */
export function testSteps(chosen) {
  const isAll = chosen.length === 0
  const { native, databases } = installed()
  const editor = isAll ? inBackground('VS Code', 'node', editorTools, native) : undefined
  return [
    program('build', 'node', ['esbuild.mjs']),
    program('types', 'tsc', ['-b']),
    program('lint and format', 'biome', ['check', '.']),
    ...(isAll ? [dashboardJourneys] : []),
    native,
    databases,
    tests('tests', chosen, { temporary: folderInMemory() }),
    ...(editor === undefined ? [] : [waitFor(editor), hostSuites, journeys]),
  ]
}

/** One file of C keeps one processor busy for a minute or two: the other one begins with what needs no database. */
export function installed() {
  return {
    native: inBackground('sqlite3', 'node', ['scripts/with-deps.mjs', '--native', 'node', '--version']),
    databases: inBackground('databases', 'node', ['scripts/databases.mjs']),
  }
}

/** The steps after it say what is missing, and whether that is a failure. */
function waitFor({ title, ended }) {
  return { title, run: async () => ({ passed: Number((await ended) === 0), failed: 0 }) }
}

let memory

/**
 * Returns a new folder on a disk in memory; undefined where there is none that is large enough. Hundreds of small databases
 * are written, and each waits for the disk many times.
 */
export function folderInMemory() {
  if (memory !== undefined) return memory
  const disk = '/dev/shm'
  if (process.env.TMPDIR !== undefined || !isDiskInMemory(disk)) return undefined
  const { bavail, bsize } = statfsSync(disk)
  if (bavail * bsize < leastMemory) return undefined
  const folder = mkdtempSync(join(disk, 'svc-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  // As the usual folder: some tests are somebody else's.
  chmodSync(folder, 0o1777)
  memory = folder
  return folder
}

/** Programs are started from there too, which not every machine allows. */
function isDiskInMemory(disk) {
  if (!existsSync('/proc/mounts')) return false
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const mount = mounts.find(line => line.split(' ')[1] === disk)?.split(' ')
  return mount?.[2] === 'tmpfs' && !mount[3].split(',').includes('noexec')
}
