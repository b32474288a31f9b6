/** What svc.yaml may name as an extension comes from the engines; one of them may have none. */
import { describe, expect, it } from 'vitest'
import { duckdb } from '../../../server/language/engines/duckdb/duckdb.ts'
import type { Engine } from '../../../server/language/engines/engine.ts'
import { extensibleEngines, extensionHint } from '../../../server/language/engines/extensions.ts'
import { extensionsKey } from '../../../server/language/schema/extensions-schema.ts'
import { type Reading, readValue } from '../../../server/language/schema/read-value.ts'
import { object } from '../../../server/language/schema/shape.ts'
import { parseYaml } from '../../../server/language/syntax/yaml.ts'

const without: Engine = { ...duckdb, label: 'Plain', extensions: undefined }
const other: Engine = {
  ...duckdb,
  label: 'Other',
  extensions: {
    names: { pattern: '[A-Z]+', rule: 'is made of capital letters' },
    fileEnding: '.so',
    namedAlone: 'Other has all that there are',
    knows: () => true,
    ofFunction: name => (name === 'far' ? 'GEO' : undefined),
    ofType: () => undefined,
  },
}

function problems(engines: readonly Engine[], extensions: string): readonly string[] {
  const text = `extensions: ${extensions}\n`
  const { root } = parseYaml(text)
  if (root === undefined) throw new Error('the text is no YAML')
  const reading: Reading = { text, problems: [] }
  readValue(reading, object({ extensions: extensionsKey(engines) }), root, '')
  return reading.problems.map(({ message }) => message)
}

describe('the key extensions', () => {
  it('is the same beside an engine that has none', () => {
    expect(extensionsKey([duckdb, without])).toEqual(extensionsKey([duckdb]))
  })

  it('takes the names and files of every engine that has some', () => {
    const both = [duckdb, without, other]
    const list = '[spatial, GEO, {name: GEO, path: a/b.so}, {name: x, path: x.duckdb_extension}]'
    expect(problems(both, list)).toEqual([])
    expect(problems([duckdb], list)).toHaveLength(3)
    const [name, path, ...rest] = problems(both, '[{name: Geo, path: geo.dll}]')
    expect(name).toContain('begins with a letter, or is made of capital letters')
    expect(path).toContain('ends in .duckdb_extension or .so')
    expect(rest).toEqual([])
  })

  it('tells of all of them', () => {
    const { doc } = extensionsKey([duckdb, without, other])
    expect(doc).toContain('Extensions of DuckDB or Other whose functions')
    expect(extensibleEngines([without, duckdb])).toBe('DuckDB')
  })
})

it('a hint names the engine', () => {
  expect(extensionHint(other, 'GEO', ['A'])).toBe(
    "it is in Other's extension GEO: add `extensions: [A, GEO]` to svc.yaml",
  )
})

describe('the extension of a name', () => {
  it.each([
    ['st_point', 'spatial'],
    ['ST_Area', 'spatial'],
    ['upper', undefined],
  ])('function %s: %s', (name, extension) => {
    expect(duckdb.extensions?.ofFunction(name)).toBe(extension)
  })

  it('a type', () => {
    expect(duckdb.extensions?.ofType('Inet')).toBe('inet')
    expect(duckdb.extensions?.ofType('integer')).toBe(undefined)
  })
})
