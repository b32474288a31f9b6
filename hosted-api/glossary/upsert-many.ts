/**
 * Creates or replaces many records of one kind: those with names with a few statements, however many they are, because on
 * SQLite all other writers wait meanwhile.
 */
import { invalid, Problem } from '../http/index.ts'
import { type Cell, objectRows, type Row, type RowColumns, rowsOfTexts } from '../storage/index.ts'
import { differences, saysOtherwise } from './change-record.ts'
import { type FieldChange, noteChange, type Writing } from './create.ts'
import { identifierOf } from './identifier.ts'
import type { Kind } from './kind.ts'
import { type Content, cellsOf, contentOf, recordOf, searchCells } from './record.ts'
import { statementsOf } from './statements.ts'
import { type Upserted, type UpsertOptions, upsertRecord } from './upsert.ts'

/** Records per statement: requests wait while their JSON text is made, and on SQLite for the statement. */
const mostRows = 50

type Order = Writing & UpsertOptions

/**
 * Returns one result per content, in order: what was done, or why it cannot be.
 * @param contents as `readContent` returns them
 */
export async function upsertRecords(
  order: Order,
  contents: readonly Content[],
): Promise<readonly (Upserted | Problem)[]> {
  const results: (Upserted | Problem)[] = []
  if (!order.kind.named) {
    for (const content of contents) results.push(await upsertOne(order, content))
    return results
  }
  for (const batch of batchesOf(order.kind, contents)) results.push(...(await writeBatch(order, batch)))
  return results
}

interface Item {
  readonly content: Content
  /** Derived from the name if the caller gave none: then it is always a new record. */
  readonly identifier: string
}

/** A batch has every identifier once, because the second of two items changes what the first has written. */
function batchesOf(kind: Kind, contents: readonly Content[]): readonly (readonly Item[])[] {
  const batches: Item[][] = []
  let used = new Set<string>()
  for (const content of contents) {
    const identifier = String(content['identifier'] ?? identifierOf(kind, content))
    if (batches.length === 0 || used.has(identifier) || used.size === mostRows) {
      batches.push([])
      used = new Set()
    }
    batches.at(-1)?.push({ content, identifier })
    used.add(identifier)
  }
  return batches
}

type Plan =
  | { readonly does: 'create'; readonly item: Item }
  | {
      readonly does: 'update'
      readonly row: Row
      readonly content: Content
      readonly changes: readonly FieldChange[]
    }
  | { readonly does: 'nothing'; readonly result: Upserted | Problem }

async function writeBatch(order: Order, batch: readonly Item[]): Promise<readonly (Upserted | Problem)[]> {
  const twins = await twinsOf(order, batch)
  const plans = batch.map(item => planOf(order, item, twins))
  const created = await insertAll(order, plans)
  const updated = await updateAll(order, plans)
  const results: (Upserted | Problem)[] = []
  for (const plan of plans) {
    if (plan.does === 'nothing') results.push(plan.result)
    else if (plan.does === 'create') results.push(await createdOf(order, plan.item, created))
    else results.push(updatedOf(order, plan, updated))
  }
  await writeHistory(order, plans, results)
  return results
}

type Rows<K> = ReadonlyMap<K, Row>

/** Returns the live records with the given identifiers. */
async function twinsOf({ tx, kind, project }: Order, batch: readonly Item[]): Promise<Rows<string>> {
  const given = batch.filter(({ content }) => content['identifier'] !== undefined)
  if (given.length === 0) return new Map()
  const live = `${statementsOf(kind).select} where ${kind.name}.project_id = ? and ${kind.name}.deleted_at is null`
  const identifiers = given.map(({ identifier }) => identifier)
  const rows = await tx.all(
    ...rowsOfTexts(tx.engine, live, `${kind.name}.identifier`, [project], identifiers),
  )
  return new Map(rows.map(row => [String(row['identifier']), row]))
}

function planOf({ kind, onlyOrigin }: Order, item: Item, twins: Rows<string>): Plan {
  const { content, identifier } = item
  const row = content['identifier'] === undefined ? undefined : twins.get(identifier)
  const problems = kind.problems?.(content) ?? []
  if (problems.length > 0) return { does: 'nothing', result: invalid(problems) }
  if (row === undefined) return { does: 'create', item }
  const before = contentOf(kind, row)
  const record = recordOf(kind, row)
  if (onlyOrigin !== undefined && row['origin'] !== onlyOrigin) {
    const status = saysOtherwise(kind, before, content) ? 'kept' : 'unchanged'
    return { does: 'nothing', result: { record, status } }
  }
  const changes = differences(kind, before, content)
  if (changes.length === 0) return { does: 'nothing', result: { record, status: 'unchanged' } }
  return { does: 'update', row, content, changes }
}

/** Returns the rows by identifier; one is missing if another record was in the way. */
async function insertAll(order: Order, plans: readonly Plan[]): Promise<Rows<string>> {
  const { tx, kind, project, author } = order
  const items = plans.flatMap(plan => (plan.does === 'create' ? [plan.item] : []))
  if (items.length === 0) return new Map()
  const { columns, insertRows } = statementsOf(kind).many
  const rows = items.map(({ content, identifier }) => cellsByColumn(order, { ...content, identifier }))
  const { now, actor } = author
  const written = await tx.all(insertRows(objectRows(tx.engine, columns)), [
    project,
    author.origin ?? 'api',
    now,
    actor,
    now,
    actor,
    JSON.stringify(rows),
  ])
  return new Map(written.map(row => [String(row['identifier']), row]))
}

/** Returns the rows by record number; one is missing if another writer was faster. */
async function updateAll(order: Order, plans: readonly Plan[]): Promise<Rows<number>> {
  const { tx, kind, author } = order
  const rows = plans.flatMap(plan =>
    plan.does === 'update'
      ? [
          {
            ...cellsByColumn(order, plan.content),
            item_id: plan.row['id'] ?? null,
            item_version: plan.row['version'] ?? null,
          },
        ]
      : [],
  )
  if (rows.length === 0) return new Map()
  const { columns, updateRows } = statementsOf(kind).many
  const located: RowColumns = { ...columns, item_id: 'integer', item_version: 'integer' }
  const written = await tx.all(updateRows(objectRows(tx.engine, located)), [
    author.origin ?? 'api',
    author.now,
    author.actor,
    JSON.stringify(rows),
  ])
  return new Map(written.map(row => [Number(row['id']), row]))
}

function cellsByColumn({ kind }: Order, content: Content): Readonly<Record<string, Cell>> {
  const values = [...cellsOf(kind, content), ...searchCells(kind, content)]
  const names = Object.keys(statementsOf(kind).many.columns)
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]))
}

/** What was in the way is found one by one: a derived identifier that is taken, or a writer that was faster. */
async function createdOf(order: Order, item: Item, created: Rows<string>): Promise<Upserted | Problem> {
  const row = created.get(item.identifier)
  if (row !== undefined) {
    const record = recordOf(order.kind, row)
    noteChange(order, record, 'create')
    return { record, status: 'created' }
  }
  return upsertOne(order, item.content)
}

function upsertOne(order: Order, content: Content): Promise<Upserted | Problem> {
  return upsertRecord(order, content).catch(toldProblem)
}

/** @throws the error if the caller of the service did not cause it */
export function toldProblem(error: unknown): Problem {
  if (!(error instanceof Problem) || error.status >= 500) throw error
  return error
}

function updatedOf(
  order: Order,
  { row, changes }: Plan & { readonly does: 'update' },
  updated: Rows<number>,
): Upserted | Problem {
  const written = updated.get(Number(row['id']))
  if (written === undefined) {
    return new Problem(
      'version_mismatch',
      'Somebody else changed the record at the same time: read it again.',
    )
  }
  const record = recordOf(order.kind, written)
  noteChange(order, record, 'update', changes)
  return { record, status: 'updated' }
}

/** Every change is a version. */
async function writeHistory(
  { tx, kind, author }: Order,
  plans: readonly Plan[],
  results: readonly (Upserted | Problem)[],
): Promise<void> {
  const rows = plans.flatMap((plan, index) => {
    const result = results[index]
    if (plan.does !== 'update' || result === undefined || result instanceof Problem) return []
    const { id, version } = result.record
    return [{ record_id: id, version, changes: JSON.stringify(plan.changes) }]
  })
  if (rows.length === 0) return
  const columns = { record_id: 'integer', version: 'integer', changes: 'text' } as const
  await tx.all(
    `insert into history (kind, record_id, version, at, "by", action, changes)
      select cast(? as text), item.record_id, item.version, cast(? as text), cast(? as text), 'update', item.changes
      from ${objectRows(tx.engine, columns)}`,
    [kind.name, author.now, author.actor, JSON.stringify(rows)],
  )
}
