import { locate } from '../project/locate.ts'
import type { Asset, Project } from '../project/project.ts'
import type { SourceShapes } from '../source/source-shape.ts'
import type { ProjectCheck } from './check.ts'

const listedSources = 3

export const sourceColumnsUnknown: ProjectCheck = {
  code: 'source-columns-unknown',
  severity: 'information',
  scope: 'project',
  doc: 'The columns of a source are not known yet, so mistakes that rest on them are not seen; said once a project.',
  *run(asset, { unknownSources }) {
    if (unknownSources[0] !== asset) return
    yield {
      range: locate(asset, ['ingest'], 'key'),
      message: whatIsUnknown(unknownSources.map(({ name }) => name)),
      hint: 'The first "svc run" writes them to schemas.lock.json; until then name what matters in contract.columns.',
    }
  },
}

function whatIsUnknown(names: readonly string[]): string {
  if (names.length === 1) return 'the columns of this source are not known yet'
  const shown = names.slice(0, listedSources).join(', ')
  return `the columns of ${names.length} sources are not known yet: ${shown}${names.length > listedSources ? ', …' : ''}`
}

/** Enabled assets whose SQL reads a source of which nothing is known, in path order. */
export function assetsWithUnknownSource(project: Project, sources: SourceShapes): readonly Asset[] {
  return [...project.byName.values()].filter(
    ({ name, definition, sql }) =>
      definition.ingest.type !== 'none' &&
      sources.get(name) === undefined &&
      sql?.tags.some(tag => tag.kind === 'source') === true,
  )
}
