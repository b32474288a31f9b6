/** Judges gathered rows by the contract of now: values that cannot become what it promises, and values that it says are there. */
import type { WarningCode } from '@svc/server/contract'
import { type Asset, internalName, openContract, type TableContract } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { type GatheredRows, rowsInWords } from '../plan/gathered-rows.ts'
import type { BuiltColumn } from '../state/state.ts'
import type { Relation, WarehouseReader } from '../warehouse/warehouse.ts'

type Reader = Pick<WarehouseReader, 'dialect' | 'query'>

const counted = internalName('counted')

export interface GatheredWarning {
  readonly code: WarningCode
  readonly message: string
  readonly hint: string
  readonly count: number
  readonly example: string
}

interface GatheredTable {
  readonly relation: Relation
  readonly columns: readonly BuiltColumn[]
}

/** Throws SvcError `history-lost` if the rows do not fit the types that are promised now. */
export async function judgeGathered(
  session: Reader,
  asset: Asset,
  { load, rows, earlier }: GatheredRows,
): Promise<readonly GatheredWarning[]> {
  const { contract = openContract } = asset.definition
  if (earlier === undefined || rows === 0) return []
  const children = Object.entries(contract.tables).flatMap(([child, promised]) => {
    const table = load.children[child]
    return table === undefined ? [] : [[table, promised] as const]
  })
  const warnings: GatheredWarning[] = []
  for (const [table, promised] of [[load, contract] as const, ...children])
    warnings.push(...(await judgeTable(session, table, promised, { asset: asset.name, rows })))
  return warnings
}

async function judgeTable(
  session: Reader,
  table: GatheredTable,
  promised: TableContract,
  gathered: { readonly asset: string; readonly rows: number },
): Promise<readonly GatheredWarning[]> {
  const { engine } = session.dialect
  const warnings: GatheredWarning[] = []
  const { columns, requiredColumns } = promised
  for (const name of new Set([...Object.keys(columns), ...requiredColumns])) {
    const stored = table.columns.find(each => engine.sameName(each.name, name))
    if (stored === undefined) continue
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined
    await refuseMisfits(session, table, { name, stored, type: column?.type }, gathered)
    const isRequired = column?.nullable === false || requiredColumns.includes(name)
    if (isRequired) warnings.push(...(await missingValues(session, table, stored.name)))
  }
  return warnings
}

interface JudgedColumn {
  readonly name: string
  readonly stored: BuiltColumn
  readonly type: string | undefined
}

async function refuseMisfits(
  session: Reader,
  { relation }: GatheredTable,
  { name, stored, type }: JudgedColumn,
  { asset, rows }: { readonly asset: string; readonly rows: number },
): Promise<void> {
  const { types } = session.dialect.engine
  const [before, after] = [stored.type, type].map(each => each && types.print(types.parse(each)))
  if (before === undefined || after === undefined || before === after) return
  const misfits = await countMisfits(session, relation, { name: stored.name, before, after })
  if (misfits === 0) return
  const which = misfits === undefined ? rowsInWords(rows) : `${misfits} of ${rowsInWords(rows)}`
  throw new SvcError('history-lost', `${which} cannot have "${name}" as ${after}: it is ${before} there`, {
    hint: svc =>
      `Declare a type that holds both, or let the rows go: ${svc(`run ${asset} --full-refresh`)} loads what the source has now.`,
    facts: { rows, ...(misfits !== undefined && { misfits }), column: name },
  })
}

/** Returns how many values are lost or become others; undefined if the warehouse only says that some are. */
async function countMisfits(
  session: Reader,
  relation: Relation,
  { name, before, after }: { readonly name: string; readonly before: string; readonly after: string },
): Promise<number | undefined> {
  const { dialect } = session
  const { types } = dialect.engine
  const value = dialect.identifier(name)
  const cast = `CAST(${value} AS ${after})`
  // A text is written in many ways, so that it need not come back as it was.
  const isText = types.family(types.parse(before)) === 'text'
  const isOther = isText ? `${cast} IS NULL` : `CAST(${cast} AS ${before}) IS DISTINCT FROM ${value}`
  const sql = `SELECT count(*) AS ${counted} FROM ${dialect.relation(relation)} WHERE ${value} IS NOT NULL AND ${isOther}`
  try {
    const [found] = await session.query(sql)
    return Number(found?.[counted] ?? 0)
  } catch {
    return undefined
  }
}

async function missingValues(
  session: Reader,
  { relation }: GatheredTable,
  name: string,
): Promise<readonly GatheredWarning[]> {
  const { dialect } = session
  const [found] = await session.query(
    `SELECT count(*) AS ${counted} FROM ${dialect.relation(relation)} WHERE ${dialect.identifier(name)} IS NULL`,
  )
  const missing = Number(found?.[counted] ?? 0)
  if (missing === 0) return []
  return [
    {
      code: 'kept-rows',
      count: missing,
      example: name,
      message: `${missing === 1 ? '1 row' : `${missing} rows`} that ${missing === 1 ? 'was' : 'were'} gathered before ${missing === 1 ? 'has' : 'have'} no "${name}", which the contract requires now`,
      hint: 'The contract is about the records that come from now on; a test not_null is about all rows.',
    },
  ]
}
