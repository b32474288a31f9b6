/** Keys of schema files that nothing here reads: each is told, so that none is lost in silence. */
import type { Notes } from './notes.ts'
import type { Part } from './yaml-part.ts'

const everywhere = ['name', 'description', 'config', 'meta', 'tags', 'tests', 'data_tests']

/** By what a schema file describes: the keys that are read. */
const read = {
  models: 'columns constraints versions latest_version docs group access alias v defined_in'.split(' '),
  sources: ['schema', 'tables', 'freshness', 'loaded_at_field', 'external_location', 'external'],
  tables: ['identifier', 'columns', 'freshness', 'loaded_at_field', 'external_location', 'external'],
  columns: ['constraints', 'include', 'exclude'],
  'columns of sources': ['data_type'],
} as const

export function noteUnknownKeys(notes: Notes, part: Part | undefined, what: keyof typeof read): void {
  const known: readonly string[] = [...everywhere, ...read[what]]
  for (const { key, at, value } of part?.entries() ?? []) {
    if (known.includes(key) || value.isNothing) continue
    notes.add('left_out', at, `"${key}" of ${what}`)
  }
  // Labels belong to assets here.
  const labels = part?.entries().find(({ key }) => key === 'tags')
  if (what.startsWith('columns') && labels !== undefined)
    notes.add('left_out', labels.at, `"tags" of ${what}`)
}
