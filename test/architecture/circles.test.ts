import { describe, expect, it } from 'vitest'
import { filesInCircles, importsOfAll, sourceTexts } from '../../scripts/import-graph.mjs'

describe('files of the source', () => {
  it('do not need each other when they run, but for the grammar of SQL', () => {
    expect(filesInCircles(importsOfAll(sourceTexts()))).toEqual([])
  })

  it('that do are found, also by way of a third one', () => {
    const files = new Map([
      ['cli/a.ts', "import { b } from './b.ts'"],
      ['cli/b.ts', "export { c } from './c.ts'"],
      ['cli/c.ts', "import type { D } from './d.ts'\nimport './a.ts'"],
      ['cli/d.ts', "import { a } from './a.ts'"],
    ])
    expect(filesInCircles(importsOfAll(files))).toEqual([['cli/a.ts', 'cli/b.ts', 'cli/c.ts']])
  })
})
