import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  checkProject,
  createProject,
  engineOf,
  type Project,
  parseSettings,
} from '../../server/language/index.ts'
import { readMacros } from '../../server/workspace/read-macros.ts'

const root = join(import.meta.dirname, '..', '..')
const hash = (text: string) => createHash('sha256').update(text).digest('hex')

describe.each(['examples/flights', 'test/fixtures/shop'])('%s', folder => {
  const project = readProject(join(root, folder))

  it('has no problem that needs no catalogue to be seen', () => {
    const found = [...checkProject(project, undefined).values()].flat()
    expect(found.filter(({ severity }) => severity === 'error' || severity === 'warning')).toEqual([])
  })

  it('describes every asset', () => {
    const silent = [...project.byName.values()].filter(asset => asset.definition.description === undefined)
    expect(silent.map(asset => asset.name)).toEqual([])
  })
})

describe('the example shows all that is built:', () => {
  const assets = [...readProject(join(root, 'examples/flights')).byName.values()].map(
    asset => asset.definition,
  )
  const tests = assets.flatMap(asset => asset.tests)

  it('every kind of test and every option', () => {
    const kinds = [
      'unique',
      'not_null',
      'accepted_values',
      'relationships',
      'range',
      'matches',
      'row_count',
      'fresh',
    ]
    expect(new Set(tests.map(test => test.kind))).toEqual(new Set([...kinds, 'expression', 'sql', 'unit']))
    expect(tests.some(test => test.where !== undefined)).toBe(true)
    expect(tests.some(test => test.severity === 'warn')).toBe(true)
    expect(tests.some(test => test.warnIf !== undefined)).toBe(true)
    expect(tests.some(test => test.errorIf !== undefined)).toBe(true)
  })

  it('every kind of source and of table', () => {
    expect(new Set(assets.map(asset => asset.ingest.type))).toEqual(
      new Set(['file', 'rest_api', 'rows', 'none']),
    )
    expect(new Set(assets.map(asset => asset.deploy.materialize))).toEqual(
      new Set(['table', 'view', 'ephemeral']),
    )
  })

  it('freshness, contracts and exposures', () => {
    expect(assets.filter(asset => asset.freshness !== undefined).length).toBeGreaterThan(1)
    expect(assets.filter(asset => asset.contract !== undefined).length).toBeGreaterThan(1)
    expect(assets.filter(asset => asset.exposures.length > 0).length).toBeGreaterThan(1)
  })

  it('macros', () => {
    const macros = readMacros(join(root, 'examples/flights'), engineOf('duckdb:x')).macros
    expect(macros.byName.size).toBeGreaterThan(1)
  })
})

function readProject(folder: string): Project {
  const names = readdirSync(join(folder, 'models'), { recursive: true }).map(String)
  const files = names
    .filter(name => name.endsWith('.svc'))
    .map(name => `models/${name.replaceAll('\\', '/')}`)
    .map(path => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
  const settings = parseSettings(readFileSync(join(folder, 'svc.yaml'), 'utf8'))
  const { macros } = readMacros(folder, engineOf(settings.warehouse))
  return createProject({ settings, files, hash, macros })
}
