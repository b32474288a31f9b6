/** The one description of every key: complete in itself, and the same as the schema that is published. */
import { join } from 'node:path'
import {
  assetJsonSchema,
  parseAsset,
  parseSettings,
  parseYaml,
  referencePage,
  settingsJsonSchema,
} from '@svc/server/language'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { assetShape } from '../../../server/language/schema/asset-schema.ts'
import { fallbackOf, plainValue } from '../../../server/language/schema/read-value.ts'
import { settingsShape } from '../../../server/language/schema/settings-schema.ts'
import { isBuilt, type Key, type Shape } from '../../../server/language/schema/shape.ts'
import { reading } from '../../support/engine.ts'
import { fuzzSeeds } from '../../support/fuzz-seeds.ts'
import { hash } from '../../support/spec-project.ts'

const root = join(import.meta.dirname, '../../..')

function parse(text: string) {
  return parseAsset('models/a.svc', text, reading, hash)
}

const model = (more: string) => `name: a\ningest: none\ntransform: SELECT 1\n${more}`

/** Every key of a shape with its way from the top. */
function allKeys(shape: Shape, at = ''): { key: Key; path: string }[] {
  switch (shape.kind) {
    case 'object':
      return shape.keys.flatMap(key => [
        { key, path: `${at}.${key.name}` },
        ...allKeys(key.shape, `${at}.${key.name}`),
      ])
    case 'variants':
      return shape.variants.flatMap(each =>
        allKeys({ kind: 'object', keys: each.keys }, `${at}(${each.value})`),
      )
    case 'list':
    case 'record':
    case 'shorthand':
      return allKeys(shape.of, at)
    default:
      return []
  }
}

describe('the description itself', () => {
  const keys = [...allKeys(assetShape), ...allKeys(settingsShape, 'svc.yaml')]

  it('has a sentence for every key', () => {
    for (const { key, path } of keys) expect(key.doc, path).toMatch(/^[A-Z\w].*[.]$/)
  })

  it('has defaults that its own shapes accept', () => {
    for (const { key, path } of keys)
      if (key.default !== undefined) expect(fallbackOf(key), path).toBeDefined()
  })

  it('refuses every key that is not built, by name', () => {
    const deploy = assetShape.keys.find(key => key.name === 'deploy')?.shape
    const inDeploy = deploy?.kind === 'object' ? deploy.keys : []
    const later = inDeploy.filter(key => !isBuilt(key)).map(key => key.name)
    expect(later).toContain('strategy')
    for (const name of later) {
      const text = model(`deploy: {${name}: x}\n`)
      const messages = parse(text).diagnostics.map(each => `${each.code}: ${each.message}`)
      expect(messages).toEqual([`not-built-yet: "deploy.${name}" is not built yet`])
    }
  })

  it('is on the reference page, key by key', () => {
    const page = referencePage()
    for (const { key, path } of keys) expect(page, path).toContain(`\`${key.name}\``)
    expect(page).not.toMatch(/undefined|\[object/)
  })
})

describe('JSON Schema', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false })
  const isAsset = ajv.compile(assetJsonSchema())
  const isSettings = ajv.compile(settingsJsonSchema())

  const valid = [
    ...fuzzSeeds(root),
    model('tests: [{unique: [a, b]}, {range: {a: {min: 0}}}, {fresh: {column: a, within: 1h}}]\ntags: x\n'),
  ]
  it.each(valid.map((text, index) => [index, text] as const))(
    'accepts valid file %i, as the parser does',
    (_index, text) => {
      expect(parse(text).diagnostics).toEqual([])
      expect(isAsset(plainValue(parseYaml(text).root)) || isAsset.errors).toBe(true)
    },
  )

  const contracts = [
    'evolution: freeze',
    'evolution: {tables: discard_value, columns: discard_row, types: evolve}',
    'max_rejects: 0',
    'max_rejects: 0.5%',
  ]
  it.each(contracts)('takes, as the parser does: contract: {%s}', text => {
    const whole = model(`contract: {${text}}\n`)
    expect(parse(whole).diagnostics).toEqual([])
    expect(isAsset(plainValue(parseYaml(whole).root)) || isAsset.errors).toBe(true)
  })

  const invalid = [
    model('tagz: [a]\n'),
    model('deploy: {materialize: incremental}\n'),
    model('publish: {crm: {typ: http}}\n'),
    model('publish: {crm: {type: ftp}}\n'),
    model('publish: {crm: {type: http, mode: sometimes}}\n'),
    model('publish: {crm: {type: http, batch: 0}}\n'),
    model('tests: [{unique: a, not_null: b}]\n'),
    model('tests: [{severity: warn}]\n'),
    model('freshness: {column: a}\n'),
    model('contract: {evolution: frozen}\n'),
    model('contract: {evolution: {tables: none}}\n'),
    model('contract: {max_rejects: many}\n'),
    model('contract: {max_rejects: -1}\n'),
    'name: a\ningest: {type: sql, endpoint: x}\ntransform: SELECT 1\n',
    'name: a\ningest: {type: rest_api, endpoint: "https://x.example"}\ntransform: SELECT 1\n',
    'name: 1a\ningest: none\ntransform: SELECT 1\n',
    'ingest: none\ntransform: SELECT 1\n',
    'name: a\ningest: none\ntransform: {python: x}\n',
  ]
  it.each(invalid)('refuses, as the parser does: %s', text => {
    expect(parse(text).diagnostics).not.toEqual([])
    expect(isAsset(plainValue(parseYaml(text).root))).toBe(false)
  })

  it('of settings agrees with the reader', () => {
    const good =
      'name: x\nwarehouse: duckdb:./w.duckdb\nenvironments: {dev: {schema: x, vars: {a: 1}}}\nvars: {b: null}\n'
    expect(parseSettings(good).diagnostics).toEqual([])
    expect(isSettings(plainValue(parseYaml(good).root)) || isSettings.errors).toBe(true)
    for (const bad of [
      'ai: {provider: x}',
      'ai: {api_key: sk-x}',
      'warehouse: mysql://x',
      'vars: {a: []}',
      'environments: {Prod: {}}',
    ]) {
      expect(parseSettings(bad).diagnostics, bad).not.toEqual([])
      expect(isSettings(plainValue(parseYaml(bad).root)), bad).toBe(false)
    }
  })
})
