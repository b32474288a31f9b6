/**
 * Finds views of users, and what else hangs on production, that would break by what a run removes from production, or
 * gives another type. They are found before any work, because only their owner can change them (decisions 2). An engine
 * that can tell is asked; else the text of views is searched, which misses a view that names svc's view without its schema.
 */
import type { Column, Engine } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { Plan, PlannedAsset } from '../plan/plan.ts'
import { stepsOf } from '../plan/step.ts'
import type { StateSnapshot } from '../state/state.ts'
import type { BrokenReader, Relation, ShapeChange, WarehouseReader } from '../warehouse/warehouse.ts'
import { greenPrefix } from './green-schema.ts'
import { sqlWords } from './sql-words.ts'

interface Loss {
  readonly view: Relation
  /** Folded names; undefined if the whole view is removed. */
  readonly columns: ReadonlySet<string> | undefined
}

/** Throws SvcError `foreign-object` that names such views. */
export async function checkForeignReaders(
  session: WarehouseReader,
  state: StateSnapshot,
  plan: Plan,
): Promise<void> {
  const { engine } = session.dialect
  const changes = shapeChanges(state, plan)
  if (changes.length === 0) return
  const broken = await session.brokenReaders(changes)
  if (broken !== undefined) return refuseBroken(broken)
  const losses = lossesOf(state, plan, engine)
  for (const { relation, query } of await session.views()) {
    // What another project of svc builds follows its next run; its production views name what they read.
    if (relation.schema.startsWith(greenPrefix)) continue
    const words = wordsOf(query, engine)
    const loss = losses.find(each => reads(words, each, engine))
    if (loss !== undefined) throw refusal(relation, words, loss)
  }
}

/** Returns how many views the promotion of a plan makes anew, because their columns change. */
export function remadeViews(state: StateSnapshot, plan: Plan): number {
  return shapeChanges(state, plan).filter(({ columns }) => columns !== undefined).length
}

/** What is dropped, and what others may read of a view in another way or at another place from now on. */
function shapeChanges(state: StateSnapshot, plan: Plan): ShapeChange[] {
  const dropped = droppedIn(plan)
  const changed = plan.assets.flatMap(asset => {
    const live = state.live.get(asset.name)?.columns
    // What is reused shows the same relation as before, and of what is new nothing could be read: their columns need not be
    // looked at.
    if (live === undefined || asset.change === 'reused') return []
    const columns = shapeAfter(asset, live, plan.engine)
    const moves = live.some(({ name }, at) => columns[at]?.name !== name)
    const harms = moves || asset.columnChanges.some(({ kind }) => kind === 'retyped')
    return harms && asset.columns.length > 0 && !dropped.has(asset.name) ? [{ ...asset, columns }] : []
  })
  const shapes = new Map<string, readonly Column[] | undefined>([
    ...[...dropped].map(name => [name, undefined] as const),
    ...changed.map(({ name, columns }) => [name, columns] as const),
  ])
  return [...shapes].flatMap(([name, columns]) => {
    const view = state.views.get(name)
    return view === undefined ? [] : [{ view, columns: columns?.map(({ name, type }) => ({ name, type })) }]
  })
}

/** Columns that only the data tell are not among those of the plan, and are not gone. */
function shapeAfter(
  { columns, columnChanges }: PlannedAsset,
  live: readonly Column[],
  { sameName }: Engine,
): readonly Column[] {
  const isKnown = (name: string) =>
    columns.some(column => sameName(column.name, name)) ||
    columnChanges.some(({ kind, column }) => kind === 'removed' && sameName(column, name))
  return [...columns, ...live.filter(({ name }) => !isKnown(name))]
}

function droppedIn({ steps }: Plan): ReadonlySet<string> {
  return new Set(stepsOf(steps, 'promote').flatMap(({ moves }) => moves.drops.map(({ asset }) => asset)))
}

function refuseBroken(broken: readonly BrokenReader[]): void {
  const [first, ...others] = broken
  if (first === undefined) return
  const { view, reader, verb, reason } = first
  const why = reason === undefined ? ', which would go away' : `, and would break: ${reason}`
  const more = others.length === 0 ? '' : ` So would ${others.map(inShort).join('; ')}.`
  throw new SvcError('foreign-object', `${reader} ${verb} ${nameOf(view)}${why}`, {
    hint: `${hintOf(first)}${more}`,
    asset: view.name,
  })
}

function inShort({ reader, reason, hint }: BrokenReader): string {
  return `${reader}${reason === undefined ? '' : ` (${reason})`}${hint === undefined ? '' : `: ${hint}`}`
}

function hintOf({ schema, hint }: BrokenReader): string {
  if (hint !== undefined) return hint
  return schema.startsWith(greenPrefix)
    ? 'Another project of svc has built that: let it do without (`exclude`) and run it first, or keep what it reads.'
    : 'svc did not make that: change or drop it first, or keep what it reads.'
}

function nameOf({ schema, name }: Relation): string {
  return `${schema}.${name}`
}

function lossesOf(state: StateSnapshot, plan: Plan, { fold }: Engine): Loss[] {
  const dropped = droppedIn(plan)
  const gone = [...dropped].map(name => ({ name, columns: undefined }))
  const narrowed = plan.assets
    .filter(({ name }) => !dropped.has(name))
    .map(({ name, columnChanges }) => ({
      name,
      columns: new Set(
        columnChanges.filter(({ kind }) => kind === 'removed').map(({ column }) => fold(column)),
      ),
    }))
    .filter(({ columns }) => columns.size > 0)
  return [...gone, ...narrowed].flatMap(({ name, columns }) => {
    const view = state.views.get(name)
    return view === undefined ? [] : [{ view, columns }]
  })
}

/** Comments and texts name nothing. */
function wordsOf(sql: string, engine: Engine): string[] {
  return sqlWords(sql, engine)
    .filter(({ kind }) => kind !== 'comment' && kind !== 'string')
    .map(({ text }) => text)
}

function reads(words: readonly string[], { view, columns }: Loss, { fold }: Engine): boolean {
  const schema = fold(view.schema)
  const name = fold(view.name)
  const named = words.some((word, at) => word === schema && words[at + 1] === '.' && words[at + 2] === name)
  return named && (columns === undefined || lostColumn(words, columns) !== undefined)
}

function lostColumn(words: readonly string[], columns: ReadonlySet<string>): string | undefined {
  const named = words.find(word => columns.has(word))
  return named ?? (words.some(isStar) ? [...columns][0] : undefined)
}

/** Returns whether `*` stands for all columns, and not for a product or `count(*)`. */
function isStar(word: string, at: number, words: readonly string[]): boolean {
  return word === '*' && ['select', 'distinct', 'all', ',', '.'].includes(words[at - 1] ?? '')
}

function refusal({ schema, name }: Relation, words: readonly string[], { view, columns }: Loss): SvcError {
  const column = columns === undefined ? undefined : lostColumn(words, columns)
  const what = `${view.schema}.${view.name}${column === undefined ? '' : `.${column}`}`
  return new SvcError('foreign-object', `view ${schema}.${name} reads ${what}, which would go away`, {
    hint: 'svc did not make that view: change or drop it first, or keep what it reads.',
    asset: view.name,
  })
}
