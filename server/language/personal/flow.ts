/**
 * Follows personal data through the lineage of columns (decisions 8, "Personal data"). A mark has a grade:
 * `personal` where a value or a part of it can be read, `derived` where it only decides, counts or is compared.
 * In doubt the mark stays.
 */
import type { ColumnOrigin } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import { lineageCalled, valueCalled } from '../names/called.ts'
import { isMarkedAtSource, isMaskedAtSource, type PersonalFacts } from './facts.ts'
import { isNamed, type Marking } from './marking.ts'

export type Grade = 'personal' | 'derived'

export interface Mark {
  readonly grade: Grade
  /** The column that the personal data comes from. */
  readonly root: ColumnOrigin
}

export interface PersonalFlow {
  /** Returns the mark of an output column; undefined if it has none. `key` names the facts of its asset. */
  of(key: string, column: string): Mark | undefined
  /** Returns the mark of a column that the asset with these facts reads. */
  ofOrigin(key: string, origin: ColumnOrigin): Mark | undefined
}

export interface FlowGround {
  readonly engine: Engine
  readonly marking: Marking
  readonly factsOf: (key: string) => PersonalFacts | undefined
  /** Whether a column is personal if nothing is known of it; a project whose files are wrong reports that itself. */
  readonly unknownIsPersonal: boolean
}

export function personalFlow(ground: FlowGround): PersonalFlow {
  const { engine, factsOf } = ground
  const known = new Map<string, Map<string, Mark | undefined>>()
  const flow: PersonalFlow = {
    of(key, column) {
      const marks = known.get(key) ?? new Map<string, Mark | undefined>()
      known.set(key, marks)
      const name = engine.fold(column)
      if (marks.has(name)) return marks.get(name)
      // Assets that read each other in a circle end here.
      marks.set(name, undefined)
      const facts = factsOf(key)
      const mark =
        facts === undefined ? unknownMark(ground, key, column) : ownMark(ground, flow, { key, facts }, column)
      marks.set(name, mark)
      return mark
    },
    ofOrigin(key, origin) {
      const facts = factsOf(key)
      if (facts === undefined) return unknownMark(ground, origin.asset, origin.column)
      if (origin.source !== undefined) return sourceMark(ground, facts, origin)
      const parent = facts.parent(origin.asset)
      return parent === undefined
        ? unknownMark(ground, origin.asset, origin.column)
        : flow.of(parent, origin.column)
    },
  }
  return flow
}

export function unknownMark(
  { unknownIsPersonal }: FlowGround,
  asset: string,
  column: string,
): Mark | undefined {
  return unknownIsPersonal ? { grade: 'personal', root: { asset, column } } : undefined
}

export function sourceMark(
  { engine, marking }: FlowGround,
  { declared }: PersonalFacts,
  origin: ColumnOrigin,
): Mark | undefined {
  return isMarkedAtSource(declared, marking, origin, engine) ? { grade: 'personal', root: origin } : undefined
}

function ownMark(
  ground: FlowGround,
  flow: PersonalFlow,
  { key, facts }: { readonly key: string; readonly facts: PersonalFacts },
  column: string,
): Mark | undefined {
  const { engine, marking, unknownIsPersonal } = ground
  const declared = declaredFor(facts, column, engine)
  if (declared === false) return undefined
  const line = lineOf(facts, column, engine)
  const inherited = inheritedMark(flow, key, line)
  if (inherited?.grade === 'personal') return inherited
  const own: Mark = { grade: 'personal', root: { asset: facts.asset, column } }
  if (declared === true && marking.declared) return own
  if (line === undefined) {
    if (unknownIsPersonal) return own
    // A column that no run has found yet may be any column of the asset's own source.
    return facts.complete ? inherited : sourceMark(ground, facts, { ...own.root, source: '' })
  }
  return isPersonalByName(ground, key, own.root, line) ? own : inherited
}

/** Returns whether a column is personal because a policy names it: the name of a constant, a count or a masked value does not matter. */
export function isPersonalByName(ground: FlowGround, key: string, column: ColumnOrigin, line: Line): boolean {
  const isReadable = readableOrigins(line).some(origin => !isMasked(ground, key, origin, new Set()))
  return isReadable && isNamed(ground.marking, column, ground.engine)
}

/** Returns whether all that can be read in a column comes from masked columns of sources: then its name does not matter. */
function isMasked(ground: FlowGround, key: string, origin: ColumnOrigin, onTheWay: Set<string>): boolean {
  const { engine, factsOf } = ground
  const facts = factsOf(key)
  if (facts === undefined) return false
  if (origin.source !== undefined) return isMaskedAtSource(facts.declared, origin, engine)
  const parent = facts.parent(origin.asset)
  const place = `${parent}\n${engine.fold(origin.column)}`
  if (parent === undefined || onTheWay.has(place)) return false
  onTheWay.add(place)
  const made = factsOf(parent)
  const line = made && lineOf(made, origin.column, engine)
  // As for marks: a column that no run has found yet may be the one of the asset's own source.
  if (line === undefined && made?.complete === false)
    return isMasked(ground, parent, { ...origin, source: '' }, onTheWay)
  const origins = readableOrigins(line)
  return origins.length > 0 && origins.every(each => isMasked(ground, parent, each, onTheWay))
}

export function declaredFor(
  { declared }: PersonalFacts,
  column: string,
  engine: Engine,
): boolean | undefined {
  return valueCalled(declared.columns, column, engine)
}

export type Line = PersonalFacts['lineage'][number]

export function lineOf({ lineage }: PersonalFacts, column: string, engine: Engine): Line | undefined {
  return lineageCalled(lineage, column, engine)
}

function inheritedMark(flow: PersonalFlow, key: string, line: Line | undefined): Mark | undefined {
  let derived: Mark | undefined
  for (const origin of line?.from ?? []) {
    const mark = flow.ofOrigin(key, origin)
    if (mark === undefined) continue
    if (mark.grade === 'personal' && !isHidden(line, origin)) return mark
    derived ??= { ...mark, grade: 'derived' }
  }
  return derived
}

/** Returns the origins whose values can be read in the column. */
export function readableOrigins(line: Line | undefined): readonly ColumnOrigin[] {
  return line?.from.filter(origin => !isHidden(line, origin)) ?? []
}

export function isHidden(line: Line | undefined, { asset, column, source }: ColumnOrigin): boolean {
  return (
    line?.hidden?.some(each => each.asset === asset && each.column === column && each.source === source) ===
    true
  )
}
