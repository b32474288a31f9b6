/**
 * The columns of `schemas.lock.json` as the next load makes them. The lock has what the last promotion had; names, types,
 * masks and what is left out are those of the file, which may have changed since.
 */
import type { Engine } from '../engines/engine.ts'
import { coversSource, markedSource } from '../personal/facts.ts'
import type { Asset } from '../project/project.ts'
import type { Contract, Ingest, NoIngest } from '../schema/definition.ts'
import { canonicalType } from './column-type.ts'
import { withValidity } from './history.ts'
import { leavesOut } from './keep-previous.ts'
import { listStep } from './list-step.ts'
import { type MaskRules, maskKinds, maskRules } from './masks.ts'
import { rawTables, withoutLists } from './raw-tables.ts'
import { toSnakeCase } from './snake-case.ts'
import type { RawColumn, RawTable } from './source-shape.ts'
import { promisedKeys, promisedOf } from './table-contract.ts'

type LoadedIngest = Exclude<Ingest, NoIngest>

interface Facts {
  readonly ingest: LoadedIngest
  readonly contract: Contract | undefined
  readonly engine: Engine
  readonly masks: MaskRules
  readonly marked: readonly string[]
  /** Whether `include` and `exclude` leave out the value at a path. */
  isLeftOut(path: readonly string[]): boolean
}

/** Returns the locked tables with what the definition says of their columns, and the columns that only the contract has. */
export function lockedAsDeclared(
  locked: readonly RawTable[],
  ingest: LoadedIngest,
  contract: Contract | undefined,
  engine: Engine,
): readonly RawTable[] {
  const facts: Facts = {
    ingest,
    contract,
    engine,
    masks: maskRules(ingest),
    marked: markedSource(contract),
    isLeftOut: ingest.include.length + ingest.exclude.length === 0 ? () => false : leavesOut(ingest),
  }
  const tables = locked.flatMap(table => declaredTable(table, facts))
  return withValidity(contract === undefined ? tables : withPromised(tables, facts), ingest, engine)
}

/** Returns nothing of a child table of which the definition leaves out everything. */
function declaredTable(table: RawTable, facts: Facts): RawTable[] {
  const names = new Set<string>()
  const columns = table.columns.flatMap(column => {
    const declared = column.system ? column : declaredColumn(table.child, column, facts)
    if (declared === undefined || names.has(facts.engine.fold(declared.name))) return []
    names.add(facts.engine.fold(declared.name))
    return [declared]
  })
  const hadOwn = table.columns.some(({ system }) => !system)
  const isGone = table.child !== undefined && hadOwn && columns.every(({ system }) => system)
  return isGone ? [] : [{ ...table, columns }]
}

function declaredColumn(
  child: string | undefined,
  column: RawColumn,
  { ingest, contract, engine, masks, marked, isLeftOut }: Facts,
): RawColumn | undefined {
  const own = column.path.slice(column.path.lastIndexOf(listStep) + 1)
  const written = own.map(step => (ingest.naming === 'snake' ? toSnakeCase(step) : step)).join('__')
  const { columns } = promisedOf(contract, child)
  const key = promisedKeys(columns)(written, own.join('.'))
  const promised = key === undefined ? undefined : columns[key]
  // A column that only the contract has is none of the source, so that `include` says nothing of it.
  const isOfSource = !(column.absent === true && promised !== undefined)
  if (isOfSource && isLeftOut(column.path)) return undefined
  const name = key ?? written
  const kind = masks.kindAt(withoutLists(column.path))
  const { masked, ...rest } = column
  const isPersonal = column.pii || promised?.pii === true || coversSource(marked, child, name, engine)
  return {
    ...rest,
    name,
    type:
      promised?.type === undefined
        ? typeUnder(kind, column, engine)
        : canonicalType(promised.type, engine.types),
    pii: isPersonal && !(kind !== undefined && maskKinds[kind].endsMark),
    nullable: promised?.nullable ?? true,
    ...(kind !== undefined && { masked: kind }),
  }
}

/** A masked value is text. Which type a value has whose mask was taken away, the next load says. */
function typeUnder(
  kind: RawColumn['masked'],
  { masked, type }: RawColumn,
  { types }: Engine,
): string | undefined {
  if (kind === masked || type === undefined || type === types.usual.json) return type
  return kind === undefined ? undefined : types.usual.text
}

/** Adds what the contract has and the lock lacks, with the types that the contract gives. */
function withPromised(tables: readonly RawTable[], { ingest, contract, engine }: Facts): readonly RawTable[] {
  const promised = rawTables(ingest, contract, undefined, engine).tables
  const merged = tables.map(table => {
    const names = new Set(table.columns.map(({ name }) => engine.fold(name)))
    const isMissing = ({ name }: RawColumn) => !names.has(engine.fold(name))
    const more = promised.find(({ child }) => child === table.child)?.columns ?? []
    return {
      ...table,
      columns: [
        ...more.filter(column => column.system && isMissing(column)),
        ...table.columns,
        ...more.filter(column => !column.system && isMissing(column)),
      ],
    }
  })
  const children = new Set(tables.map(({ child }) => child))
  return [
    ...merged,
    ...promised.filter(({ child }) => !children.has(child)).map(table => ({ ...table, complete: true })),
  ]
}

/** Returns what the contract alone says of the columns of a source, which may have others; undefined if it says nothing. */
export function declaredTables(
  { definition: { ingest, contract } }: Pick<Asset, 'definition'>,
  engine: Engine,
): readonly RawTable[] | undefined {
  if (contract === undefined || ingest.type === 'none') return undefined
  return rawTables(ingest, contract, undefined, engine).tables.map(table => ({ ...table, complete: false }))
}
