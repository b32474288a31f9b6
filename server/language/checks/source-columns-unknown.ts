import { occurrencesIn } from '../features/names/occurrences.ts'
import { locate } from '../project/locate.ts'
import type { Asset, Project } from '../project/project.ts'
import { addBlock, isFlow, yamlScalar } from '../project/yaml-edits.ts'
import type { Ingest } from '../schema/definition.ts'
import type { SourceShapes } from '../source/source-shape.ts'
import type { ProjectCheck } from './check.ts'
import { type Problem, type Remedy, remedy } from './fix.ts'

const listedSources = 3

export const sourceColumnsUnknown: ProjectCheck = {
  code: 'source-columns-unknown',
  severity: 'information',
  doc: 'The columns of a source are not known yet, so mistakes that depend on them are not seen; reported once per project.',
  *run(asset, { unknownSources }) {
    if (unknownSources[0] !== asset) return
    yield {
      range: locate(asset, ['ingest'], 'key'),
      message: whatIsUnknown(unknownSources.map(({ name }) => name)),
      hint: 'The first "svc run" writes them to schemas.lock.json; until then name what matters in contract.columns.',
    }
  },
  fix: nameColumns,
}

function whatIsUnknown(names: readonly string[]): string {
  if (names.length === 1) return 'the columns of this source are not known yet'
  const shown = names.slice(0, listedSources).join(', ')
  return `the columns of ${names.length} sources are not known yet: ${shown}${names.length > listedSources ? ', …' : ''}`
}

/** Returns the enabled assets whose SQL reads a source of which nothing is known, in path order. */
export function assetsWithUnknownSource(project: Project, sources: SourceShapes): readonly Asset[] {
  return [...project.byName.values()].filter(
    // The SQL of an asset without a source is not touched, because that would read it from the cache.
    asset =>
      readsSomething(asset.definition.ingest) &&
      sources.get(asset.name) === undefined &&
      asset.sql?.tags.some(tag => tag.kind === 'source') === true,
  )
}

function readsSomething(ingest: Ingest): boolean {
  return ingest.type !== 'none' && !('resource' in ingest && ingest.resource === '')
}

/** Adds the columns that the SQL reads to the contract; the first run adds their types. */
function nameColumns({ knowledge, path }: Problem, asset: Asset): readonly Remedy[] {
  if (asset.tree === undefined || isFlow(asset, asset.tree) || asset.definition.contract !== undefined)
    return []
  const read = occurrencesIn(knowledge, path).flatMap(({ subject }) =>
    subject.kind === 'raw' && subject.asset === asset.name && subject.child === '' ? [subject.column] : [],
  )
  const names = [...new Map(read.map(name => [name.toLowerCase(), name])).values()].filter(
    name => !name.startsWith('_svc_'),
  )
  if (names.length === 0) return []
  const lines = ['contract:', '  columns:', ...names.map(name => `    ${yamlScalar(name)}: {}`)]
  const what = names.length === 1 ? `the column ${names[0]}` : `the ${names.length} columns`
  const title = `Name ${what} that the file reads in contract.columns`
  return remedy(title, path, addBlock(asset, lines, ['name', 'description', 'owner', 'tags', 'ingest']))
}
