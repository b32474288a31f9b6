/**
 * Finds views of users that read a production view or column which a run would remove. They are found before
 * any work, because only their owner can change them (decisions 2). It searches the text of views, and misses
 * a view that names svc's view without its schema.
 */
import type { Engine } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { Plan } from '../plan/plan.ts'
import { stepsOf } from '../plan/step.ts'
import type { StateSnapshot } from '../state/state.ts'
import type { Relation, WarehouseReader } from '../warehouse/warehouse.ts'
import { greenPrefix } from './green-schema.ts'
import { sqlWords } from './sql-words.ts'

interface Loss {
  readonly view: Relation
  /** Folded names; undefined if the whole view is removed. */
  readonly columns: ReadonlySet<string> | undefined
}

/** Throws SvcError `foreign-object` for the first such view. */
export async function checkForeignReaders(
  session: WarehouseReader,
  state: StateSnapshot,
  plan: Plan,
): Promise<void> {
  const { engine } = session.dialect
  const losses = lossesOf(state, plan, engine)
  if (losses.length === 0) return
  for (const { relation, query } of await session.views()) {
    // What another project of svc builds follows its next run; its production views name what they read.
    if (relation.schema.startsWith(greenPrefix)) continue
    const words = wordsOf(query, engine)
    const loss = losses.find(each => reads(words, each, engine))
    if (loss !== undefined) throw refusal(relation, words, loss)
  }
}

function lossesOf(state: StateSnapshot, plan: Plan, { fold }: Engine): Loss[] {
  const dropped = new Set(
    stepsOf(plan.steps, 'promote').flatMap(({ moves }) => moves.drops.map(({ asset }) => asset)),
  )
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
