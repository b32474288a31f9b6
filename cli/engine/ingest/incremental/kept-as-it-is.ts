/**
 * The outcome of a fetch that brought no record, where the source is defined in another way than when its rows were gathered:
 * they are brought into the shape of now all the same. What the source would have is what they were made of.
 */
import {
  findColumn,
  keepPrevious,
  listStep,
  maskedType,
  maskRules,
  type RawTable,
  rawTables,
  type SourceIngest,
  type SourceType,
  withValidity,
} from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { tablesOfLoad, withKnown } from '../../plan/last-load.ts'
import { maskOf } from '../mask/mask.ts'
import type { FetchContext, FetchedSource } from '../source.ts'
import type { LoadBase } from './base.ts'
import { keptColumns } from './kept-columns.ts'
import { namedBefore, withNamesOfNow } from './names-before.ts'
import { continuedLoadId } from './new-records.ts'
import { emptyTable, nothingNew } from './nothing-new.ts'
import { tellKept } from './tell-kept.ts'

/** Returns the load before as it is, or in the shape of now. */
export function keptAsItIs(
  context: FetchContext,
  ingest: SourceIngest,
  before: LoadBase,
  bytes: number,
): FetchedSource {
  const isAsNow = before.earlier === undefined && before.restarts === undefined
  if (isAsNow || ingest.write === 'replace') return nothingNew(context, before, bytes)
  return { ...joinedWithNothing(context, ingest, before, 'nothing new'), bytes }
}

/** Returns a load of its own with the rows of the one before. `content` says what makes it another one. */
export function joinedWithNothing(
  context: FetchContext,
  ingest: SourceIngest,
  before: LoadBase,
  content: string,
): FetchedSource {
  const unchanged = nothingNew(context, before, 0)
  if (ingest.write === 'replace') return unchanged
  const { tables, excluded } = shapeOfLoad(context, ingest, before)
  const base = withNamesOfNow(before, tables)
  const keyMark = maskOf(ingest, context.env)?.keyMark
  const kept = keptColumns({ context, ingest, base, tables, keyMark })
  if (kept !== undefined) tellKept({ context, base, tables }, kept)
  const { engine } = context
  const primaryKey = ingest.primaryKey.flatMap(
    name => findColumn(tables[0]?.columns ?? [], name, engine)?.name ?? [],
  )
  const loadedAt = context.now().toISOString()
  return {
    ...unchanged,
    loadId: continuedLoadId(base, content),
    tables: tables.map(shape => emptyTable(shape)),
    excludedColumns: excluded,
    joining: { base, write: ingest.write, primaryKey, loadedAt, ...(kept && { kept }) },
  }
}

function shapeOfLoad(context: FetchContext, ingest: SourceIngest, { load, earlier }: LoadBase) {
  const { engine, asset, previous } = context
  const known = previous && earlier ? namedBefore(previous, earlier) : previous
  const before = withKnown(tablesOfLoad(load), known)
  const type = maskedType(typeOf(before), maskRules(ingest))
  const read = rawTables(ingest, asset.definition.contract, type, engine)
  const [first] = read.problems
  if (first !== undefined) throw new SvcError('source-shape', first.message, { hint: first.hint })
  const tables =
    previous === undefined
      ? withValidity(read.tables, ingest, engine)
      : keepPrevious(read.tables, previous, ingest, engine)
  return { tables, excluded: read.excluded }
}

/** Fields of a record, in which those of a list of objects are at the path of the list. */
interface Fields {
  readonly members: Map<string, Fields>
  type: string | undefined
}

/** Returns the type of the records that tables were made of. */
function typeOf(tables: readonly RawTable[]): SourceType {
  const root: Fields = { members: new Map(), type: undefined }
  for (const { name, path, type, system } of tables.flatMap(({ columns }) => columns)) {
    if (system || name.startsWith('_svc_')) continue
    let place = root
    for (const step of path) {
      const next: Fields = place.members.get(step) ?? { members: new Map(), type: undefined }
      place.members.set(step, next)
      place = next
    }
    place.type = type ?? 'VARCHAR'
  }
  return sourceType(root)
}

function sourceType({ members, type }: Fields): SourceType {
  if (type !== undefined) return { kind: 'scalar', type }
  const element = members.get(listStep)
  if (element !== undefined) return { kind: 'list', element: sourceType(element) }
  const fields = [...members].map(([name, field]) => ({ name, type: sourceType(field) }))
  return { kind: 'struct', fields }
}
