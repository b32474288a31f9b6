/** `svc explain <key>`: every key of the reference is found, by its path and however people write it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keyPages, keyPaths } from '../../../server/language/index.ts'

const reference = readFileSync(join(import.meta.dirname, '../../../docs/reference.md'), 'utf8')

const found = (written: string) => keyPages(written).map(({ path, ofTypes }) => [path, ...ofTypes].join(' '))

describe('keyPages', () => {
  it('finds every key that has a section of the reference', () => {
    const titles = [...reference.matchAll(/^#{2,6} `([^`]+)`$/gm)].map(([, path = '']) => path)
    expect(titles.length).toBeGreaterThan(100)
    const lost = titles.filter(
      title => !keyPages(title).some(({ path }) => path === title.replaceAll('[]', '')),
    )
    expect(lost).toEqual([])
  })

  it('finds every path that it offers', () => {
    expect(keyPaths().filter(path => keyPages(path).length === 0)).toEqual([])
  })

  it('says of a key that is known and refused that it is not built yet', () => {
    for (const key of ['tests.anomaly', 'ingest.python'])
      expect(keyPages(key).map(({ notes }) => notes[0])).toEqual(['Not built yet, and refused.'])
    expect(keyPaths()).not.toContain('tests.anomaly')
  })

  it.each([
    ['contract', ['contract']],
    ['contract:', ['contract']],
    ['columns.amount.pii', ['columns.<column>.pii']],
    ['columns.<column>.pii', ['columns.<column>.pii']],
    ['columns.pii', ['columns.<column>.pii']],
    ['columns.amount', ['columns']],
    ['tests[].unique', ['tests.unique']],
    ['tests[0].unique', ['tests.unique']],
    ['publish.type', ['publish.<target>.type']],
    ['ingest.rest_api', ['ingest rest_api']],
    ['ingest.rest_api.auth', ['ingest.auth rest_api']],
    ['ingest.auth.token', ['ingest.auth.token bearer']],
    ['environments.prod.warehouse', ['environments.<environment>.warehouse']],
    ['not_null', ['tests.not_null']],
    ['discard_row', ['contract.evolution.tables', 'contract.evolution.columns', 'contract.evolution.types']],
    ['Deploy.Materialize', ['deploy.materialize']],
    ['nonsense', []],
    ['', []],
    ['.', []],
  ])('%s', (written, expected) => {
    expect(found(written)).toEqual(expected)
  })
})
