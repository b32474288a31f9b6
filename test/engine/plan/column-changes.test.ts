/** What a changed asset does to its columns: names and types are compared as the engine compares them. */
import { type AssetAnalysis, type Column, createProject, parseSettings } from '@svc/server/language'
import { expect, it } from 'vitest'
import { columnChanges } from '../../../cli/engine/plan/column-changes.ts'

const project = createProject({
  settings: parseSettings(undefined),
  files: [{ path: 'models/a.svc', text: 'name: a\ningest: none\ntransform: SELECT 1 AS x\n' }],
  hash: text => text,
})

function changes(before: readonly Column[], after: readonly Column[]): readonly string[] {
  const analysis: AssetAnalysis = {
    name: 'a',
    columns: after,
    complete: true,
    lineage: [],
    rowUses: [],
    uses: [],
    diagnostics: [],
    volatile: false,
  }
  return columnChanges(project, { of: name => (name === 'a' ? analysis : undefined) }, 'a', before).map(
    ({ kind, column }) => `${kind} ${column}`,
  )
}

it('another spelling of a type is no change', () => {
  const before = [
    { name: 'a', type: 'struct(x int, "y" decimal(4, 1)[])' },
    { name: 'b', type: 'timestamptz' },
    { name: 'c', type: 'TEXT' },
  ]
  const after = [
    { name: 'a', type: 'STRUCT(x INTEGER, y DECIMAL(4,1)[])' },
    { name: 'b', type: 'TIMESTAMP WITH TIME ZONE' },
    { name: 'c', type: 'VARCHAR' },
  ]
  expect(changes(before, after)).toEqual([])
})

it('another type deep inside is one', () => {
  const before = [{ name: 'a', type: 'STRUCT(x INTEGER)[]' }]
  expect(changes(before, [{ name: 'a', type: 'STRUCT(x BIGINT)[]' }])).toEqual(['retyped a'])
})

it('names that differ in the case of other letters than A to Z are two', () => {
  const type = 'INTEGER'
  expect(changes([{ name: 'ID', type }], [{ name: 'id', type }])).toEqual([])
  expect(changes([{ name: 'É', type }], [{ name: 'é', type }])).toEqual(['added é', 'removed É'])
})
