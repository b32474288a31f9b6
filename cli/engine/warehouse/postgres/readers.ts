/**
 * What others have made of production views and would not survive a change of them. Where a view has to be made anew, each
 * thing that hangs on it is bound anew, in a transaction that is undone, against empty tables of the new shapes: then the
 * server itself says what breaks, and nobody waits, because nothing of production is locked but for a look at it.
 */
import { messageOf, SvcError } from '../../errors.ts'
import type { BrokenReader, Relation, ShapeChange } from '../warehouse.ts'
import type { Connection } from './connections.ts'
import { type Dependant, dependantsOf, viewsInUse } from './dependants.ts'
import { postgresDialect as dialect } from './dialect.ts'
import { codeOf } from './failures.ts'
import { columnsByName, nameOf } from './relations.ts'
import { openShapes, type Shapes, withPlaces } from './shapes.ts'
import { staysReplaceable } from './views.ts'

/** Returns undefined where the role may not try it, or the server does not have a type of the new shape. */
export async function brokenReaders(
  connection: Connection,
  changes: readonly ShapeChange[],
): Promise<readonly BrokenReader[] | undefined> {
  await connection.query('BEGIN')
  try {
    const used = await viewsInUse(
      connection,
      changes.map(({ view }) => view),
    )
    if (used.length === 0) return []
    const all = await dependantsOf(connection, used)
    const names = new Set(used.map(nameOf))
    const concerned = changes.filter(({ view }) => names.has(nameOf(view)))
    return await unlessRefused(() => brokenAmong(connection, all, concerned))
  } finally {
    await connection.query('ROLLBACK')
  }
}

async function brokenAmong(
  connection: Connection,
  all: readonly Dependant[],
  changes: readonly ShapeChange[],
): Promise<readonly BrokenReader[]> {
  const shapes = await openShapes(connection)
  const harmed = await harmedViews(connection, shapes, changes)
  const broken = new Map<string, BrokenReader>()
  for (const dependant of all) {
    const harm = harmed.find(({ view }) => dependant.roots.includes(nameOf(view)))
    if (dependant.isRoot || harm === undefined) continue
    const lost = dependant.parents.find(id => broken.has(id))
    const refusal =
      harm.columns === undefined
        ? { reason: undefined }
        : lost === undefined
          ? await refusalOf(connection, dependant, shapes)
          : { reason: `it needs ${broken.get(lost)?.reader}` }
    if (refusal === undefined) continue
    const { what: reader, schema, kind } = dependant
    const verb = kind === 'other' ? 'needs' : 'reads'
    broken.set(dependant.id, { view: harm.view, reader, schema, verb, ...refusal })
  }
  return [...broken.values()]
}

/** The views that are removed, and behind them those that have to be made anew; each that stays has an empty table of its shape. */
async function harmedViews(
  connection: Connection,
  shapes: Shapes,
  changes: readonly ShapeChange[],
): Promise<readonly ShapeChange[]> {
  const views = changes.map(({ view }) => view)
  const present = await columnsByName(connection, views)
  const remade: ShapeChange[] = []
  for (const change of changes) {
    if (change.columns === undefined) continue
    const before = present.get(nameOf(change.view)) ?? []
    const place = await shapes.makeTable(change.view, change.columns, before)
    const after = (await columnsByName(connection, [place])).get(nameOf(place)) ?? []
    if (!staysReplaceable(before, after)) remade.push(change)
  }
  return [...changes.filter(({ columns }) => columns === undefined), ...remade]
}

type Refusal = Pick<BrokenReader, 'reason' | 'hint'>

/** Returns what stands against making a dependant anew; undefined if nothing does. */
async function refusalOf(
  connection: Connection,
  dependant: Dependant,
  shapes: Shapes,
): Promise<Refusal | undefined> {
  const { kind, body, missingGrant } = dependant
  if (kind === 'other')
    return {
      reason: 'the view has to be made anew, which svc cannot do with this',
      hint: 'Drop it before the run and make it again afterwards, or keep the columns of the view.',
    }
  if (missingGrant !== null)
    return { reason: 'it has to be made anew, which the role of svc may not', hint: missingGrant }
  const place = await shapes.placeOf(dependant)
  if (kind === 'routine' && !(await standsAsItIs(connection, dependant, place))) return undefined
  const prefix = kind === 'view' ? `CREATE VIEW ${dialect.relation(place)} AS ` : ''
  const reason = await triedWith(connection, prefix + shapes.renamed(body))
  return reason === undefined ? undefined : { reason }
}

/**
 * The text of a routine may name what only the settings of its callers find: then the server has something against it also
 * without a change, and nothing is known.
 */
async function standsAsItIs(
  connection: Connection,
  { schema, name, body }: Dependant,
  place: Relation,
): Promise<boolean> {
  const isItself = (found: Relation) => found.schema === schema && found.name === name
  const elsewhere = withPlaces(body, found => (isItself(found) ? place.schema : undefined))
  await connection.query('SAVEPOINT svc_routine')
  const reason = await triedWith(connection, elsewhere)
  await connection.query('ROLLBACK TO SAVEPOINT svc_routine')
  return reason === undefined
}

/** Returns what the server says against a statement; undefined if it takes it, and what was made stays. */
async function triedWith(connection: Connection, sql: string): Promise<string | undefined> {
  await connection.query('SAVEPOINT svc_reader')
  try {
    await connection.query(sql)
    return undefined
  } catch (error) {
    if (!codeOf(error).startsWith('42')) throw error
    await connection.query('ROLLBACK TO SAVEPOINT svc_reader')
    return messageOf(error)
  }
}

async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SvcError) && codeOf(error).startsWith('42')) return undefined
    throw error
  }
}
