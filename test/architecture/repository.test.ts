import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sourceFiles } from './imports.ts'

const root = join(import.meta.dirname, '..', '..')
const workspaces = ['server', 'cli', 'webview', 'extension', 'hosted-api']
const sources = [...workspaces, 'test'].flatMap(folder => sourceFiles(join(root, folder)))
const scripts = readdirSync(join(root, 'scripts'), { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name))

describe('files', () => {
  it('are short enough to read', () => {
    const long = [...sources, ...scripts].filter(path => {
      const text = readFileSync(path, 'utf8')
      return text.split('\n').length > 500 && !text.startsWith('// Generated')
    })
    expect(long.map(path => relative(root, path))).toEqual([])
  })

  it('have names that say what they hold', () => {
    const vague = /(^|[-/])(utils?|commons?|helpers?|managers?|misc)([-./]|$)/
    expect(sources.map(path => relative(root, path)).filter(path => vague.test(path))).toEqual([])
  })

  it('lie in folders, but for what has to be in the root', () => {
    const committed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
    const atTop = new Set(committed.filter(path => path !== '').map(path => path.split('/')[0]))
    const folders = [...workspaces, '.ci', '.vscode', 'docs', 'examples', 'scripts', 'test']
    const pages = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CHOICES.md', 'LICENSE', 'README.md']
    const settings = [
      '.gitignore',
      '.npmrc',
      'biome.json',
      'package-lock.json',
      'package.json',
      'tsconfig.json',
    ]
    const programs = ['esbuild.mjs', 'vitest.config.ts']
    expect([...atTop].sort()).toEqual([...folders, ...pages, ...settings, ...programs].sort())
  })
})

describe('packages', () => {
  it('all have the version of the project', () => {
    const versions = ['.', ...workspaces].map(folder => manifest(folder).version)
    expect(new Set(versions).size).toBe(1)
  })

  it('name each other by that version', () => {
    const { version } = manifest('.')
    const named = workspaces.flatMap(folder => Object.entries(manifest(folder).dependencies ?? {}))
    expect(named.filter(([name, wanted]) => name.startsWith('@svc/') && wanted !== version)).toEqual([])
  })

  it('run on the Node version that the project promises', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
    const tooNew = Object.entries(lock.packages)
      .filter(([, entry]) => needsNewerNode(entry.engines?.node))
      .map(([path, entry]) => `${basename(path)} needs Node ${entry.engines?.node}`)
    expect(tooNew).toEqual([])
  })
})

describe('package-lock.json', () => {
  it('names the packages of every platform, not only of the one that wrote it', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
    const missing = Object.values(packages)
      .flatMap(entry => Object.keys(entry.optionalDependencies ?? {}))
      .filter(name => packages[`node_modules/${name}`] === undefined)
    expect(missing).toEqual([])
  })
})

describe('the script that CI runs', () => {
  it('can be executed and calls what a person calls', () => {
    const text = readFileSync(join(root, '.ci', 'run'), 'utf8')
    expect(text).toMatch(/^npm run --silent demo -- --check$/m)
    expect(text).toMatch(/^npm test/m)
  })

  it('finds every script that package.json names', () => {
    const named = Object.values(manifest('.').scripts ?? {}).flatMap(
      text => text.match(/scripts\/[\w-]+\.mjs/g) ?? [],
    )
    expect(named.filter(path => !existsSync(join(root, path)))).toEqual([])
  })
})

interface Manifest {
  readonly version: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly engines?: { readonly node?: string }
        readonly optionalDependencies?: Readonly<Record<string, string>>
      }
    >
  >
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
}

/** True when no part of a range such as `^18 || ^20.19 || >=22` allows Node 20.17. */
function needsNewerNode(range: string | undefined): boolean {
  if (range === undefined) return false
  return !range.split('||').some(part => allows(part.trim()))
}

function allows(part: string): boolean {
  const [, operator = '', major = '0', minor = '0'] =
    /^([\^~>=<]*)\s*v?(\d+|\*)(?:\.(\d+|x|\*))?/.exec(part) ?? []
  if (major === '*' || part === '') return true
  const sameMajor = Number(major) === 20 && (Number(minor) || 0) <= 17
  if (operator.startsWith('>')) return Number(major) < 20 || sameMajor
  return operator.startsWith('<') ? Number(major) > 20 : sameMajor
}
