/** The limits of a source: its own, then those of `svc.yaml`, then the defaults. */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { limitedIngest, parseAsset, parseSettings } from '../../../server/language/index.ts'
import { reading } from '../../support/engine.ts'

function limitsOf(own: string, settings: string): Record<string, unknown> {
  const text = `name: a\ningest: {type: file, endpoint: data, resource: a.csv${own}}\ntransform: SELECT * FROM {{ source }}\n`
  const asset = parseAsset('models/a.svc', text, reading, input =>
    createHash('sha256').update(input).digest('hex'),
  )
  const read = parseSettings(settings)
  expect([...asset.diagnostics, ...read.diagnostics].filter(({ severity }) => severity === 'error')).toEqual(
    [],
  )
  return { ...(limitedIngest(asset, read) as { limits: object }).limits }
}

it('what svc.yaml says holds for every source that does not say it itself', () => {
  const settings = 'limits: {ingest: {ratio: 50, total: 5GB, max_rows: 7, timeout: 5s}}\n'
  expect(limitsOf('', settings)).toMatchObject({
    ratio: 50,
    totalBytes: 5e9,
    maxRows: 7,
    timeoutMs: 5000,
    concurrency: 4,
  })
  expect(limitsOf(', limits: {total: 1GB}', settings)).toMatchObject({ ratio: 50, totalBytes: 1e9 })
})

it('a default that an asset writes out is its own', () => {
  expect(limitsOf(', limits: {ratio: 300}', 'limits: {ingest: {ratio: 50}}\n')).toMatchObject({ ratio: 300 })
})

it('a limit that is none is told in svc.yaml', () => {
  expect(
    parseSettings('limits: {ingest: {ratio: much, ratios: 3}}\n').diagnostics.map(({ code }) => code),
  ).toEqual(['wrong-type', 'unknown-key'])
})
