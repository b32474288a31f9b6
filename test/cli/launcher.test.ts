import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { svcLauncher } from '../support/cli.ts'

/** The launcher beside a bundle of our own, which says what it is. */
let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-launcher-'))
  mkdirSync(join(root, 'bin'))
  mkdirSync(join(root, 'dist'))
  for (const file of ['svc.cjs', 'native-part.cjs'])
    cpSync(join(dirname(svcLauncher), file), join(root, 'bin', file))
})
afterEach(() => {
  chmodSync(join(root, 'dist'), 0o755)
  rmSync(root, { recursive: true, force: true })
})

const bundle = () => join(root, 'dist', 'svc.cjs')
const start = (...words: string[]) =>
  spawnSync(process.execPath, [join(root, 'bin', 'svc.cjs'), ...words], { encoding: 'utf8' })

function writeBundle(letter: string): void {
  writeFileSync(
    bundle(),
    `process.stdout.write('${letter} ' + process.env.UV_THREADPOOL_SIZE + ' ' + typeof require('node:fs').statSync)`,
  )
}

describe('the launcher', () => {
  it('starts the bundle with enough threads, again and again', () => {
    writeBundle('a')
    for (let round = 0; round < 3; round++) expect(start().stdout).toMatch(/^a ([89]|\d\d+) function$/)
    expect(readdirSync(join(root, 'dist')).sort()).toEqual(['svc.cjs', 'svc.cjs.cache'])
  })

  it('names the native part of DuckDB where a command failed for want of it', () => {
    writeFileSync(bundle(), 'process.exitCode = 70')
    const failed = start('run')
    expect([failed.status, failed.stderr]).toEqual([
      3,
      expect.stringContaining(`@duckdb/node-bindings-${process.platform}-${process.arch}`),
    ])
    writeFileSync(join(root, 'package.json'), '{"version": "1.2.3"}')
    writeFileSync(join(root, 'dist', 'build-id'), '3f9c2a71')
    const version = start('--version')
    expect([version.status, version.stdout]).toEqual([3, 'svc 1.2.3 (3f9c2a71)\n'])
    expect(version.stderr).toBe(failed.stderr)
    const duckdb = join(root, 'node_modules', '@duckdb')
    const native = join(duckdb, `node-bindings-${process.platform}-${process.arch}`)
    for (const folder of [join(duckdb, 'node-bindings'), native]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(duckdb, 'node-bindings', 'index.js'), '')
    writeFileSync(join(native, 'duckdb.node'), '')
    expect([start('run').status, start('run').stderr]).toEqual([70, ''])
    expect(start('--version').status).toBe(0)
  })

  it('gives a package beside the bundle to whoever asks, with its own cache', () => {
    const folder = join(root, 'dist', 'packages')
    mkdirSync(folder)
    writeFileSync(join(folder, 'letters.cjs'), "exports.letter = 'ä'; exports.fs = require('node:fs')")
    const ask = "const { letter, fs } = require('./packages/letters.cjs')"
    const same = "require('./packages/letters.cjs').fs === require('node:fs')"
    writeFileSync(bundle(), `${ask}; process.stdout.write([letter, typeof fs.statSync, ${same}].join(' '))`)
    for (let round = 0; round < 3; round++) expect(start('run').stdout).toBe('ä function true')
    expect(readdirSync(folder).sort()).toEqual(['letters.cjs', 'letters.cjs.cache'])
  })

  it('never starts code of an older bundle, also one of the same length', () => {
    writeBundle('a')
    start()
    writeBundle('b')
    utimesSync(bundle(), new Date(), new Date(Date.now() + 5000))
    expect(start().stdout).toMatch(/^b /)
  })

  it('adds the code of each command that uses most of it once', () => {
    writeFileSync(bundle(), "process.exitCode = process.argv[3] === 'wrong' ? 2 : 1")
    const caches = [`${bundle()}.cache`, `${bundle()}.run.cache`]
    const added = (...words: string[]) => {
      start(...words)
      return caches.map(path => (existsSync(path) ? readFileSync(path)[128] : undefined))
    }
    expect([added('status'), added('validate')]).toEqual([
      [0, undefined],
      [1, undefined],
    ])
    expect([added('run', 'wrong'), added('run'), added('plan'), added('status')]).toEqual([
      [1, 0],
      [1, 4],
      [1, 6],
      [1, 6],
    ])
    const numbers = () => caches.map(path => statSync(path).ino)
    const before = numbers()
    for (const command of ['validate', 'run', 'plan']) start(command)
    expect(numbers()).toEqual(before)
  })

  it('survives a cache that is broken or was cut off', () => {
    writeBundle('a')
    start()
    const cache = `${bundle()}.cache`
    const whole = readFileSync(cache)
    for (const bytes of [0, 10, 129, 140, whole.length - 1]) {
      writeFileSync(cache, whole.subarray(0, bytes))
      expect(start().stdout, `${bytes} bytes`).toMatch(/^a /)
    }
    expect(statSync(cache).size).toBe(whole.length)
  })

  it('says the version without the bundle, and leaves every other word to it', () => {
    writeBundle('a')
    expect(start('--version').stdout).toMatch(/^a /)
    writeFileSync(join(root, 'package.json'), '{"version": "1.2.3"}')
    writeFileSync(join(root, 'dist', 'build-id'), '3f9c2a71')
    expect(start('--version').stdout).toBe('svc 1.2.3 (3f9c2a71)\n')
    expect(start('-V').stdout).toBe('svc 1.2.3 (3f9c2a71)\n')
    expect(start('--version', 'x').stdout).toMatch(/^a /)
    expect(start('run', '--version').stdout).toMatch(/^a /)
  })

  it('says what to do where nothing is built', () => {
    const result = start('--version')
    expect(result.status).toBe(70)
    expect(result.stderr).toContain('npm run build')
  })
})
