/**
 * All the places that the personal data of a column comes from. The flow says whether a column is personal, and names
 * the first place; a report names all of them. Both follow the same rules.
 */
import type { ColumnOrigin } from '../analysis.ts'
import type { Engine } from '../engines/engine.ts'
import type { PersonalFacts } from './facts.ts'
import {
  declaredFor,
  type FlowGround,
  isHidden,
  isPersonalByName,
  type Line,
  lineOf,
  type Mark,
  sourceMark,
  unknownMark,
} from './flow.ts'

export interface RootMark extends Mark {
  /** The value reaches the column unchanged. */
  readonly isDirect: boolean
}

export interface PersonalRoots {
  /** Returns the marks of an output column, one for each place that its personal data comes from. */
  of(key: string, column: string): readonly RootMark[]
  /** Returns the marks that would reach a column if its file did not declare it harmless. */
  endedAt(key: string, column: string): readonly RootMark[]
  /** Returns the mark of a column of the source of an asset. */
  ofSource(key: string, origin: ColumnOrigin): Mark | undefined
}

export function personalRoots(ground: FlowGround): PersonalRoots {
  const { engine, factsOf } = ground
  const known = new Map<string, Map<string, readonly RootMark[]>>()
  const roots: PersonalRoots = {
    of(key, column) {
      const marks = known.get(key) ?? new Map<string, readonly RootMark[]>()
      known.set(key, marks)
      const name = engine.fold(column)
      const done = marks.get(name)
      if (done !== undefined) return done
      // Assets that read each other in a circle end here.
      marks.set(name, [])
      const facts = factsOf(key)
      const found =
        facts === undefined
          ? direct(unknownMark(ground, key, column))
          : ownMarks(ground, roots, { key, facts }, column)
      marks.set(name, found)
      return found
    },
    endedAt(key, column) {
      const facts = factsOf(key)
      if (facts === undefined || declaredFor(facts, column, engine) !== false) return []
      return inheritedMarks(ground, roots, facts, lineOf(facts, column, engine))
    },
    ofSource(key, origin) {
      const facts = factsOf(key)
      return facts && sourceMark(ground, facts, origin)
    },
  }
  return roots
}

export function rootKey({ asset, column, source }: ColumnOrigin, { fold }: Engine): string {
  return `${asset}\0${source === undefined ? '-' : `+${source}`}\0${fold(column)}`
}

interface Subject {
  readonly key: string
  readonly facts: PersonalFacts
}

function ownMarks(
  ground: FlowGround,
  roots: PersonalRoots,
  { key, facts }: Subject,
  column: string,
): readonly RootMark[] {
  const { engine, marking, unknownIsPersonal } = ground
  const declared = declaredFor(facts, column, engine)
  if (declared === false) return []
  const line = lineOf(facts, column, engine)
  const inherited = inheritedMarks(ground, roots, facts, line)
  if (inherited.some(({ grade }) => grade === 'personal')) return inherited
  const own: RootMark = { grade: 'personal', root: { asset: facts.asset, column }, isDirect: true }
  if (declared === true && marking.declared) return [own, ...inherited]
  if (line === undefined) {
    if (unknownIsPersonal) return [own]
    return facts.complete ? [] : direct(sourceMark(ground, facts, { ...own.root, source: '' }))
  }
  return isPersonalByName(ground, key, own.root, line) ? [own, ...inherited] : inherited
}

function inheritedMarks(
  ground: FlowGround,
  roots: PersonalRoots,
  facts: PersonalFacts,
  line: Line | undefined,
): readonly RootMark[] {
  const best = new Map<string, RootMark>()
  for (const origin of line?.from ?? []) {
    const isReadable = !isHidden(line, origin)
    for (const mark of marksOfOrigin(ground, roots, facts, origin)) {
      const grade = mark.grade === 'personal' && isReadable ? 'personal' : 'derived'
      const isDirect = grade === 'personal' && mark.isDirect && line?.kind === 'direct'
      const key = rootKey(mark.root, ground.engine)
      const before = best.get(key)
      if (before === undefined || (before.grade === 'derived' && grade === 'personal'))
        best.set(key, { grade, root: mark.root, isDirect })
    }
  }
  return [...best.values()]
}

function marksOfOrigin(
  ground: FlowGround,
  roots: PersonalRoots,
  facts: PersonalFacts,
  origin: ColumnOrigin,
): readonly RootMark[] {
  if (origin.source !== undefined) return direct(sourceMark(ground, facts, origin))
  const parent = facts.parent(origin.asset)
  return parent === undefined
    ? direct(unknownMark(ground, origin.asset, origin.column))
    : roots.of(parent, origin.column)
}

function direct(mark: Mark | undefined): readonly RootMark[] {
  return mark === undefined ? [] : [{ ...mark, isDirect: true }]
}
