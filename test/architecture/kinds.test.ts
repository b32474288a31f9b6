import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testKinds } from '../../server/language/index.ts'
import { namingFiles } from './kinds.ts'

const root = join(import.meta.dirname, '..', '..')
const names = testKinds.map(({ key }) => key.name)

describe('a kind of test', () => {
  it('is named in its room alone', () => {
    expect(namingFiles(root, names)).toEqual([])
  })

  it('has a file that is called after it', () => {
    const files = readdirSync(join(root, 'server', 'language', 'tests'))
    expect(files).toEqual(expect.arrayContaining(names.map(name => `${name.replaceAll('_', '-')}.ts`)))
  })
})

describe('a planted decision is found:', () => {
  let copy = ''

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'svc-kinds-'))
  })

  afterEach(() => rmSync(copy, { recursive: true }))

  function plant(file: string, text: string): void {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), text)
  }

  it.each([
    ['a comparison', "if (test.kind === 'unique') work()"],
    ['a negated one of what may be missing', "if (test?.kind !== 'range') work()"],
    ['a switch', 'switch (test.kind) {\n}'],
    ['a list of names', "const keys = ['not_null', 'unique']"],
    ['a table by name', 'const types = {\n  row_count: 1,\n}'],
    ['a table in one line', 'const types = { fresh: 1, accepted_values: 2 }'],
  ])('%s', (_, text) => {
    plant('cli/engine/run/x.ts', text)
    expect(namingFiles(copy, names)).toEqual(['cli/engine/run/x.ts'])
  })

  it('not in a comment, a room, a text, or of a unit test', () => {
    plant(
      'cli/engine/run/x.ts',
      "/** `not_null` */\nexport const hint = 'Add \"not_null: id\".' // 'not_null'\n",
    )
    plant('cli/engine/run/y.ts', "export const is = (test: Test) => test.kind === 'unit'")
    plant('server/language/tests/not-null.ts', "export const name = 'not_null'")
    expect(namingFiles(copy, names)).toEqual([])
  })

  it('but not that an expression is one', () => {
    plant('server/x.ts', "if (maker.kind === 'expression' || error.kind === 'unique') work()")
    expect(namingFiles(copy, names)).toEqual([])
  })
})
