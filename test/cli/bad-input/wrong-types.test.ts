/** Every key of an asset file and of svc.yaml with values that it does not take. */
import { parseSettings } from '@svc/server/language'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assetShape } from '../../../server/language/schema/asset-schema.ts'
import { settingsShape } from '../../../server/language/schema/settings-schema.ts'
import { type WrongValue, wrongValues } from '../../support/wrong-values.ts'
import { createGround, expectNoStack, expectRefusal, type Ground } from './command-line.ts'

const right = { name: 'asset_00000', ingest: { type: 'none' }, transform: 'SELECT 1 AS id' }

interface Diagnostic {
  readonly severity: string
  readonly message: string
  readonly start: { readonly line: number; readonly column: number }
  readonly end: { readonly line: number; readonly column: number }
}

interface Report {
  readonly files: readonly { readonly path: string; readonly diagnostics: readonly Diagnostic[] }[]
}

let ground: Ground

beforeAll(() => {
  ground = createGround({ 'svc.yaml': 'name: wrong\n' })
})

afterAll(() => ground.dispose())

function named({ at, value }: WrongValue): string {
  return `${at} = ${JSON.stringify(value)}`
}

describe('asset files', () => {
  it('say for each key that its value is wrong, on its place', async () => {
    const cases = wrongValues(assetShape, right)
    expect(cases.length).toBeGreaterThan(700)
    for (const [index, each] of cases.entries())
      ground.write(`models/${index}.svc`, ofItsOwn(each.text, index))
    const said = await ground.line(['validate', '--json'])
    expect(said.code).toBe(1)
    expectNoStack(said)
    const { files } = JSON.parse(said.stdout) as Report
    const byPath = new Map(files.map(file => [file.path, file.diagnostics]))
    const unseen = cases.filter((each, index) => {
      const errors = (byPath.get(`models/${index}.svc`) ?? []).filter(({ severity }) => severity === 'error')
      return !errors.some(({ start, end }) => start.column - 1 <= each.to && end.column - 1 >= each.from)
    })
    expect(unseen.map(named)).toEqual([])
    console.log(`${cases.length} wrong values`)
  })

  it('offer the nearest key for one that is misspelt, at every level', async () => {
    const levels: Record<string, [Record<string, unknown>, string]> = {
      top: [{ descripton: 'x' }, 'description'],
      ingest: [{ ingest: { type: 'rest_api', endpont: 'https://a.example', resource: 'x' } }, 'endpoint'],
      limits: [
        {
          ingest: {
            type: 'rest_api',
            endpoint: 'https://a.example',
            resource: 'x',
            limits: { retires: 3 },
          },
        },
        'retries',
      ],
      contract: [{ contract: { requird_columns: ['id'] } }, 'required_columns'],
      column: [{ contract: { columns: { id: { typ: 'bigint' } } } }, 'type'],
      deploy: [{ deploy: { materialise: 'view' } }, 'materialize'],
      test: [{ tests: [{ uniqe: 'id' }] }, 'unique'],
      exposure: [{ exposures: [{ name: 'B', type: 'dashboard', ulr: 'x' }] }, 'url'],
      freshness: [{ freshness: { warn_affter: '1h' } }, 'warn_after'],
    }
    const misspelt = createGround({ 'svc.yaml': 'name: misspelt\n' })
    try {
      for (const [level, [keys]] of Object.entries(levels)) {
        misspelt.write(`models/${level}.svc`, JSON.stringify({ ...right, name: level, ...keys }))
      }
      const said = await misspelt.line(['validate'])
      expectNoStack(said)
      expect(said.code).toBe(1)
      for (const [, nearest] of Object.values(levels)) {
        expect(said.stdout.replace(/[\s│]+/g, ' ')).toContain(`did you mean "${nearest}"?`)
      }
    } finally {
      misspelt.dispose()
    }
  })
})

/** Two assets of one name would be a mistake of its own. */
function ofItsOwn(text: string, index: number): string {
  return text.replace('asset_00000', `asset_${String(index).padStart(5, '0')}`)
}

describe('svc.yaml', () => {
  it('says for each key that its value is wrong, on its place', () => {
    const cases = wrongValues(settingsShape, {})
    expect(cases.length).toBeGreaterThan(40)
    const unseen = cases.filter(each => {
      const errors = parseSettings(each.text).diagnostics.filter(({ severity }) => severity === 'error')
      return !errors.some(({ range }) => range.start <= each.to && range.end >= each.from)
    })
    expect(unseen.map(named)).toEqual([])
    console.log(`${cases.length} wrong values`)
  })

  it('stops every command before anything is touched', async () => {
    const wrong = createGround({ 'svc.yaml': 'name: x\nwarehouse: [duckdb:other.duckdb]\n' })
    try {
      for (const command of ['init', 'plan', 'run', 'preview', 'rollback', 'status', 'test', 'freshness']) {
        expectRefusal(await wrong.line([command]), 2, 'svc.yaml:2:12', '"warehouse" must be text')
      }
    } finally {
      wrong.dispose()
    }
  })
})
