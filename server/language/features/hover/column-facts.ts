/**
 * The project's facts about one column: type, description, origin of its values, and whether they are
 * personal.
 */

import type { ColumnLineage, ColumnOrigin } from '../../analysis.ts'
import type { Engine } from '../../engines/engine.ts'
import type { Policy } from '../../glossary/glossary.ts'
import { appliesTo, inheritedTerm, type TermUse, termOf } from '../../glossary/terms.ts'
import { oncePer } from '../../once.ts'
import { isNamed, policyMarking } from '../../personal/marking.ts'
import { filesGround } from '../../personal/project-flow.ts'
import { personalRoots } from '../../personal/roots.ts'
import type { Asset } from '../../project/project.ts'
import type { ColumnDoc, ContractColumn, TestDefinition } from '../../schema/definition.ts'
import { promisedOf } from '../../source/table-contract.ts'
import { testColumns } from '../../tests/index.ts'
import type { Knowledge } from '../knowledge.ts'
import { outputColumns } from '../known-columns.ts'

export function typeOfColumn(
  knowledge: Knowledge,
  { asset, column, source }: ColumnOrigin,
): string | undefined {
  const { engine, byName } = knowledge.project
  const { sameName } = engine
  const holder = byName.get(asset)
  if (source === undefined) {
    return holder && outputColumns(knowledge, holder).find(({ name }) => sameName(name, column))?.type
  }
  const table = knowledge.sources.get(asset)?.find(({ child }) => (child ?? '') === source)
  const raw = table?.columns.find(({ name }) => sameName(name, column))
  return raw?.type ?? entryOf(knowledge, { asset, column, source })?.type
}

/** Returns what a file says of a column: its documentation, or the contract of its source. */
function entryOf(
  { project }: Knowledge,
  { asset, column, source }: ColumnOrigin,
): ColumnDoc | ContractColumn | undefined {
  const definition = project.byName.get(asset)?.definition
  if (definition === undefined) return undefined
  const entries: Readonly<Record<string, ColumnDoc | ContractColumn>> =
    source === undefined ? definition.columns : promisedOf(definition.contract, source).columns
  if (Object.hasOwn(entries, column)) return entries[column]
  return Object.entries(entries).find(([key]) => project.engine.sameName(key, column))?.[1]
}

function lineageOf(knowledge: Knowledge, asset: string, column: string): ColumnLineage | undefined {
  const { sameName } = knowledge.project.engine
  return knowledge.analysis.of(asset)?.lineage.find(line => sameName(line.column, column))
}

/** Returns the origin of a column that is passed through unchanged. */
function passedFrom(knowledge: Knowledge, { asset, column, source }: ColumnOrigin): ColumnOrigin | undefined {
  if (source !== undefined) return undefined
  const line = lineageOf(knowledge, asset, column)
  return line?.kind === 'direct' && line.from.length === 1 ? line.from[0] : undefined
}

export interface Described {
  readonly text: string
  /** The other asset that the description comes from, if any. */
  readonly from: string | undefined
}

const furthest = 50

/** Returns its own description, or the nearest one upstream of a column that it passes on. */
export function descriptionOf(knowledge: Knowledge, origin: ColumnOrigin): Described | undefined {
  let at: ColumnOrigin | undefined = origin
  for (let step = 0; at !== undefined && step < furthest; step++) {
    const said = entryOf(knowledge, at)?.description
    if (said !== undefined && said.trim() !== '') {
      return { text: said, from: at.asset === origin.asset ? undefined : at.asset }
    }
    at = passedFrom(knowledge, at)
  }
  return undefined
}

const personalData = oncePer(({ project, analysis }: Knowledge) =>
  personalRoots(filesGround(project, analysis, { declared: true, names: [] })),
)

/** Returns the columns that mark it as personal; empty if none does. */
export function personalBy(knowledge: Knowledge, origin: ColumnOrigin): readonly ColumnOrigin[] {
  const { asset, column, source } = origin
  const roots = personalData(knowledge)
  const marks = source === undefined ? roots.of(asset, column) : [roots.ofSource(asset, origin)]
  return marks.flatMap(mark => (mark?.grade === 'personal' ? [mark.root] : []))
}

export function termOfColumn(
  knowledge: Knowledge,
  { asset, column, source }: ColumnOrigin,
): TermUse | undefined {
  const holder = knowledge.project.byName.get(asset)
  if (holder === undefined || source !== undefined) return undefined
  const { glossary, project, analysis } = knowledge
  return termOf(glossary, holder, column) ?? inheritedTerm(project, analysis, holder, column)
}

/** Returns the glossary policies that apply to the column, by its name or because it is personal. */
export function policiesOf(knowledge: Knowledge, origin: ColumnOrigin, personal: boolean): readonly Policy[] {
  const asset = knowledge.project.byName.get(origin.asset)
  if (asset === undefined) return []
  return knowledge.glossary.policies.filter(policy => {
    if (policy.enforcement === 'off') return false
    const names = isNamed(policyMarking(policy), origin, knowledge.project.engine)
    return (
      names || (personal && policy.piiColumns.length === 0 && appliesTo(policy, knowledge.project, asset))
    )
  })
}

export function testsOn(asset: Asset, column: string, { sameName }: Engine): readonly TestDefinition[] {
  return asset.definition.tests.filter(test => testColumns(test).some(each => sameName(each, column)))
}

// ---------------------------------------------------------------- where it comes from

const mostLines = 12

/**
 * Returns lines such as `  - computed from orders.amount`, indented by the distance and cut when there are
 * many.
 */
export function originLines(
  knowledge: Knowledge,
  origin: ColumnOrigin,
  shown: (origin: ColumnOrigin) => string,
): readonly string[] {
  const lines: string[] = []
  const open = new Set<string>()
  const walk = (at: ColumnOrigin, depth: number): void => {
    if (at.source !== undefined || lines.length > mostLines) return
    const key = `${at.asset}\0${at.column.toLowerCase()}`
    const line = lineageOf(knowledge, at.asset, at.column)
    if (open.has(key) || line === undefined) return
    open.add(key)
    const how = line.kind === 'direct' ? 'is' : 'made of'
    for (const from of line.from) {
      lines.push(`${'  '.repeat(depth)}- ${how} ${shown(from)}`)
      walk(from, depth + 1)
    }
    open.delete(key)
  }
  walk(origin, 0)
  return lines.length > mostLines ? [...lines.slice(0, mostLines), '- …'] : lines
}
