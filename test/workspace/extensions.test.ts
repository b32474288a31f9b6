/** Extensions of a project whose engine has none. */
import { expect, it } from 'vitest'
import { duckdb } from '../../server/language/engines/duckdb/duckdb.ts'
import { parseSettings } from '../../server/language/index.ts'
import { readExtensions } from '../../server/workspace/index.ts'

it('each is a problem at its place, whoever asks', async () => {
  const text = 'name: shop\nextensions: [json, icu]\n'
  const plain = { ...duckdb, label: 'Plain', extensions: undefined }
  for (const [rights, severity] of [
    ['none', 'warning'],
    ['installed', 'warning'],
    ['install', 'error'],
  ] as const) {
    const { load, diagnostics } = await readExtensions('.', parseSettings(text), plain, rights, new Map())
    expect(load).toEqual([])
    expect(diagnostics.map(({ range }) => text.slice(range.start, range.end))).toEqual(['json', 'icu'])
    expect(diagnostics[1]).toMatchObject({
      code: 'extension-not-loaded',
      severity,
      path: 'svc.yaml',
      message:
        'the extension icu is not loaded: the engine of this project is Plain, of which svc loads none',
    })
  }
})

it('none that are named are none that are missing', async () => {
  const plain = { ...duckdb, label: 'Plain', extensions: undefined }
  const read = await readExtensions('.', parseSettings('name: shop\n'), plain, 'install', new Map())
  expect(read).toEqual({ load: [], diagnostics: [] })
})
