/**
 * Sources are read by the embedded engine, whatever the project's engine is. Between a source and a project of another
 * engine all types are translated: those of the contract and of earlier loads on the way in, those of tables on the way out.
 */
import type { DriftChange } from '@svc/server/contract'
import {
  type Contract,
  type Engine,
  promisedType,
  type RawTable,
  readingEngine,
  type SqlType,
  storedType,
  type TableContract,
  typeNameOfSource,
  typeOfSource,
} from '@svc/server/language'
import type { BuildRecord, BuiltColumn } from '../state/state.ts'
import type { FetchContext, FetchedSource, FetchedTable, Source } from './source.ts'

/** Returns a source that speaks the types of the project's engine. */
export function inProjectTypes(source: Source): Source {
  const { sample } = source
  return {
    ...source,
    fetch: async context => outward(await source.fetch(inward(context)), context),
    ...(sample && {
      sample: async (context: FetchContext) => outward(await sample(inward(context)), context),
    }),
    peek: async context => (await source.peek(inward(context))).map(table => tableOut(table, context)),
  }
}

function isReading({ engine }: FetchContext): boolean {
  return engine.kind === readingEngine.kind
}

// ---------------------------------------------------------------- on the way in

function inward(context: FetchContext): FetchContext {
  if (isReading(context)) return context
  const { engine, asset, previous, known, loaded, base, live } = context
  const tables = (given: readonly RawTable[] | undefined) => given?.map(table => tableIn(table, engine))
  const { contract } = asset.definition
  const definition = contract && { ...asset.definition, contract: contractIn(contract, engine) }
  return {
    ...context,
    engine: readingFor(engine),
    asset: definition === undefined ? asset : overlaid(asset, { definition }),
    previous: tables(previous),
    known: tables(known),
    loaded: tables(loaded),
    base: base && { ...base, load: loadIn(base.load, engine) },
    live: live && { ...live, load: loadIn(live.load, engine) },
  }
}

/**
 * The engine that reads, for which types that the warehouse does not tell apart are one: what was stored as the wider of
 * them comes back as that, and nothing has changed at the source.
 */
function readingFor(engine: Engine): Engine {
  const { types } = readingEngine
  const stored = (type: SqlType) =>
    typeOfSource(typeOfSource(type, readingEngine, engine), engine, readingEngine)
  const { gaps } = engine.types.portable
  const { label, storage } = engine
  return {
    ...readingEngine,
    label,
    storage,
    types: {
      ...types,
      portable: { ...types.portable, ...(gaps && { gaps }) },
      widen: (a, b) => stored(types.widen(stored(a), stored(b))),
    },
  }
}

/** The value with other parts; those that are worked out when they are asked for stay that. */
export function overlaid<T extends object>(value: T, parts: Partial<T>): T {
  return new Proxy(value, {
    get: (target, key) => Reflect.get(Object.hasOwn(parts, key) ? parts : target, key),
  })
}

function typeIn(type: string, engine: Engine): string {
  return typeNameOfSource(type, engine, readingEngine)
}

/** Returns the column with another type, if it has one. */
function retyped<T extends { readonly type?: string | undefined }>(
  column: T,
  change: (type: string) => string,
): T {
  return column.type === undefined ? column : { ...column, type: change(column.type) }
}

function tableIn(table: RawTable, engine: Engine): RawTable {
  const columns = table.columns.map(column => retyped(column, type => typeIn(type, engine)))
  return { ...table, columns }
}

function contractIn(contract: Contract, engine: Engine): Contract {
  const tables = mapValues(contract.tables, table => ({ ...table, columns: promisesIn(table, engine) }))
  return { ...contract, columns: promisesIn(contract, engine), tables }
}

function promisesIn({ columns }: TableContract, engine: Engine): TableContract['columns'] {
  return mapValues(columns, column => retyped(column, type => typeIn(type, engine)))
}

function loadIn(load: BuildRecord, engine: Engine): BuildRecord {
  const columnsIn = (columns: readonly BuiltColumn[]) =>
    columns.map(column => retyped(column, type => typeIn(type, engine)))
  const children = mapValues(load.children, child => ({ ...child, columns: columnsIn(child.columns) }))
  return overlaid(load, { columns: columnsIn(load.columns), children })
}

function mapValues<T>(values: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

// ---------------------------------------------------------------- on the way out

function outward(source: FetchedSource, context: FetchContext): FetchedSource {
  if (isReading(context)) return source
  const { joining } = source
  return {
    ...source,
    tables: source.tables.map(table => fetchedOut(table, context)),
    delivered: source.delivered.map(table => tableOut(table, context)),
    drift: source.drift.map(change => driftOut(change, context)),
    ...(joining &&
      context.base && {
        joining: {
          ...joining,
          base: { ...joining.base, load: loadOut(joining.base.load, context.base.load) },
        },
      }),
  }
}

/** The load with the types of the warehouse, whose child tables may have got other names meanwhile. */
function loadOut(named: BuildRecord, stored: BuildRecord): BuildRecord {
  const tables = new Map(Object.values(stored.children).map(table => [keyOf(table), table]))
  const children = mapValues(named.children, table => tables.get(keyOf(table)) ?? table)
  return overlaid(stored, { children })
}

function keyOf({ relation: { schema, name } }: BuildRecord['children'][string]): string {
  return JSON.stringify([schema, name])
}

/** Between loads the types of columns are told, as the warehouse has them. */
function driftOut(change: DriftChange, { engine }: FetchContext): DriftChange {
  const { from, to } = change
  return {
    ...change,
    ...(typeof from === 'string' && { from: storedType(from, engine) }),
    ...(typeof to === 'string' && { to: storedType(to, engine) }),
  }
}

function fetchedOut(table: FetchedTable, context: FetchContext): FetchedTable {
  const { child } = table.shape
  const columns = table.columns.map(column => ({
    ...column,
    type: typeOut(column.type ?? 'VARCHAR', child, column.name, context),
  }))
  return { ...table, shape: tableOut(table.shape, context), columns }
}

function tableOut(table: RawTable, context: FetchContext): RawTable {
  if (isReading(context)) return table
  const columns = table.columns.map(column =>
    retyped(column, type => typeOut(type, table.child, column.name, context)),
  )
  return { ...table, columns }
}

/** What a contract promises is the type at the warehouse, also where the reader has none that is as narrow. */
function typeOut(
  type: string,
  child: string | undefined,
  column: string,
  { engine, asset }: FetchContext,
): string {
  const promised = promisedType(asset.definition.contract, child, column)
  if (promised === undefined) return storedType(type, engine)
  const canonical = engine.types.print(engine.types.parse(promised))
  return typeIn(canonical, engine) === type ? canonical : storedType(type, engine)
}
