// The steps of `npm test`, which `npm run test:long` runs too.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { inBackground, program, stepsBeside, tests } from './steps.mjs'

/** Bytes. The tests have half a gigabyte on the disk at once, at most. */
const leastMemory = 4 * 2 ** 30

/**
 * Returns what the tests of some folders need, or, without a folder, everything that a change can break: build, types, lint,
 * all tests but those of test/long, and, beside them, the dashboard in a browser and the extension in a real VS Code, whose
 * windows wait more than they work.
 * @param {readonly string[]} chosen
 * @param {boolean} [isLong] whether the tests do all that they can, where a sample is usual
 */
export function testSteps(chosen, isLong = false) {
  const isAll = chosen.length === 0
  const all = isLong ? { SVC_TEST_LONG: 'samples' } : {}
  const { native, databases } = installed()
  const built = inBackground('build', 'node', ['esbuild.mjs'])
  const windows = isAll ? stepsBeside('windows', ['scripts/window-steps.mjs'], built, all) : undefined
  return [
    built,
    program('types', 'tsc', ['-b']),
    program('lint and format', 'biome', ['check', '.']),
    native,
    databases,
    isLong ? allOfThem(all) : tests('tests', chosen, { temporary: folderInMemory() }),
    ...(windows === undefined ? [] : [windows]),
  ]
}

function allOfThem(env) {
  return tests('tests', [], {
    temporary: folderInMemory(),
    env,
    figures: (_, { passed, failed }) => [`all that is in npm test: ${passed} tests passed, ${failed} failed`],
  })
}

/** One file of C keeps one processor busy for half a minute: the other one begins with what needs no database. */
export function installed() {
  return {
    native: inBackground('sqlite3', 'node', ['scripts/with-deps.mjs', '--native=quick', 'node', '--version']),
    databases: inBackground('databases', 'node', ['scripts/databases.mjs']),
  }
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
