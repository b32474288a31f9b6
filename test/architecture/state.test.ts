import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stateTableFiles, stateTextFiles } from './state.ts'

const root = join(import.meta.dirname, '..', '..')

/** Words that people read. */
const texts = ['cli/commands/doctor-checks.ts', 'cli/render/init.ts']

it('names its tables nowhere but in its own folder and in the rooms of engines', () => {
  expect(stateTableFiles(root)).toEqual(texts)
})

it('has no SQL outside of the rooms of engines', () => {
  expect(stateTextFiles(root)).toEqual([])
})

describe('what is planted is found:', () => {
  let copy = ''

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'svc-state-'))
  })

  afterEach(() => rmSync(copy, { recursive: true }))

  function plant(file: string, text: string): void {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), text)
  }

  it('a statement about state in a run', () => {
    plant('cli/engine/run/x.ts', 'const sql = `SELECT asset FROM svc.svc_builds`')
    expect(stateTableFiles(copy)).toEqual(['cli/engine/run/x.ts'])
  })

  it('but a value that names a table is no statement', () => {
    plant('cli/engine/run/x.ts', "return [{ table: 'svc_rejects', facts }]")
    expect(stateTableFiles(copy)).toEqual([])
  })

  it.each(['`DELETE FROM x`', "'SELECT 1'", '`UPDATE x SET a = 1`', "'ALTER TABLE x'"])(
    'SQL among the records: %s',
    sql => {
      plant('cli/engine/state/x.ts', `// SELECT is a word\nconst sql = ${sql}`)
      expect(stateTextFiles(copy)).toEqual(['cli/engine/state/x.ts'])
    },
  )

  it('not in the room of an engine', () => {
    plant('cli/engine/warehouse/trino/x.ts', 'const sql = `SELECT asset FROM svc.svc_builds`')
    expect([...stateTableFiles(copy), ...stateTextFiles(copy)]).toEqual([])
  })
})
