import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Asset,
  type AssetFacts,
  checkProject,
  createProject,
  factsOf,
  parseAsset,
  parseSettings,
  storedAsset,
} from '@svc/server/language'
import { describe, expect, it } from 'vitest'
import { engine, reading } from '../../support/engine.ts'
import { hash } from '../../support/spec-project.ts'

const texts: Readonly<Record<string, string>> = {
  'models/plain.svc': "name: plain\ningest: none\ntransform: SELECT a FROM {{ ref('other') }}\n",
  'models/tags.svc': `name: tags
ingest: {type: rows, rows: [{a: 1, b: "\\ud83d\\ude00"}]}
transform: |
  SELECT {{ var('x') }} AS "日本", a
  FROM {{ source }} JOIN {{ ref('plain') }} USING (a)
tests:
  - sql: SELECT * FROM {{ this }} JOIN {{ ref('plain') }} USING (a)
  - relationships: {a: plain.a}
  - unique: [a, b]
freshness: {warn_after: 48h, error_after: 24h, column: nope}
contract: {required_columns: [c]}
`,
  'models/broken.svc': 'name: [\ntransfrom: x\n  - {{\n',
  'models/empty.svc': '',
  'models/unknown.svc':
    "name: x\ntransfrom: a\ningest: none\ntransform: SELECT 1 AS a, {{ nope }} FROM {{ ref('plain') }}",
  'models/names.svc':
    'name: names\ningest: {type: rows, rows: [{__proto__: 1, 7: .inf, 3: -0.0, "": 1e999}]}\ntransform: SELECT 1\n',
  'models/off.svc': 'name: off\ningest: none\ndeploy: {enabled: false}\ntransform: SELECT 1 AS a\n',
}

function example(): Record<string, string> {
  const folder = join(import.meta.dirname, '../../../examples/flights/models')
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path =>
    path.endsWith('.svc'),
  )
  return Object.fromEntries(paths.map(path => [`models/${path}`, readFileSync(join(folder, path), 'utf8')]))
}

/** As it is after a stay in a file. */
function revived(asset: Asset, parse = () => parseAsset(asset.path, asset.text, reading, hash)): Asset {
  const facts = JSON.parse(JSON.stringify(factsOf(asset, engine))) as AssetFacts
  const { path, text, textHash } = asset
  return storedAsset({ path, textHash, facts: () => facts, read: () => text, parse })
}

const all = { ...texts, ...example() }

describe('an asset made from facts', () => {
  it.each(Object.keys(all))('says what the parsed one says: %s', path => {
    const parsed = parseAsset(path, all[path] ?? '', reading, hash)
    const stored = revived(parsed)
    const { sql, testSql, refs } = parsed
    const plain = ({ path, text, textHash, tree, name, definition, diagnostics }: Asset) => ({
      path,
      text,
      textHash,
      tree,
      name,
      definition,
      diagnostics,
    })
    expect(plain(stored)).toEqual(plain(parsed))
    expect(stored.refs.map(({ name, from, range }) => ({ name, from, range }))).toEqual(
      refs.map(({ name, from, range }) => ({ name, from, range })),
    )
    expect(stored.sql?.tags).toEqual(sql?.tags)
    expect(stored.sql?.text).toBe(sql?.text)
    expect(stored.sql?.toFile.rangeToOriginal({ start: 3, end: 9 })).toEqual(
      sql?.toFile.rangeToOriginal({ start: 3, end: 9 }),
    )
    expect([...stored.testSql.keys()]).toEqual([...testSql.keys()])
    for (const [index, template] of testSql) expect(stored.testSql.get(index)?.text).toBe(template.text)
  })

  it('is checked like the parsed ones', () => {
    const settings = parseSettings('name: p\n')
    const parsed = createProject({
      settings,
      hash,
      files: Object.entries(all).map(([path, text]) => ({ path, text })),
    })
    const stored = createProject({
      settings,
      hash,
      files: [...parsed.assets.values()].map(asset => revived(asset)),
    })
    expect(checkProject(stored, undefined)).toEqual(checkProject(parsed, undefined))
    expect([...checkProject(parsed, undefined).values()].flat().length).toBeGreaterThan(5)
  })

  it('is not parsed for its graph, its definition and its problems', () => {
    const settings = parseSettings('name: p\n')
    const good = parseAsset('models/plain.svc', texts['models/off.svc'] ?? '', reading, hash)
    const asset = revived(good, () => {
      throw new Error('parsed')
    })
    const project = createProject({ settings, hash, files: [asset] })
    expect(checkProject(project, undefined).get('models/plain.svc')).toEqual([])
    expect(project.order).toEqual([])
    expect(asset.text).toBe(good.text)
    expect(() => asset.tree).toThrow('parsed')
  })

  it('is never made of a file with a credential', () => {
    const secret =
      'name: s\ningest: {type: rest_api, endpoint: "https://x.example", auth: {type: bearer, token: abcdefghij0123456789abcdefghij}}\ntransform: SELECT 1 AS a\n'
    expect(factsOf(parseAsset('models/s.svc', secret, reading, hash), engine)).toBeUndefined()
  })
})
