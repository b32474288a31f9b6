/** The state of binding one text, and the functions that record its results. */
import type { ColumnOrigin } from '../../analysis.ts'
import { isOpen } from '../../engines/function-effects.ts'
import type { Edit, Expression, Name, SelectItem, Span } from '../tree.ts'
import type { BinderDialect } from './dialect.ts'
import type {
  BoundCte,
  BoundSelect,
  BoundTable,
  Column,
  Mention,
  NameProblem,
  Open,
  Outside,
  Relation,
  Scope,
  ScopedNode,
  TaggedRelation,
  Target,
} from './model.ts'
import { changed, constantValue, unknownValue, type Value } from './values.ts'
import type { SqlWorld } from './world.ts'

export interface Work {
  readonly text: string
  readonly world: SqlWorld
  readonly dialect: BinderDialect
  readonly mentions: Mention[]
  readonly problems: NameProblem[]
  readonly repairs: Edit[]
  /** By where they begin. */
  readonly outside: Map<number, Outside>
  readonly ctes: BoundCte[]
  readonly selects: BoundSelect[]
  readonly tables: BoundTable[]
  readonly reads: ColumnOrigin[]
  readonly names: ColumnOrigin[]
  readonly tags: Map<string, TaggedRelation>
  /** Undefined if they were not requested. */
  readonly scopes: Map<ScopedNode, Scope> | undefined
  readonly values: Map<Expression, Value> | undefined
  /** The scope of the SELECT being bound: expressions with this scope are not recorded. */
  plain: Scope | undefined
  volatile: boolean
  /** Functions to call when the whole text is bound. */
  readonly atEnd: (() => void)[]
  /** Above 0 nothing is recorded, because a part is bound for the second time. */
  quiet: number
  /** The column for COLUMNS(…) while the expression around it is expanded for it. */
  chosen: Column | undefined
  /** Numbers queries inside expressions. */
  count: number
}

export interface BindOptions {
  /** Keeps scopes and values, for callers that inspect the text. */
  readonly trace?: boolean
}

export function newWork(text: string, world: SqlWorld, dialect: BinderDialect, options: BindOptions): Work {
  const trace = options.trace === true
  return {
    text,
    world,
    dialect,
    mentions: [],
    problems: [],
    repairs: [],
    outside: new Map(),
    ctes: [],
    selects: [],
    tables: [],
    reads: [],
    names: [],
    tags: new Map(),
    scopes: trace ? new Map() : undefined,
    values: trace ? new Map() : undefined,
    plain: undefined,
    volatile: false,
    atEnd: [],
    quiet: 0,
    chosen: undefined,
    count: 0,
  }
}

export function spanText(work: Work, span: Span): string {
  return work.text.slice(span.start, span.end)
}

/** Returns the relation of a tag; looked up once per text. */
export function taggedRelation(work: Work, tag: Span): TaggedRelation {
  const text = spanText(work, tag)
  const known = work.tags.get(text)
  if (known !== undefined) return known
  const relation = work.world.table(text)
  work.tags.set(text, relation)
  return relation
}

export function mention(
  work: Work,
  span: Span,
  target: Target,
  role: Mention['role'],
  more?: Pick<Mention, 'table' | 'row' | 'ambiguous'> & { readonly qualified?: boolean },
): void {
  if (target.kind === 'column') work.reads.push(...target.column.value.origins)
  if (work.quiet > 0 || span.start === span.end) return
  const { start, end } = span
  work.mentions.push({ span: { start, end }, target, role, qualified: false, ...more })
}

export function report(work: Work, problem: NameProblem): void {
  if (work.quiet === 0) work.problems.push(problem)
}

/** Records a call of a function that no SQL of a project may call. */
export function noteCall(work: Work, name: Name | undefined, count: number): void {
  if (name === undefined) return
  const key = work.dialect.fold(name.text)
  const effect = work.dialect.effectOf(key, count)
  if (effect !== undefined && !isOpen(effect))
    noteOutside(work, { kind: 'function', name: key, effect }, name)
}

/** Parts that are bound for the second time were noted the first time. */
export function noteOutside(
  work: Work,
  what: Omit<Outside, 'span' | 'repair'>,
  { start, end }: Span,
  repair: readonly Edit[] = [],
): void {
  if (!work.outside.has(start)) work.outside.set(start, { ...what, span: { start, end }, repair })
}

/** Records the definition of a column whose name is written, which is a mention too. */
export function defined(work: Work, column: Column): Column {
  if (column.maker.kind === 'named') mention(work, column.maker.at, { kind: 'column', column }, 'definition')
  return column
}

/** Records a column that gets its name at this place. */
export function namedColumn(
  work: Work,
  id: string,
  at: Name,
  value: Value,
  from: { readonly of?: Column | undefined; readonly item?: SelectItem | undefined } = {},
): Column {
  const { of, item } = from
  return defined(work, { id, name: at.text, maker: { kind: 'named', at, item, of }, value })
}

/** Returns a column that stands for any number of columns, of which nothing is known. */
export function spreadColumn(id: string, value: Value): Column {
  return { id, name: '', maker: { kind: 'opaque' }, value, spread: { candidates: undefined } }
}

/** Records the scope of an expression if it differs from that of its SELECT. */
export function keepScope(work: Work, node: Expression, scope: Scope): void {
  if (scope !== work.plain) work.scopes?.set(node, scope)
}

/** Returns columns on demand for a relation of which nothing is known. */
export function opaque(work: Work, id: string, value: Value = unknownValue): Open {
  const known = new Map<string, Column>()
  return name => {
    const key = work.dialect.fold(name)
    const column = known.get(key) ?? {
      id: `${id}.o:${known.size}`,
      name,
      maker: { kind: 'opaque' },
      value: value.unknown ? value : { ...value, unknown: true },
    }
    known.set(key, column)
    return column
  }
}

/** Renames the first columns to the given names. */
export function renamed(work: Work, relation: Relation, names: readonly Name[], id: string): Relation {
  if (names.length === 0) return relation
  const lined = linedUp(relation, names.length)
  const columns = lined.map((column, index) => {
    const at = names[index]
    if (at === undefined) return column
    const of = column.spread ? undefined : column
    return namedColumn(work, `${id}.n${index}`, at, column.value, { of })
  })
  const more = names.slice(lined.length).map((at, index) => {
    const value = relation.open?.(at.text, false).value ?? unknownValue
    return namedColumn(work, `${id}.n${lined.length + index}`, at, value)
  })
  const rest = relation.also === undefined ? {} : { also: relation.also }
  return { columns: [...columns, ...more], open: more.length > 0 ? undefined : relation.open, ...rest }
}

/**
 * Returns the columns of a relation by position. If one of them may stand for several, positions are unknown:
 * each of the first `count` may have any of the values, and all of them may still follow.
 */
function linedUp(relation: Relation, count: number): readonly Column[] {
  if (!relation.columns.some(column => column.spread)) return relation.columns
  const value = anyOf(relation)
  const first = Array.from(
    { length: count },
    (_, index): Column => ({ id: `p${index}`, name: '', maker: { kind: 'opaque' }, value }),
  )
  return [...first, ...relation.columns]
}

/** Returns the value of a column that may be any of a relation's. */
export function anyOf(relation: Relation): Value {
  const { columns, open } = relation
  const value = columns.reduce<Value>((all, column) => joinedWith(all, column.value), constantValue)
  return open === undefined ? value : { ...joinedWith(value, open('', false).value), unknown: true }
}

function joinedWith(all: Value, value: Value): Value {
  if (all === constantValue) return changed(value)
  return changed({ ...all, ...sourcesOf(all, value), unknown: all.unknown || value.unknown, few: false })
}

function sourcesOf(a: Value, b: Value): Pick<Value, 'origins' | 'hints'> {
  const origins = [...new Set([...a.origins, ...b.origins])]
  return { origins, hints: [...new Set([...a.hints, ...b.hints])].filter(hint => !origins.includes(hint)) }
}
