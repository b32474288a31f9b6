import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sourceKinds } from '../../server/language/index.ts'
import { plantedFiles } from './planted-files.ts'
import { decidingFiles } from './source-kinds.ts'

const root = join(import.meta.dirname, '..', '..')
const kinds = sourceKinds.map(({ variant }) => variant.value)

describe('a kind of source', () => {
  it('is decided on in its rooms alone', () => {
    expect(decidingFiles(root, kinds)).toEqual([])
  })

  it('has a file that is called after it', () => {
    const files = readdirSync(join(root, 'server', 'language', 'sources'))
    expect(files).toEqual(expect.arrayContaining(kinds.map(kind => `${kind.replaceAll('_', '-')}.ts`)))
  })
})

describe('a planted decision is found:', () => {
  const planted = plantedFiles()

  it.each([
    ['a comparison', "if (ingest.type === 'file') work()"],
    ['a negated one of what may be missing', "if (asset?.definition.ingest?.type !== 'rest_api') work()"],
    ['a switch', 'switch (asset.definition.ingest.type) {\n}'],
  ])('%s', (_, text) => {
    planted.plant('cli/engine/run/x.ts', text)
    expect(decidingFiles(planted.root, kinds)).toEqual(['cli/engine/run/x.ts'])
  })

  it('not where a room asks, or where anybody asks whether there is a source', () => {
    planted.plant('cli/engine/run/x.ts', "if (ingest.type === 'none') return")
    planted.plant('server/language/sources/file.ts', "if (ingest.type === 'file') work()")
    expect(decidingFiles(planted.root, kinds)).toEqual([])
  })
})
