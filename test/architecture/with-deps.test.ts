import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const script = join(import.meta.dirname, '..', '..', 'scripts', 'with-deps.mjs')
let project = ''

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'svc-with-deps-'))
  mkdirSync(join(project, 'scripts'))
  copyFileSync(script, join(project, 'scripts', 'with-deps.mjs'))
  writeLock('package-lock.json', {
    'node_modules/a': { integrity: 'one' },
    'node_modules/b': { optional: true },
  })
})

afterEach(() => rmSync(project, { recursive: true }))

describe('a command of the project', () => {
  it('runs at once when everything is installed, and hands on the exit code', () => {
    install({ 'node_modules/a': { integrity: 'one' } })
    const { status, stderr, stdout } = withDeps('node', '-e', 'console.log("ran"); process.exit(7)')
    expect({ status, stdout, stderr }).toEqual({ status: 7, stdout: 'ran\n', stderr: '' })
    expect(npmRuns()).toBe(false)
  })

  it('installs first when nothing is installed', () => {
    const { status, stdout, stderr } = withDeps('node', '-e', 'console.log("ran")')
    expect(stderr).toBe('Installing dependencies (npm ci)…\n')
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'ran\n' })
    expect(npmRuns()).toBe(true)
    expect(existsSync(join(project, '.installing'))).toBe(false)
  })

  it('says which native package is missing after an installation, and which came without a hash', () => {
    const here = { os: [process.platform], cpu: [process.arch], optional: true, version: '1.0.0' }
    writeLock('package-lock.json', {
      'node_modules/a': { integrity: 'one' },
      'node_modules/@x/native': here,
      'node_modules/@x/native-musl': {
        ...here,
        libc: ['musl'],
        resolved: 'https://x.example/native-musl.tgz',
      },
      'node_modules/@x/elsewhere': { ...here, os: ['plan9'] },
      'node_modules/@x/unchecked': { ...here },
    })
    install({ 'node_modules/a': { integrity: 'zero' }, 'node_modules/@x/unchecked': { integrity: 'two' } })
    const { status, stderr } = withDeps('node', '-e', '0')
    expect(status).toBe(0)
    expect(stderr).toContain('@x/native 1.0.0 is for this machine and not installed')
    expect(stderr).toContain('@x/unchecked 1.0.0 was installed without a hash to compare')
    expect(stderr).not.toContain('elsewhere')
    // A hash that the lock does not have is none that differs.
    install({ 'node_modules/a': { integrity: 'one' }, 'node_modules/@x/unchecked': { integrity: 'two' } })
    expect(withDeps('node', '-e', '0').stderr).toBe('')
  })

  it('installs again when package-lock.json has another version', () => {
    install({ 'node_modules/a': { integrity: 'zero' } })
    expect(withDeps('node', '-e', '0').status).toBe(0)
    expect(npmRuns()).toBe(true)
  })

  it('takes over from a process that died while it installed', () => {
    mkdirSync(join(project, '.installing'))
    writeFileSync(join(project, '.installing', 'pid'), '999999999')
    const { status, stderr } = withDeps('node', '-e', '0')
    expect(status).toBe(0)
    expect(stderr).toContain('Waiting for another process')
  })

  it('builds what is native only for who needs it, and goes on without it', () => {
    install({ 'node_modules/a': { integrity: 'one' } })
    mkdirSync(join(project, 'node_modules', 'sqlite3'))
    expect(withDeps('node', '-e', '0').stderr).toBe('')
    expect(npmRuns()).toBe(false)
    const first = withDeps('--native', 'node', '-e', 'console.log("ran")', { fail: true })
    expect([first.status, first.stdout]).toEqual([0, 'ran\n'])
    expect(first.stderr).toBe(
      'Building sqlite3 (a minute or two)…\nsqlite3 cannot be built here: what needs it is left out (see above)\n',
    )
    expect(withDeps('--native', 'node', '-e', '0').stderr).toBe('')
  })

  it('builds again, for who measures, what was built quickly for tests', () => {
    install({ 'node_modules/a': { integrity: 'one' } })
    const built = join(project, 'node_modules', 'sqlite3', 'build', 'Release')
    mkdirSync(built, { recursive: true })
    const quick = () => withDeps('--native=quick', 'node', '-e', '0').stderr
    const whole = () => withDeps('--native', 'node', '-e', '0').stderr
    expect(quick()).toBe('Building sqlite3 (half a minute)…\n')
    writeFileSync(join(built, 'node_sqlite3.node'), '')
    expect(quick()).toBe('')
    expect(whole()).toBe('Building sqlite3 (a minute or two)…\n')
    expect([whole(), quick()]).toEqual(['', ''])
  })

  it('says in one line that a program is missing', () => {
    install({ 'node_modules/a': { integrity: 'one' } })
    const { status, stderr } = withDeps('no-such-program')
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr: 'error: no-such-program is not installed or not on the path\n',
    })
  })

  it('says in one line that npm failed', () => {
    const { status, stderr } = withDeps('node', '-e', '0', { fail: true })
    expect(status).toBe(3)
    expect(stderr).toContain('error: npm ci failed with exit code 4; what it says is above')
    expect(existsSync(join(project, '.installing'))).toBe(false)
  })
})

/** Runs the script with a stand-in for npm that leaves a mark instead of downloading. */
function withDeps(...words: readonly (string | { readonly fail: boolean })[]) {
  const fails = words.some(word => typeof word === 'object')
  const npm = join(project, 'npm-cli.js')
  writeFileSync(npm, `require('node:fs').writeFileSync('npm-ran', ''); process.exit(${fails ? 4 : 0})`)
  return spawnSync(
    process.execPath,
    [join(project, 'scripts', 'with-deps.mjs'), ...words.filter(word => typeof word === 'string')],
    { cwd: project, encoding: 'utf8', env: { ...process.env, npm_execpath: npm } },
  )
}

function npmRuns(): boolean {
  return existsSync(join(project, 'npm-ran'))
}

function install(packages: object): void {
  mkdirSync(join(project, 'node_modules'), { recursive: true })
  writeLock(join('node_modules', '.package-lock.json'), packages)
}

function writeLock(path: string, packages: object): void {
  writeFileSync(join(project, path), JSON.stringify({ packages: { '': {}, ...packages } }))
}
