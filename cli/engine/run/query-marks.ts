/**
 * Which columns of a query over live builds are personal. The query comes from a file, perhaps an unsaved one, but
 * its values from builds: a column is personal if the files or the builds say so, and all of them are where the
 * builds have other columns than the files.
 */
import {
  type Asset,
  type ColumnOrigin,
  knownDefinitionHash,
  lineageCalled,
  type Project,
  type ProjectAnalysis,
  queryMarks,
  readableOrigins,
  wholeMarking,
} from '@svc/server/language'
import { type BuildMarks, hasColumnsOf, readBuildMarks } from '../quality/build-marks.ts'
import { isHarmless, personalColumns } from '../quality/personal-columns.ts'
import type { BuildRecord, StateSnapshot } from '../state/state.ts'
import type { StateReader } from '../state/state-store.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface QueryGround {
  readonly store: StateReader
  readonly workspace: Workspace
  /** The project with the asset as its text now stands. */
  readonly project: Project
  readonly asset: Asset
  readonly analysis: ProjectAnalysis
  readonly state: StateSnapshot
  /** The builds that the query reads, by asset. */
  readonly builds: ReadonlyMap<string, BuildRecord>
}

export interface PersonalInQuery {
  isPersonal(column: string): boolean
  /** Whether a message of the engine may quote personal values. */
  readonly inMessages: boolean
}

export async function personalInQuery(ground: QueryGround): Promise<PersonalInQuery> {
  const { store, workspace, project, asset, analysis, state, builds } = ground
  const parents = [...new Set((asset.sql?.tags ?? []).flatMap(tag => (tag.kind === 'ref' ? [tag.name] : [])))]
  const keys = [asset.name, ...parents].flatMap(name => builds.get(name)?.build_key ?? [])
  const marks = await readBuildMarks(store, workspace, { state, keys })
  const files = personalColumns(project, analysis)
  const inFile = files.of(asset.name)
  if (!marks.any && inFile.size === 0) return { isPersonal: () => false, inMessages: false }
  if (!parents.every(name => isAsBuilt(ground, builds.get(name))))
    return { isPersonal: () => true, inMessages: true }
  const carries = originReader(ground, marks)
  const inMessages =
    files.inMessages(asset.name) ||
    (asset.sql !== undefined && queryMarks({ project, analysis, carries }, asset, asset.sql).inMessages)
  return {
    inMessages,
    isPersonal(name) {
      if (inFile.has(name.toLowerCase())) return true
      const line = lineageCalled(analysis.of(asset.name)?.lineage ?? [], name, project.engine)
      if (line === undefined) return true
      return !isHarmless(asset, name, project.engine) && readableOrigins(line).some(carries)
    },
  }
}

function originReader({ project, asset, builds }: QueryGround, marks: BuildMarks) {
  const marking = wholeMarking(project.glossary.policies)
  const flow = marks.flow(marking)
  return ({ asset: of, column, source }: ColumnOrigin): boolean => {
    const key = builds.get(source === undefined ? of : asset.name)?.build_key
    if (key === undefined) return true
    return source === undefined
      ? flow.of(key, column)?.grade === 'personal'
      : marks.isPersonalRaw(key, source, column, marking)
  }
}

/** Returns whether a build has the columns that its file has, in their order, and a view its query. */
function isAsBuilt({ workspace, project, analysis }: QueryGround, build: BuildRecord | undefined): boolean {
  const asset = project.byName.get(build?.asset ?? '')
  if (build === undefined || asset === undefined) return false
  const hash = knownDefinitionHash(asset, project.engine, workspace.environment.vars, sha256)
  return (build.sql === null || hash === build.definition_hash) && hasColumnsOf(build, analysis)
}
