/** `svc.yaml`, and the texts of a certain form that keys take. */
import { type Diagnostic, parseSettings } from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { postgres } from '../../../server/language/engines/postgres/postgres.ts'
import { parseDuration, parseRate, parseThreshold } from '../../../server/language/schema/formats.ts'
import { engine } from '../../support/engine.ts'

function shown(text: string, diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(
    each => `${each.code} [${text.slice(each.range.start, each.range.end)}] ${each.message}`,
  )
}

describe('settings', () => {
  it('have every default without a file', () => {
    expect(parseSettings(undefined)).toEqual({
      ai: {},
      defaults: [],
      ownTests: { files: new Map(), byName: new Map() },
      name: 'project',
      warehouse: 'duckdb:./warehouse.duckdb',
      environment: 'dev',
      engine,
      engines: new Map([['dev', engine]]),
      defaultSchema: 'analytics',
      models: 'models/',
      environments: {},
      vars: {},
      destinations: {},
      notify: {},
      extensions: [],
      limits: {
        sql: { timeMs: 2000, memoryBytes: 512_000_000, characters: 500_000, tests: 4000 },
        ingest: {},
      },
      diagnostics: [],
    })
    expect(parseSettings('# only a comment\n')).toMatchObject(parseSettings(undefined))
  })

  it.each([
    ['warehouse: postgres://localhost/shop', postgres],
    ['warehouse: postgresql:///shop?host=/tmp', postgres],
    ['warehouse: env:SHOP', postgres],
    ['warehouse: env:FILE', engine],
    ['warehouse: env:UNSET', engine],
    ['warehouse: env:UNSET\nenvironments: {prod: {warehouse: env:SHOP}}', postgres],
    ['environments: {prod: {warehouse: postgres://db/shop}}', engine],
    ['environments: {dev: {warehouse: postgres://db/shop}}', postgres],
  ])('have the engine of the warehouse: %s', (text, wanted) => {
    const settings = parseSettings(text, { SHOP: 'postgresql://me@db/shop', FILE: 'duckdb:./shop.duckdb' })
    expect(settings.engine).toBe(wanted)
    expect(settings.diagnostics).toEqual([])
  })

  it('have the engine of the environment, and those of all that they name', () => {
    const text =
      'warehouse: duckdb:./a.duckdb\nenvironments: {prod: {warehouse: env:SHOP}, late: {warehouse: env:UNSET}, night: {vars: {a: 1}}}'
    const enginesOf = (environment?: string) =>
      parseSettings(text, { SHOP: 'postgres://db/shop' }, environment).engine.kind
    expect([undefined, 'dev', 'prod', 'night', 'other', 'late'].map(enginesOf)).toEqual([
      'duckdb',
      'duckdb',
      'postgres',
      'duckdb',
      'duckdb',
      'duckdb',
    ])
    const { engines } = parseSettings(text, { SHOP: 'postgres://db/shop' })
    expect([...engines].map(([name, each]) => `${name} ${each?.kind}`)).toEqual([
      'dev duckdb',
      'prod postgres',
      'late undefined',
      'night duckdb',
    ])
    const bare = parseSettings('environments: {dev: {warehouse: "duckdb:a"}}\nwarehouse: postgres://db/shop')
    expect([...bare.engines.keys()]).toEqual(['dev', 'prod'])
  })

  it('are read', () => {
    const settings = parseSettings(
      'name: shop\nwarehouse: env:WH\ndefault_schema: mart\nmodels: ./assets\nvars: {a: 1}\nenvironments:\n  staging: {warehouse: "duckdb:./s.duckdb", vars: {a: 2}}\n',
    )
    expect(settings).toMatchObject({
      name: 'shop',
      warehouse: 'env:WH',
      defaultSchema: 'mart',
      models: 'assets/',
      environments: { staging: { warehouse: 'duckdb:./s.duckdb', vars: { a: 2 } } },
      vars: { a: 1 },
      diagnostics: [],
    })
  })

  it('have limits of which some, or none, are right', () => {
    const limitsIn = (text: string) => parseSettings(text).limits.sql
    const usual = { timeMs: 2000, memoryBytes: 512_000_000, characters: 500_000, tests: 4000 }
    expect(limitsIn('limits: {sql: {time: 500ms, memory: 1.5GB, length: 900000, tests: 1}}')).toEqual({
      timeMs: 500,
      memoryBytes: 1_500_000_000,
      characters: 900_000,
      tests: 1,
    })
    for (const wrong of ['limits: {sql: {time: 5, memory: much}}', 'limits: 5', 'limits: {sql: []}', '5'])
      expect(limitsIn(wrong)).toEqual(usual)
  })

  it('refuse by name what they do not know', () => {
    const text =
      'ai: {api_key: sk-x}\nwarehouse: mysql://x\nmodels: ../x\nenvironments: {Prod!: {}}\nwarehous: y\n'
    expect(shown(text, parseSettings(text).diagnostics).map(each => each.replace(/\] .*/, ']'))).toEqual([
      'wrong-value [sk-x]',
      'wrong-value [mysql://x]',
      'wrong-value [../x]',
      'invalid-name [Prod!]',
      'unknown-key [warehous]',
    ])
  })

  it.each(['[]', 'x', '- a', '"', '{', 'vars: []'])('never throw and stay filled: %s', text => {
    const { diagnostics, file: _file, ...settings } = parseSettings(text)
    expect(diagnostics.length).toBeGreaterThan(0)
    expect({ ...settings, diagnostics: [] }).toEqual(parseSettings(undefined))
  })
})

describe('formats', () => {
  it('durations, rates and thresholds', () => {
    expect(
      ['90s', '30m', '12h', '7d', '1w', '250ms', '1.5h', '12', 'h', '-1s', ''].map(parseDuration),
    ).toEqual([
      90_000,
      1_800_000,
      43_200_000,
      604_800_000,
      604_800_000,
      250,
      5_400_000,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(['10/s', '120/m', '0/s', '10'].map(parseRate)).toEqual([10, 2, undefined, undefined])
    expect(['> 10', '<=0', '<> 1', '10'].map(parseThreshold)).toEqual([
      { operator: '>', value: 10 },
      { operator: '<=', value: 0 },
      { operator: '!=', value: 1 },
      undefined,
    ])
  })
})
