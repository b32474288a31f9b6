// Runs everything: build, types, lint, all tests, the dashboard in a browser, and the extension in a real VS
// Code. `npm test -- test/cli` limits the tests to some folders and leaves out browser and editor.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { dashboardJourneys } from './dashboard-steps.mjs'
import { hostSuites, journeys } from './editor-steps.mjs'
import { inBackground, program, runSteps, tests } from './steps.mjs'

/** Bytes. The tests have half a gigabyte on the disk at once, at most. */
const leastMemory = 4 * 2 ** 30
const editorTools = ['scripts/editor-tools.mjs', '--without-browser']
const chosen = process.argv.slice(2)
const isAll = chosen.length === 0
// One file of C keeps one processor busy for a minute or two: the other one begins with what needs no database.
const native = inBackground('sqlite3', 'node', ['scripts/with-deps.mjs', '--native', 'node', '--version'])
const databases = inBackground('databases', 'node', ['scripts/databases.mjs'])
const editor = isAll ? inBackground('VS Code', 'node', editorTools, native) : undefined
const memory = folderInMemory()
process.on('exit', () => memory && rmSync(memory, { recursive: true, force: true }))

await runSteps([
  program('build', 'node', ['esbuild.mjs']),
  program('types', 'tsc', ['-b']),
  program('lint and format', 'biome', ['check', '.']),
  ...(isAll ? [dashboardJourneys] : []),
  native,
  databases,
  tests('tests', chosen, memory),
  ...(editor === undefined ? [] : [waitFor(editor), hostSuites, journeys]),
])

/** The steps after it say what is missing, and whether that is a failure. */
function waitFor({ title, ended }) {
  return { title, run: async () => ({ passed: Number((await ended) === 0), failed: 0 }) }
}

/**
 * Returns a new folder on a disk in memory; undefined where there is none that is large enough. Hundreds of small databases
 * are written, and each waits for the disk many times.
 */
function folderInMemory() {
  const disk = '/dev/shm'
  if (process.env.TMPDIR !== undefined || !isDiskInMemory(disk)) return undefined
  const { bavail, bsize } = statfsSync(disk)
  if (bavail * bsize < leastMemory) return undefined
  const folder = mkdtempSync(join(disk, 'svc-'))
  // As the usual folder: some tests are somebody else's.
  chmodSync(folder, 0o1777)
  return folder
}

/** Programs are started from there too, which not every machine allows. */
function isDiskInMemory(disk) {
  if (!existsSync('/proc/mounts')) return false
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const mount = mounts.find(line => line.split(' ')[1] === disk)?.split(' ')
  return mount?.[2] === 'tmpfs' && !mount[3].split(',').includes('noexec')
}
