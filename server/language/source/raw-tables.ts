/**
 * Derives the raw tables of a source (decisions 1): nested objects become columns `parent__child`, lists of
 * objects become child tables with the key `_svc_parent_id`, and values below `nested.depth` become one JSON
 * column. It is pure and reads no values, so that the loader and the editor get the same answer.
 */
import type { Engine } from '../engines/engine.ts'
import { readingEngine } from '../engines/index.ts'
import { findColumn } from '../names/find-column.ts'
import { warehouseSpelling } from '../names/resolve-name.ts'
import { coversSource, markedSource } from '../personal/facts.ts'
import type { Contract, ContractColumn, Ingest, NoIngest } from '../schema/definition.ts'
import { isInWarehouse } from '../sources/index.ts'
import type { NodePath } from '../syntax/node.ts'
import { canonicalType } from './column-type.ts'
import { deliveredType, systemColumn } from './delivered-type.ts'
import { elementFields } from './element-fields.ts'
import { keepsHistory, withValidity } from './history.ts'
import { listStep } from './list-step.ts'
import { type MaskRules, maskedType, maskKinds, maskRules } from './masks.ts'
import { ownerOfName } from './owner-of-name.ts'
import { type PathPattern, type PatternsLike, pathPattern, patternsLike } from './path-pattern.ts'
import { toSnakeCase } from './snake-case.ts'
import type { RawColumn, RawTable, SourceField, SourceType } from './source-shape.ts'
import { structType } from './struct-type.ts'
import { isTableOf, promisedKeys, promisedOf, promisedTables, tableKey } from './table-contract.ts'
import { tooWide } from './too-wide.ts'

export interface RawTables {
  /** The table of `{{ source }}`, then its child tables in the order of the source. */
  readonly tables: readonly RawTable[]
  /** Paths that `include` and `exclude` left out, as source names joined by dots. */
  readonly excluded: readonly string[]
  /** The reasons why these tables are impossible; empty if they are not. */
  readonly problems: readonly RawTableProblem[]
  /** Patterns of `include`, `exclude` and `mask` that match nothing in the source. */
  readonly unmatched: readonly string[]
}

export interface RawTableProblem {
  readonly code:
    | 'names-meet'
    | 'reserved-name'
    | 'child-not-a-list'
    | 'exclude-inside-json'
    | 'unknown-primary-key'
    | 'history-of-lists'
    | 'wrong-value'
  readonly message: string
  readonly hint: string
  /** The key of the definition that causes the problem. */
  readonly at: NodePath
}

type LoadedIngest = Exclude<Ingest, NoIngest>

/**
 * Derives the tables. `recordType` is undefined if nothing is known of the source; then there are only the
 * contract's columns.
 */
export function rawTables(
  ingest: LoadedIngest,
  contract: Contract | undefined,
  recordType: SourceType | undefined,
  engine: Engine,
): RawTables {
  const walk = new Walk(ingest, contract, engine)
  walk.refuseStructs()
  const root = walk.table(undefined, [])
  const masked = recordType && maskedType(recordType, walk.masks)
  const record = masked?.kind === 'struct' ? masked : undefined
  if (record !== undefined) walk.fields(root, record.fields, [], [], 0)
  walk.addContractOnlyColumns(record !== undefined)
  if (record !== undefined) walk.checkPrimaryKey(root)
  if (keepsHistory(ingest)) walk.refuseLists()
  const own = walk.tables.map(table => withSystemColumns(table, record !== undefined, engine))
  const tables = withValidity(own, ingest, engine)
  const unmatched = record === undefined ? [] : walk.unmatched()
  const problems = [...walk.problems, ...tooWide(tables, engine)]
  // Of a table that cannot be, as many columns are known as there can be, so that nothing follows from it.
  const { mostColumns } = engine.storage
  const narrow = tables.map(table => ({ ...table, columns: table.columns.slice(0, mostColumns) }))
  return { tables: narrow, excluded: walk.excluded, problems, unmatched }
}

interface Draft {
  readonly child: string | undefined
  readonly path: readonly string[]
  readonly columns: RawColumn[]
  /** The source path by folded column name. */
  readonly names: Map<string, string>
  hasChildren: boolean
}

class Walk {
  readonly tables: Draft[] = []
  readonly excluded: string[] = []
  readonly problems: RawTableProblem[] = []
  private readonly ingest: LoadedIngest
  private readonly contract: Contract | undefined
  private readonly engine: Engine
  /** A table of the warehouse is read by the warehouse itself. */
  private readonly reader: Engine
  /** The names of the columns that are marked as personal. */
  private readonly marked: readonly string[]
  private readonly include: readonly PathPattern[]
  private readonly exclude: readonly PathPattern[]
  private readonly like: Readonly<Record<'include' | 'exclude', PatternsLike>>
  readonly masks: MaskRules
  private readonly usedPatterns = new Set<string>()
  private readonly usedContract = new Set<string>()
  private readonly childNames = new Map<string, string>()

  constructor(ingest: LoadedIngest, contract: Contract | undefined, engine: Engine) {
    this.ingest = ingest
    this.contract = contract
    this.engine = engine
    this.reader = isInWarehouse(ingest) ? engine : readingEngine
    this.marked = markedSource(contract)
    this.include = ingest.include.map(pattern => pathPattern(pattern, ingest.naming))
    this.exclude = ingest.exclude.map(pattern => pathPattern(pattern, ingest.naming))
    this.like = {
      include: patternsLike(this.include, ingest.naming),
      exclude: patternsLike(this.exclude, ingest.naming),
    }
    this.masks = maskRules(ingest)
  }

  table(child: string | undefined, path: readonly string[]): Draft {
    const draft: Draft = { child, path, columns: [], names: new Map(), hasChildren: false }
    const place = withoutLists(path)
    if (child !== undefined) this.claim(this.childNames, child, place, 'child table')
    this.tables.push(draft)
    return draft
  }

  fields(
    table: Draft,
    fields: readonly SourceField[],
    path: readonly string[],
    prefix: readonly string[],
    depth: number,
  ): void {
    for (const field of fields) {
      this.field(table, field.type, [...path, field.name], [...prefix, this.rename(field.name)], depth)
    }
  }

  private field(
    table: Draft,
    type: SourceType,
    path: readonly string[],
    names: readonly string[],
    depth: number,
  ): void {
    const place = withoutLists(path)
    for (const name of this.masks.namesFor(place)) this.usedPatterns.add(name)
    if (this.leftOut(place)) {
      this.excluded.push(place.join('.'))
      return
    }
    const name = names.join('__')
    const promised = this.promised(table, name, place)
    const opens = this.ingest.nested.mode === 'tables' && depth < this.ingest.nested.depth
    if (promised?.column.type === undefined && opens && this.open(table, type, path, names, depth)) return
    if (!this.loads(type, place)) {
      this.excluded.push(place.join('.'))
      return
    }
    const delivered = promised?.column.type === undefined ? this.typeOf(type, place) : undefined
    if (delivered === nothingLeft) return
    if (this.ingest.nested.mode !== 'struct') this.refuseHoles(type, place)
    this.refuseNoList(table, names, place)
    this.addColumn(table, promised?.name ?? name, path, delivered, promised)
  }

  /** Returns whether a value is loaded that is not left out: it is included, or it is a struct of which a field is. */
  private loads(type: SourceType, place: readonly string[]): boolean {
    if (this.included(place)) return true
    const isStruct = type.kind === 'struct' || (type.kind === 'list' && type.element.kind === 'struct')
    return (
      this.ingest.nested.mode === 'struct' &&
      isStruct &&
      this.include.some(pattern => pattern.reachesInto(place))
    )
  }

  /** Returns the type of a value that becomes one column; undefined if only NULLs were seen. */
  private typeOf(type: SourceType, place: readonly string[]): string | typeof nothingLeft | undefined {
    const { mode, depth } = this.ingest.nested
    if (mode !== 'struct' || type.kind === 'unknown')
      return deliveredType(type, mode, this.engine, this.reader)
    const whole = structType(type, place, {
      engine: this.engine,
      depth,
      rename: name => this.rename(name),
      keeps: (field, own) => {
        for (const name of this.masks.namesFor(own)) this.usedPatterns.add(name)
        const isKept = !this.leftOut(own) && this.loads(field, own)
        if (!isKept) this.excluded.push(own.join('.'))
        return isKept
      },
      onWhole: (value, own) => this.refuseHoles(value, own),
      onMeeting: ([first, second], name) => this.reportMeeting(first, second, 'field', name),
    })
    return whole === undefined ? nothingLeft : this.engine.types.print(whole)
  }

  /** Reports `nested: struct` on an engine without types for it. */
  refuseStructs(): void {
    if (this.ingest.nested.mode !== 'struct' || this.engine.types.hasStructs) return
    this.problems.push({
      code: 'wrong-value',
      message: `nested: struct needs a warehouse with types for objects, and ${this.engine.kind} has none`,
      hint: 'Write nested: json, or nested: tables.',
      at: ['ingest', 'nested'],
    })
  }

  /** Descends into an object or a list of objects; returns false for other values. */
  private open(
    table: Draft,
    type: SourceType,
    path: readonly string[],
    names: readonly string[],
    depth: number,
  ): boolean {
    if (type.kind === 'struct' && type.fields.length > 0) {
      this.fields(table, type.fields, path, names, depth + 1)
      return true
    }
    const child = childName(table, names)
    const fields = elementFields(type, this.declares(child))
    if (fields === undefined) return false
    const place = withoutLists(path)
    if (!this.included(place) && !this.include.some(pattern => pattern.reachesInto(place))) return false
    const draft = this.table(child, [...path, listStep])
    this.fields(draft, fields, [...path, listStep], [], depth + 1)
    if (draft.columns.length > 0 || draft.hasChildren || this.declares(child)) table.hasChildren = true
    else this.tables.splice(this.tables.indexOf(draft), 1)
    return true
  }

  private leftOut(place: readonly string[]): boolean {
    return this.isCovered('exclude', place)
  }

  private included(place: readonly string[]): boolean {
    return this.include.length === 0 || this.isCovered('include', place)
  }

  private isCovered(key: 'include' | 'exclude', place: readonly string[]): boolean {
    const hits = this.like[key](place).filter(pattern => pattern.covers(place))
    for (const hit of hits) this.usedPatterns.add(hit.text)
    return hits.length > 0
  }

  /** Reports a value that is kept as JSON although `exclude` names something inside it. */
  private refuseHoles(type: SourceType, place: readonly string[]): void {
    if (type.kind === 'scalar' || type.kind === 'unknown') return
    this.exclude.forEach((pattern, index) => {
      if (!pattern.reachesInto(place)) return
      this.usedPatterns.add(pattern.text)
      this.problems.push({
        code: 'exclude-inside-json',
        message: `"${pattern.text}" cannot be left out: "${place.join('.')}" is loaded as one value`,
        hint: `Exclude "${place.join('.')}" as a whole, or give ingest.nested mode tables and a greater depth.`,
        at: ['ingest', 'exclude', index],
      })
    })
  }

  private declares(child: string): boolean {
    return this.contract !== undefined && tableKey(this.contract, child) !== undefined
  }

  /** Reports a value that is no list of objects where the contract promises a child table. */
  private refuseNoList(table: Draft, names: readonly string[], place: readonly string[]): void {
    const child = childName(table, names)
    if (!this.declares(child)) return
    this.childNames.set(this.engine.fold(child), place.join('.'))
    this.noChild(child, `"${place.join('.')}" is loaded as one value`)
  }

  private noChild(child: string, reason: string): void {
    this.problems.push({
      code: 'child-not-a-list',
      message: `the contract promises the child table "${child}", but ${reason}`,
      hint: 'A child table is a list of objects. Check the source, ingest.nested, and contract.tables.',
      at: ['contract', 'tables', child],
    })
  }

  /** Finds what the contract says of a value. Names in a child table begin at its records. */
  private promised(
    table: Draft,
    name: string,
    place: readonly string[],
  ): { name: string; column: ContractColumn } | undefined {
    const source = place.slice(withoutLists(table.path).length).join('.')
    const { columns } = promisedOf(this.contract, table.child)
    const key = promisedKeys(columns)(name, source)
    const column = key === undefined ? undefined : columns[key]
    if (key === undefined || column === undefined) return undefined
    this.usedContract.add(promiseKey(table.child, key))
    return { name: key, column }
  }

  private addColumn(
    table: Draft,
    name: string,
    path: readonly string[],
    delivered: string | undefined,
    promised: { column: ContractColumn; absent?: true } | undefined,
  ): void {
    const place = withoutLists(path)
    if (!this.claim(table.names, name, place, 'column')) return
    const masked = this.masks.kindAt(place)
    const isPersonal =
      promised?.column.pii === true || coversSource(this.marked, table.child, name, this.engine)
    table.columns.push({
      name,
      type:
        promised?.column.type === undefined
          ? delivered
          : canonicalType(promised.column.type, this.engine.types),
      path,
      system: false,
      pii: isPersonal && !(masked !== undefined && maskKinds[masked].endsMark),
      nullable: promised?.column.nullable ?? true,
      ...(masked !== undefined && { masked }),
      ...(promised?.absent === true && { absent: true }),
    })
  }

  /** Returns false if the name is taken or invalid, which is reported. */
  private claim(
    names: Map<string, string>,
    name: string,
    place: readonly string[],
    what: 'column' | 'child table',
  ): boolean {
    const source = place.join('.')
    const whose = ownerOfName(name, what, this.engine)
    if (whose !== undefined) {
      this.problems.push({
        code: 'reserved-name',
        message: `"${source}" becomes the ${what} ${name}, and ${whose}`,
        hint: `Exclude "${source}", or rename it with contract.columns and from.`,
        at: ['ingest'],
      })
      return false
    }
    const folded = this.engine.fold(name)
    const other = names.get(folded)
    if (other === undefined) {
      names.set(folded, source)
      return true
    }
    this.reportMeeting(other, source, what, name)
    return false
  }

  private reportMeeting(first: string, second: string, what: string, name: string): void {
    this.problems.push({
      code: 'names-meet',
      message: `"${first}" and "${second}" both become the ${what} ${name}`,
      hint:
        what === 'field'
          ? 'Exclude one of them, or write naming: source.'
          : 'Exclude one of them, rename one with contract.columns and from, or write naming: source.',
      at: ['ingest'],
    })
  }

  /**
   * Adds tables and columns of the contract that the source lacks: empty tables, and NULLs of their type.
   * `isKnown`: its columns are known, so that these are not among them.
   */
  addContractOnlyColumns(isKnown: boolean): void {
    for (const promised of promisedTables(this.contract)) {
      const { columns } = promised
      const table =
        this.tables.find(each => isTableOf(this.contract, each.child, promised)) ??
        this.promisedChild(promised.child)
      if (table === undefined) continue
      const { child } = table
      for (const [name, column] of Object.entries(columns)) {
        if (!this.usedContract.has(promiseKey(child, name))) this.addPromised(table, name, column, isKnown)
      }
    }
  }

  private addPromised(table: Draft, name: string, column: ContractColumn, isKnown: boolean): void {
    const own = column.from === undefined ? [name] : column.from.split('.')
    const path = [...table.path, ...own]
    const place = withoutLists(path)
    if (table.names.has(this.engine.fold(name))) {
      this.claim(table.names, name, place, 'column')
      return
    }
    if (this.leftOut(place)) return
    this.addColumn(table, name, path, undefined, { column, ...(isKnown && { absent: true }) })
  }

  /** Makes a child table that only the contract knows, below the table that its name begins with. */
  private promisedChild(written: string | undefined): Draft | undefined {
    const isSnake = this.ingest.naming === 'snake'
    const child = isSnake && written !== undefined ? warehouseSpelling(written) : written
    if (child === undefined || this.childNames.has(this.engine.fold(child))) return undefined
    const { mode } = this.ingest.nested
    if (mode !== 'tables') {
      this.noChild(child, `ingest.nested has mode ${mode}`)
      return undefined
    }
    const parent = this.tables
      .filter(each => each.child === undefined || child.startsWith(`${each.child}__`))
      .reduce((best, each) => ((each.child ?? '').length > (best.child ?? '').length ? each : best))
    const own = parent.child === undefined ? child : child.slice(parent.child.length + 2)
    const path = [...parent.path, own, listStep]
    if (this.leftOut(withoutLists(path))) return undefined
    parent.hasChildren = true
    return this.table(child, path)
  }

  checkPrimaryKey(root: Draft): void {
    this.ingest.primaryKey.forEach((key, index) => {
      if (findColumn(root.columns, key, this.engine) !== undefined) return
      const names = root.columns.map(column => column.name)
      this.problems.push({
        code: 'unknown-primary-key',
        message: `the primary key "${key}" is no column of the source`,
        hint:
          names.length === 0
            ? 'No column of the source is left: check include and exclude.'
            : `It has: ${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}.`,
        at: ['ingest', 'primary_key', index],
      })
    })
  }

  /** The rows of a list belong to one version of their record, and nothing tells which. */
  refuseLists(): void {
    const lists = this.tables.flatMap(({ child, path }) => (child === undefined ? [] : [{ child, path }]))
    if (lists.length === 0) return
    const names = lists.map(({ child }) => `"${child}"`).join(', ')
    this.problems.push({
      code: 'history-of-lists',
      message: `write: scd2 keeps the versions of one table, and the source has lists of objects: ${names}`,
      hint: 'Write nested: json, so that a list is a value of its record, or leave it out with exclude.',
      at: ['ingest', 'write'],
    })
  }

  unmatched(): string[] {
    const patterns = [...this.include, ...this.exclude].map(pattern => pattern.text)
    return [...patterns, ...Object.keys(this.ingest.mask)].filter(text => !this.usedPatterns.has(text))
  }

  private rename(name: string): string {
    return this.ingest.naming === 'snake' ? toSnakeCase(name) : name
  }
}

function promiseKey(child: string | undefined, column: string): string {
  return `${child ?? ''}\n${column}`
}

/** Returns a path as the steps at the source. */
export function withoutLists(path: readonly string[]): string[] {
  return path.filter(step => step !== listStep)
}

function childName(table: Draft, names: readonly string[]): string {
  return table.child === undefined ? names.join('__') : `${table.child}__${names.join('__')}`
}

/** Nothing of a value is loaded: all of its fields are left out. */
const nothingLeft = Symbol('nothing left')

function withSystemColumns(draft: Draft, complete: boolean, { types: { usual } }: Engine): RawTable {
  const system: RawColumn[] = []
  if (draft.hasChildren) system.push(systemColumn('_svc_id', usual.text, []))
  if (draft.child !== undefined) {
    system.push(
      systemColumn('_svc_parent_id', usual.text, []),
      systemColumn('_svc_idx', usual.integer, draft.path),
    )
  }
  return { child: draft.child, columns: [...system, ...draft.columns], complete }
}
