/**
 * The personal data in builds, by the marks and the lineage that are stored with them (decisions 8, "Personal
 * data"): what is shown of a build is masked by the build, whatever its file says now. Where nothing is known of
 * a build, all of it is personal.
 */
import {
  type Asset,
  type DeclaredMarks,
  declaredMarks,
  factsOfFiles,
  hasMarks,
  isMarkedAtSource,
  knownDefinitionHash,
  type Marking,
  namesPersonal,
  noMarks,
  type PersonalFacts,
  type PersonalFlow,
  type ProjectAnalysis,
  personalFlow,
} from '@svc/server/language'
import { reachableBuilds } from '../state/reachable-builds.ts'
import type { BuildLineage, BuildRecord, LineageRecord, MarksRecord, StateSnapshot } from '../state/state.ts'
import type { StateReader } from '../state/state-store.ts'
import { sha256 } from '../workspace/open-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface BuildMarks {
  /** False if no file, no policy and no build knows of any personal data. */
  readonly any: boolean
  /** Returns the first asset among a build and what it was made of whose lineage is not known. */
  unknownIn(buildKey: string): string | undefined
  /** Returns how personal data flows through builds; its keys are build keys. */
  flow(marking: Marking): PersonalFlow
  /** Returns whether a column of the raw load of a build is personal. */
  isPersonalRaw(buildKey: string, child: string | undefined, column: string, marking: Marking): boolean
}

/** The lineage and the marks of builds, by build key. */
export interface NewMarks {
  readonly lineage: readonly LineageRecord[]
  readonly marks: readonly MarksRecord[]
}

export interface BuildGround {
  readonly state: Pick<StateSnapshot, 'builds'>
  /** What is about to be stored. */
  readonly fresh?: NewMarks | undefined
  /** The keys of the builds in question; what they were built from is found. */
  readonly keys: Iterable<string>
}

export async function readBuildMarks(
  store: StateReader,
  workspace: Workspace,
  { state, keys, fresh }: BuildGround,
): Promise<BuildMarks> {
  const { project, environment } = workspace
  const stored = [...withoutKeys(await store.marks(), environment.stateName, fresh), ...(fresh?.marks ?? [])]
  const any = namesPersonal(project) || stored.some(({ marks }) => hasMarks(marks))
  if (!any) return noBuildMarks
  const closure = [...reachableBuilds(keys, state.builds)]
  const lineage = new Map(await store.lineage(closure))
  for (const each of fresh?.lineage ?? []) lineage.set(each.build_key, each.lineage)
  const analysis = await workspace.analysis()
  const marksOf = storedMarks(stored, environment.stateName)
  const known = new Map<string, PersonalFacts | undefined>()
  const factsOf = (key: string) => {
    if (!known.has(key)) {
      const build = state.builds.get(key)
      const facts = build && factsOfBuild(workspace, analysis, state, build, lineage.get(key), marksOf(key))
      known.set(key, facts)
    }
    return known.get(key)
  }
  const { engine } = project
  return {
    any,
    unknownIn: key =>
      [...reachableBuilds([key], state.builds)].flatMap(each => {
        const build = state.builds.get(each)
        return build?.part === 'model' && factsOf(each) === undefined ? [build.asset] : []
      })[0],
    flow: marking => personalFlow({ engine, marking, factsOf, unknownIsPersonal: true }),
    isPersonalRaw(key, child, column, marking) {
      const facts = factsOf(key)
      if (facts === undefined) return true
      const origin = { asset: facts.asset, column, source: child ?? '' }
      return isMarkedAtSource(facts.declared, marking, origin, engine)
    },
  }
}

const noBuildMarks: BuildMarks = {
  any: false,
  unknownIn: () => undefined,
  flow: () => ({ of: () => undefined, ofOrigin: () => undefined }),
  isPersonalRaw: () => false,
}

function withoutKeys(
  stored: readonly MarksRecord[],
  environment: string,
  fresh: NewMarks | undefined,
): readonly MarksRecord[] {
  if (fresh === undefined || fresh.marks.length === 0) return stored
  const keys = new Set(fresh.marks.map(({ build_key }) => build_key))
  return stored.filter(each => each.environment !== environment || !keys.has(each.build_key))
}

function factsOfBuild(
  workspace: Workspace,
  analysis: ProjectAnalysis,
  state: BuildGround['state'],
  build: BuildRecord,
  lineage: BuildLineage | undefined,
  marks: DeclaredMarks | undefined,
): PersonalFacts | undefined {
  const parents = new Map(
    build.pins.flatMap(key => {
      const pinned = state.builds.get(key)
      return pinned?.part === 'model' ? [[pinned.asset, key] as const] : []
    }),
  )
  const parent = (asset: string) => parents.get(asset)
  if (lineage !== undefined) {
    const { columns, complete } = lineage
    return { asset: build.asset, lineage: columns, complete, declared: marks ?? noMarks, parent }
  }
  const asset = fileOf(workspace, analysis, build)
  const facts = asset && factsOfFiles(() => asset, workspace.project.engine, analysis)(build.asset)
  return facts && { ...facts, declared: marks ?? facts.declared, parent }
}

/** Returns the file of a build without stored lineage if it is still what was built, with the same columns. */
function fileOf(
  { project, environment }: Workspace,
  analysis: ProjectAnalysis,
  build: BuildRecord,
): Asset | undefined {
  const asset = project.byName.get(build.asset)
  if (asset === undefined) return undefined
  const hash = knownDefinitionHash(asset, project.engine, environment.vars, sha256)
  return hash === build.definition_hash && hasColumnsOf(build, analysis) ? asset : undefined
}

/** Returns whether the file of a build has its columns, in their order. */
export function hasColumnsOf({ asset, columns: built }: BuildRecord, analysis: ProjectAnalysis): boolean {
  const columns = analysis.of(asset)?.columns ?? []
  return columns.length === built.length && columns.every(({ name }, index) => name === built[index]?.name)
}

/**
 * Returns the marks of a build in this environment. If this environment has not stored any, those of all others
 * count together.
 */
export function storedMarks(
  records: readonly MarksRecord[],
  environment: string,
): (key: string) => DeclaredMarks | undefined {
  const own = new Map<string, DeclaredMarks>()
  const others = new Map<string, DeclaredMarks>()
  for (const { environment: where, build_key: key, marks } of records) {
    if (where === environment) own.set(key, marks)
    else others.set(key, united(others.get(key), marks))
  }
  return key => own.get(key) ?? others.get(key)
}

function united(a: DeclaredMarks | undefined, b: DeclaredMarks): DeclaredMarks {
  if (a === undefined) return b
  const columns: Record<string, boolean> = { ...a.columns }
  for (const [name, isPersonal] of Object.entries(b.columns))
    columns[name] = columns[name] === true || isPersonal
  // A mask counts where all of them have it.
  const masked = a.masked?.filter(name => b.masked?.includes(name)) ?? []
  return {
    columns,
    source: [...new Set([...a.source, ...b.source])],
    ...(masked.length > 0 && { masked }),
  }
}

/** Returns the marks that the file of an asset declares now. */
export function marksOfFile({ project }: Pick<Workspace, 'project'>, name: string): DeclaredMarks {
  const asset = project.byName.get(name)
  return asset === undefined ? noMarks : declaredMarks(asset, project.engine)
}
