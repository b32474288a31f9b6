/** What a dbt project may have besides models, tests and the like, and svc has not. */
import type { DbtProject } from './dbt-project.ts'
import { ownerIn } from './exposures.ts'
import type { NoteLevel } from './notes.ts'
import { startOf } from './notes.ts'
import { filesOf } from './packages.ts'
import { snapshotHint } from './references.ts'
import { parseYamlFile } from './yaml-part.ts'

const kinds: Readonly<Record<string, readonly [NoteLevel, string, string]>> = {
  metrics: ['left_out', 'a metric', 'Describe it under metrics of glossary.yaml, with its SQL.'],
  semantic_models: ['left_out', 'a semantic model', 'Its metrics are described in glossary.yaml.'],
  saved_queries: ['left_out', 'a saved query', 'Make it an asset if somebody reads it.'],
}

/** Keys of dbt_project.yml whose effect on the rows is more than none. */
const projectKeys: Readonly<Record<string, readonly [NoteLevel, string, string]>> = {
  'on-run-start': ['todo', 'what runs before all models', 'svc has no hooks: run it before "svc run".'],
  'on-run-end': ['todo', 'what runs after all models', 'svc has no hooks: run it after "svc run".'],
  quoting: ['left_out', 'quoting', 'Names are compared without case.'],
  'query-comment': ['left_out', 'comments of queries', 'svc writes none.'],
}

export function noteLeftovers(project: DbtProject): void {
  const { files, index, notes, packages } = project
  for (const { kind, part } of index.others) {
    const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    // Owners of groups are read where a model belongs to one.
    if (kind === 'groups') ownerIn(notes, part)
    if (known === undefined) continue
    notes.add(known[0], part.site, known[1], { hint: known[2] })
    part.settle()
  }
  for (const [name, site] of index.snapshots) {
    notes.add('todo', site, `the snapshot ${name}: svc has none yet`, { hint: snapshotHint })
  }
  for (const of of packages) {
    for (const entry of of.settings.entries()) {
      const known = Object.hasOwn(projectKeys, entry.key) ? projectKeys[entry.key] : undefined
      if (known === undefined || entry.value.isNothing) continue
      notes.add(known[0], entry.at, known[1], { hint: known[2] })
      entry.value.settle()
    }
    for (const path of filesOf(files, of, 'functions', ['.sql', '.py']))
      notes.add('todo', startOf({ path, text: '' }), 'a function of the warehouse', {
        hint: 'Make it by hand in the warehouse, before the first run.',
      })
    if (!of.isRoot) continue
    noteOwnFiles(project)
    for (const path of filesOf(files, of, 'analyses', ['.sql'])) {
      notes.add('left_out', startOf({ path, text: '' }), 'an analysis', {
        hint: 'Its SQL may be run by a client of the warehouse; what others read is an asset.',
      })
    }
  }
}

/** Files beside the settings that say what dbt runs, and where models of other projects are. */
function noteOwnFiles({ files, notes }: DbtProject): void {
  if (files.has('selectors.yml'))
    notes.add('left_out', startOf({ path: 'selectors.yml', text: '' }), 'selectors of dbt', {
      hint: 'What they name is chosen with --select: docs/commands.md.',
    })
  const others = files.has('dependencies.yml')
    ? parseYamlFile(files.read('dependencies.yml')).get('projects')
    : undefined
  for (const each of others?.items() ?? []) {
    const name = each.get('name')?.text ?? ''
    notes.add('todo', each.site, `the project ${name}, whose models are not here`, {
      hint: 'Read its tables as sources: ingest: {type: sql, …}.',
    })
  }
}
