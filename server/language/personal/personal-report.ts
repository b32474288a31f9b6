/** Where the personal data of a project begins, where it flows, and which policies, destinations and exposures it meets. */

import type { JsonOf } from '../../contract/index.ts'
import type { ColumnOrigin, ProjectAnalysis } from '../analysis.ts'
import { publishedColumns, readTarget, targetNames } from '../destinations/target.ts'
import type { Engine } from '../engines/engine.ts'
import { getOrInsertComputed } from '../get-or-insert.ts'
import type { Policy } from '../glossary/glossary.ts'
import { appliesTo } from '../glossary/terms.ts'
import { valueCalled } from '../names/called.ts'
import { oncePer } from '../once.ts'
import type { Asset, Project } from '../project/project.ts'
import type { ContractColumn } from '../schema/definition.ts'
import type { SourceShapes } from '../source/source-shape.ts'
import { promisedTables, type TablePromises } from '../source/table-contract.ts'
import { appliesAtDoor } from './at-the-door.ts'
import { forbids } from './breach.ts'
import { coversSource, declaredMarks, markedSource } from './facts.ts'
import type { Mark } from './flow.ts'
import { isNamed, policyMarking, wholeMarking } from './marking.ts'
import { filesGround } from './project-flow.ts'
import { type PersonalRoots, personalRoots, type RootMark, rootKey } from './roots.ts'

type JsonMark = JsonOf<'policy-report'>['marks'][number]

export type ReportedFlow = Omit<JsonMark['flows'][number], 'masked'>

export interface ReportedMark {
  readonly root: ColumnOrigin
  /** Whether a file marks it; otherwise only policies name it. */
  readonly isDeclared: boolean
  /** The names of the policies that are about it. */
  readonly policies: readonly string[]
  readonly flows: readonly ReportedFlow[]
  /** Columns that personal data flows into and where its mark ends. */
  readonly exemptions: JsonMark['exemptions']
  readonly destinations: JsonMark['destinations']
  readonly exposures: JsonMark['exposures']
}

export interface PersonalReport {
  /** In the order of the project, those of a source before those of its asset. */
  readonly marks: readonly ReportedMark[]
  /** Assets that may have further columns, of which nothing is known yet. */
  readonly unknown: readonly string[]
}

export interface ReportGround {
  readonly project: Project
  readonly analysis: ProjectAnalysis
  readonly sources: SourceShapes
}

export function personalReport(ground: ReportGround): PersonalReport {
  const { project, analysis } = ground
  const reporter = new Reporter(ground)
  for (const name of project.order) {
    const asset = project.byName.get(name)
    if (asset !== undefined) reporter.addAsset(asset)
  }
  const isUnknown = (name: string) =>
    project.byName.get(name)?.sql !== undefined && analysis.of(name)?.complete !== true
  return { marks: reporter.marks(), unknown: project.order.filter(isUnknown) }
}

interface Found {
  readonly root: ColumnOrigin
  readonly flows: ReportedFlow[]
  readonly exemptions: JsonMark['exemptions'][number][]
  readonly destinations: JsonMark['destinations'][number][]
}

class Reporter {
  readonly #ground: ReportGround
  readonly #whole: PersonalRoots
  readonly #watched: readonly { readonly policy: Policy; readonly roots: PersonalRoots }[]
  readonly #found = new Map<string, Found>()

  constructor(ground: ReportGround) {
    const { project, analysis } = ground
    const { policies } = project.glossary
    const rootsFor = (marking: ReturnType<typeof policyMarking>) =>
      personalRoots(filesGround(project, analysis, marking))
    this.#ground = ground
    this.#whole = rootsFor(wholeMarking(policies))
    this.#watched = policies.map(policy => ({ policy, roots: rootsFor(policyMarking(policy)) }))
  }

  addAsset(asset: Asset): void {
    const { project, analysis } = this.#ground
    const columns = columnsOf(asset, analysis, project)
    for (const root of this.#sourceRoots(asset, columns)) this.#at(root)
    const doors = doorsOf(asset, columns, project)
    for (const column of columns) {
      for (const mark of this.#whole.of(asset.name, column)) {
        const found = this.#at(mark.root)
        const flow = { asset: asset.name, column, grade: gradeOf(mark) }
        const applying = this.#policiesAt(mark, column, asset, policy => appliesTo(policy, project, asset))
        found.flows.push({ ...flow, ...applying })
        for (const { target, type, columns: sent } of doors)
          if (sent.includes(column)) {
            const watching = this.#policiesAt(mark, column, asset, policy =>
              appliesAtDoor(policy, project, asset, target),
            )
            found.destinations.push({ ...flow, target, type, ...watching })
          }
      }
      for (const { root } of this.#whole.endedAt(asset.name, column))
        this.#at(root).exemptions.push({
          asset: asset.name,
          column,
          reason: reasonOf(asset, column, project),
        })
    }
  }

  marks(): readonly ReportedMark[] {
    const { project } = this.#ground
    const place = new Map(project.order.map((name, index) => [name, index]))
    return [...this.#found.values()]
      .sort((a, b) => (place.get(a.root.asset) ?? 0) - (place.get(b.root.asset) ?? 0))
      .map(found => ({
        ...found,
        isDeclared: this.#isDeclared(found.root),
        policies: project.glossary.policies
          .filter(policy => this.#covers(policy, found.root))
          .map(({ name }) => name),
        exposures: exposuresOf(found, project),
      }))
  }

  #at(root: ColumnOrigin): Found {
    const key = rootKey(root, this.#ground.project.engine)
    return getOrInsertComputed(this.#found, key, () => ({
      root,
      flows: [],
      exemptions: [],
      destinations: [],
    }))
  }

  /** Returns the marked columns of the source, those that no SQL reads among them. */
  #sourceRoots(asset: Asset, columns: readonly string[]): readonly ColumnOrigin[] {
    const { sources, project } = this.#ground
    const { engine } = project
    const raw = (sources.get(asset.name) ?? []).flatMap(({ child, columns }) =>
      columns
        .filter(({ system }) => !system)
        .map(({ name }): ColumnOrigin => ({ asset: asset.name, column: name, source: child ?? '' })),
    )
    const known = raw.filter(origin => this.#whole.ofSource(asset.name, origin) !== undefined)
    // The columns that the asset's SQL reads, if what the source has is not known.
    const read = columns
      .flatMap(column => this.#whole.of(asset.name, column))
      .flatMap(({ root }) => (root.asset === asset.name && root.source !== undefined ? [root] : []))
    const unseen = promisedTables(asset.definition.contract).flatMap(({ child, columns }) =>
      Object.entries(columns).flatMap(([name, column]) => {
        const marked = markedSource(onlyColumn(child, name, column))
        const isSeen = [...known, ...read].some(each =>
          coversSource(marked, each.source, each.column, engine),
        )
        return column.pii && !isSeen ? [{ asset: asset.name, column: name, source: child ?? '' }] : []
      }),
    )
    return [...known, ...unseen]
  }

  #policiesAt(
    mark: RootMark,
    column: string,
    asset: Asset,
    applies: (policy: Policy) => boolean,
  ): Pick<ReportedFlow, 'policies' | 'breaches'> {
    const watched = this.#watched.filter(({ policy }) => applies(policy))
    const broken = watched.filter(({ policy, roots }) =>
      roots.of(asset.name, column).some(own => forbids(policy, own) && this.#isOf(own, mark)),
    )
    const broad = watched.filter(each => broken.includes(each) || this.#covers(each.policy, mark.root))
    return {
      policies: broad.map(({ policy }) => policy.name),
      breaches: broken.map(({ policy }) => policy.name),
    }
  }

  /** A policy that names columns may begin further down than the mark of a file. */
  #isOf(own: Mark, { root }: Mark): boolean {
    const { engine } = this.#ground.project
    const [key, ownKey] = [rootKey(root, engine), rootKey(own.root, engine)]
    if (key === ownKey) return true
    if (own.root.source !== undefined) return false
    const above = this.#whole.of(own.root.asset, own.root.column)
    return above.some(each => rootKey(each.root, engine) === key)
  }

  #covers(policy: Policy, root: ColumnOrigin): boolean {
    const marking = policyMarking(policy)
    const isMeant = marking.declared && this.#isDeclared(root)
    return isMeant || isNamed(marking, root, this.#ground.project.engine)
  }

  #isDeclared(root: ColumnOrigin): boolean {
    const { byName, engine } = this.#ground.project
    const asset = byName.get(root.asset)
    if (asset === undefined) return false
    const { columns, source } = marksOf(asset, engine)
    return root.source === undefined
      ? valueCalled(columns, root.column, engine) === true
      : coversSource(source, root.source, root.column, engine)
  }
}

/** Many columns are asked about, and the marks of a file are those of all of them. */
const marksOf = oncePer((asset: Asset, engine: Engine) => declaredMarks(asset, engine))

function gradeOf({ grade, isDirect }: RootMark): ReportedFlow['grade'] {
  if (grade === 'derived') return 'derived'
  return isDirect ? 'direct' : 'changed'
}

/** Returns every column that the asset has or may have, in order. */
function columnsOf(asset: Asset, analysis: ProjectAnalysis, { engine }: Project): readonly string[] {
  const known = analysis.of(asset.name)
  const names = [
    ...(known?.columns ?? []).map(({ name }) => name),
    ...(known?.lineage ?? []).map(({ column }) => column),
    ...Object.keys(asset.definition.columns),
    // A marked column of the source usually keeps its name, if the columns are not known.
    ...(known?.complete === true
      ? []
      : markedSource(asset.definition.contract).filter(name => !name.includes('.'))),
  ]
  return [...new Map(names.toReversed().map(name => [engine.fold(name), name])).values()].toReversed()
}

function doorsOf(asset: Asset, columns: readonly string[], { settings, engine }: Project) {
  return targetNames(asset).map(name => {
    const { target } = readTarget(asset, name, settings)
    const sent = target === undefined ? columns : publishedColumns(target, columns, engine)
    return { target: name, type: target?.type ?? null, columns: sent }
  })
}

function reasonOf(asset: Asset, column: string, { engine }: Project) {
  const written = Object.entries(asset.definition.columns).some(
    ([name, { pii }]) => pii === false && engine.sameName(name, column),
  )
  return written ? 'pii: false' : 'k_anonymity'
}

function exposuresOf({ flows }: Found, { byName }: Project): JsonMark['exposures'] {
  return [...new Set(flows.map(({ asset }) => asset))].flatMap(asset => {
    const columns = flows.filter(flow => flow.asset === asset).map(({ column }) => column)
    const exposures = byName.get(asset)?.definition.exposures ?? []
    return exposures.map(({ name, type, url = null }) => ({ asset, name, type, url, columns }))
  })
}

/** Returns a contract that says nothing but this. */
function onlyColumn(child: string | undefined, name: string, column: ContractColumn): TablePromises {
  const columns = { [name]: column }
  return child === undefined
    ? { columns, tables: {} }
    : { columns: {}, tables: { [child]: { columns, requiredColumns: [] } } }
}
