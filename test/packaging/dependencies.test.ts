/** What is installed and shipped is written down: addresses and hashes, reasons and licences. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'))

interface LockEntry {
  readonly name?: string
  readonly link?: boolean
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

describe('package-lock.json', () => {
  const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, LockEntry>> }
  const entries = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link !== true,
  )

  /** Looks as Node does: beside the package, then beside each that it is in. */
  function isThere(path: string, name: string): boolean {
    const here = path === '' ? `node_modules/${name}` : `${path}/node_modules/${name}`
    if (here in packages) return true
    return path !== '' && isThere(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name)
  }

  it('names the address of every package at the public registry', () => {
    for (const [path, { name, version, resolved }] of entries) {
      const wanted = name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      expect(resolved, path).toBe(
        `https://registry.npmjs.org/${wanted}/-/${wanted.slice(wanted.lastIndexOf('/') + 1)}-${version}.tgz`,
      )
    }
  })

  it('has the native parts of all platforms, also of those that it was not made on', () => {
    for (const [path, { optionalDependencies = {} }] of Object.entries(packages))
      for (const name of Object.keys(optionalDependencies))
        expect(isThere(path, name), `${path}: ${name}`).toBe(true)
  })

  it('has a hash of every package, native parts of other platforms included', () => {
    for (const [path, { integrity }] of entries)
      expect(integrity, path).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
  })
})

describe('docs/dependencies.md', () => {
  const rows = [
    ...readFileSync(join(root, 'docs', 'dependencies.md'), 'utf8').matchAll(
      /^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm,
    ),
  ]
  const listed = new Map(rows.map(([, name = '', license = '']) => [name, license]))

  it('lists every dependency once, with its licence and the reason for it', () => {
    const workspaces = ['', 'server/', 'cli/', 'webview/', 'extension/', 'hosted-api/']
    const wanted = workspaces.flatMap(workspace => {
      const manifest = read(`${workspace}package.json`) as Readonly<
        Record<string, Readonly<Record<string, string>>>
      >
      return ['dependencies', 'optionalDependencies', 'devDependencies'].flatMap(kind =>
        Object.keys(manifest[kind] ?? {}),
      )
    })
    const names = [...new Set(wanted)].filter(name => !name.startsWith('@svc/'))
    expect([...listed.keys()].sort()).toEqual(names.sort())
    expect(rows).toHaveLength(names.length)
  })

  it.each([...listed])('%s is under %s', (name, license) => {
    const folder = ['', 'cli/', 'server/', 'hosted-api/']
      .map(place => join(root, place, 'node_modules', name, 'package.json'))
      .find(path => existsSync(path))
    if (folder === undefined) return
    // Some packages still write the older form with a list.
    const { license: own, licenses = [] } = JSON.parse(readFileSync(folder, 'utf8'))
    expect(own ?? licenses[0]?.type).toBe(license)
  })
})
