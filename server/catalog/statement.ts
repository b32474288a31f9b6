/**
 * One piece of SQL made ready for the binder: tags resolved to the catalogue's relations, inputs known by relation.
 * Relations not fully known get a table of their own for this reader, with the columns that it asks for.
 */

import { compileSql } from '../language/compile/compile-sql.ts'
import type {
  Asset,
  Column as AssetColumn,
  ColumnOrigin,
  CompiledSql,
  Engine,
  JsonScalar,
  RawTable,
  SqlTemplate,
  Tag,
} from '../language/index.ts'
import { bindQueryText } from '../language/sql/binder/bind.ts'
import { inputColumn } from '../language/sql/binder/input-column.ts'
import type { BoundSql, Column, TaggedRelation } from '../language/sql/binder/model.ts'
import { unknownValue } from '../language/sql/binder/values.ts'
import type { SqlWorld } from '../language/sql/binder/world.ts'
import { readSql } from '../language/sql/reader/read-sql.ts'
import type { SqlReading } from '../language/sql/tree.ts'
import type { Range } from '../language/text/range.ts'
import { inputKey } from '../language/unit/unit-case.ts'
import {
  assetRelation,
  placeholder,
  privateRelation,
  type RelationName,
  rawRelation,
  relationKey,
  relationSql,
  type TableColumn,
} from './relations.ts'
import { openShape, rawOrigin, rawShape, type Shape } from './shape.ts'

/** What the statement's tags may name. */
export interface World {
  /** In whose SQL statements are written. */
  readonly engine: Engine
  /** Undefined: no such asset, or one that is not to be known yet (in a cycle). */
  shapeOf(asset: string): Shape | undefined
  /** What the tests of an asset may ask of it. */
  ownShape(asset: string): Shape | undefined
  /** The shape of the asset nearest in name to one that is missing. */
  standIn(reader: string, missing: string): Shape | undefined
  rawTables(asset: string): readonly RawTable[] | undefined
  /** What the last run found where SQL does not tell all columns. */
  found(asset: string): readonly AssetColumn[] | undefined
  varValue(name: string): JsonScalar | undefined
  /** The asset that a table of this name was most likely meant to be, with its shape where `reader` may read it. */
  meant(reader: string, name: string): { readonly asset: string; readonly shape: Shape } | undefined
}

export interface Input {
  /** How messages call it. */
  readonly label: string
  /** How a unit test names it in `given`. */
  readonly key: string
  readonly relation: RelationName
  /** Whose table it is. */
  readonly engine: Engine
  shape: Shape
  /** Takes the place of `shape` where most of what is asked of it fits. */
  readonly standIn?: Shape | undefined
  /** To be created for this statement before it is bound. */
  readonly isPrivate: boolean
  /** Columns that the statement asks of it beyond the known ones, by lower-case name. */
  readonly asked: Map<string, Column>
  /** Those of them that were asked as `name.field`: `name` may also be a table's, misspelt. */
  readonly askedForFields: Set<string>
  readonly origin: (column: string) => ColumnOrigin
}

export interface Statement extends CompiledSql {
  /** In whose SQL it is written. */
  readonly engine: Engine
  readonly reader: string
  readonly path: string
  /** Whose file it stands in. */
  readonly asset: Asset
  readonly template: SqlTemplate
  /** By `relationKey`. */
  readonly inputs: Map<string, Input>
  /** Relations that tables without a tag were taken for. */
  readonly meant: RelationName[]
  /** What its tags stand for, for the binder of names. */
  readonly world: SqlWorld
  /** The SQL in place of each tag. */
  readonly tagTexts: readonly string[]
  /** As `World`; for the SQL of a test nothing was found. */
  readonly found: World['found']
}

/** Stands for tags that others report; nothing is called so. */
const invalidTagName = 'svc_invalid_tag'

export function readStatement({ template, engine }: Statement): SqlReading {
  return readSql(template.text, engine.grammar)
}

/** Its names bound; a second time the columns that were asked of open relations are known. */
export function bindNames(statement: Statement, reading: SqlReading, trace = false): BoundSql {
  return bindQueryText(reading, statement.world, statement.engine.binding, { trace })
}

export interface StatementSource {
  readonly asset: Asset
  readonly template: SqlTemplate
  /** Names the private relations. */
  readonly reader: string
  /** A test may name the asset itself. */
  readonly allowThis: boolean
}

export function prepareStatement(source: StatementSource, world: World): Statement {
  const { engine } = world
  const inputs = new Map<string, Input>()
  const resolving: Resolving = { source, world, inputs, texts: stringRanges(source.template, engine) }
  const tagTexts: string[] = []
  const relations = new Map<string, TaggedRelation>()
  const meant: RelationName[] = []
  const compiled = compileSql(source.template, tag => {
    const { sql, relation } = resolvedTag(tag, resolving)
    tagTexts.push(sql)
    relations.set(source.template.text.slice(tag.range.start, tag.range.end), relation)
    return sql
  })
  return {
    ...compiled,
    engine,
    reader: source.reader,
    path: source.asset.path,
    asset: source.asset,
    template: source.template,
    inputs,
    meant,
    world: {
      table: tag => relations.get(tag) ?? nothing,
      returnType: () => undefined,
      meant: name => meantTable(source, world, name, meant),
    },
    tagTexts,
    found: asset => (source.allowThis ? undefined : world.found(asset)),
  }
}

const nothing: TaggedRelation = {
  kind: 'unknown',
  name: '',
  asset: undefined,
  label: 'the table',
  columns: [],
  open: undefined,
}

/** `FROM orders` in place of `FROM {{ ref('orders') }}`: what is asked of it is checked all the same. */
function meantTable(
  source: StatementSource,
  world: World,
  name: string,
  meant: RelationName[],
): ReturnType<NonNullable<SqlWorld['meant']>> {
  const found = world.meant(source.asset.name, name)
  if (found === undefined || !found.shape.complete) return undefined
  const { asset, shape } = found
  const relation = assetRelation(asset)
  meant.push(relation)
  const columns = shape.values
  return {
    relation: { kind: 'asset', name: asset, asset, label: asset, columns, open: undefined, also: shape.also },
    sql: relationSql(relation, world.engine),
  }
}

/** What tags are resolved with, and the inputs that come of them. */
interface Resolving {
  readonly source: StatementSource
  readonly world: World
  readonly inputs: Map<string, Input>
  /** Where the template has texts. */
  readonly texts: readonly Range[]
}

interface ResolvedTag {
  readonly sql: string
  readonly relation: TaggedRelation
}

function resolvedTag(tag: Tag, resolving: Resolving): ResolvedTag {
  const { source, world, texts } = resolving
  const reader = source.asset.name
  switch (tag.kind) {
    case 'ref':
      return addInput(resolving, refInput(reader, tag.name, world), 'asset', tag.name)
    case 'source':
      return addInput(resolving, sourceInput(reader, tag.child, world), 'source')
    case 'this':
      return addInput(resolving, thisInput(source, world), 'this', reader)
    case 'var': {
      const isInText = texts.some(text => text.start < tag.range.start && tag.range.end < text.end)
      return {
        sql: varSql(world.varValue(tag.name), isInText, world.engine),
        relation: { ...nothing, kind: 'value' },
      }
    }
    default:
      return { sql: invalidTagName, relation: nothing }
  }
}

type InputSource = Pick<Input, 'label' | 'key' | 'relation' | 'shape' | 'standIn' | 'origin'> & {
  /** Others see another shape of it. */
  readonly isOwn?: boolean
}

function refInput(reader: string, name: string, world: World): InputSource {
  const known = world.shapeOf(name)
  const shape = known ?? openShape
  const standIn = known ? undefined : world.standIn(reader, name)
  return {
    label: name,
    key: inputKey({ kind: 'ref', name }),
    relation: assetRelation(name),
    shape,
    standIn,
    origin: column => ({ asset: name, column }),
  }
}

function thisInput(source: StatementSource, world: World): InputSource {
  const input = refInput(source.asset.name, source.asset.name, world)
  const shape = source.allowThis ? (world.ownShape(source.asset.name) ?? input.shape) : openShape
  return { ...input, shape, isOwn: shape !== input.shape }
}

function sourceInput(asset: string, child: string | undefined, world: World): InputSource {
  const table = world.rawTables(asset)?.find(each => each.child === child)
  const shape = rawShape(asset, table, world.engine) ?? openShape
  const label = child === undefined ? 'the source' : `source "${child}"`
  return {
    label,
    key: inputKey({ kind: 'source', ...(child !== undefined && { child }) }),
    relation: rawRelation(asset, child),
    shape,
    origin: column => rawOrigin(asset, child, column),
  }
}

/** Raw tables and relations that are not fully known are made for this reader alone. */
function addInput(
  { source: { reader }, world: { engine }, inputs }: Resolving,
  source: InputSource,
  kind: 'asset' | 'source' | 'this',
  asset?: string,
): ResolvedTag {
  const isPrivate =
    !source.shape.complete || source.isOwn === true || source.relation.schema.startsWith('svc raw')
  const relation = isPrivate ? privateRelation(reader, source.relation.table) : source.relation
  const key = relationKey(relation.schema, relation.table)
  const input = inputs.get(key) ?? {
    ...source,
    relation,
    engine,
    isPrivate,
    asked: new Map(),
    askedForFields: new Set(),
  }
  inputs.set(key, input)
  return { sql: relationSql(relation, engine), relation: new InputRelation(input, kind, asset) }
}

/**
 * What the input is known to have is asked for anew each time: a stand-in may take its place. A class, because every tag
 * of a project makes one, and a literal with accessors costs many times as much.
 */
class InputRelation implements TaggedRelation {
  readonly kind: 'asset' | 'source' | 'this'
  readonly name: string
  readonly asset: string | undefined
  readonly label: string
  readonly #input: Input

  constructor(input: Input, kind: 'asset' | 'source' | 'this', asset: string | undefined) {
    this.kind = kind
    this.name = input.relation.table
    this.asset = asset
    this.label = input.label
    this.#input = input
  }

  get columns() {
    const { shape, asked } = this.#input
    return shape.complete || asked.size === 0 ? shape.values : [...shape.values, ...asked.values()]
  }

  get open() {
    if (this.#input.shape.complete) return undefined
    return (name: string, hasFields: boolean) => ask(this.#input, name, hasFields)
  }

  get also() {
    return this.#input.shape.also
  }
}

function ask(input: Input, name: string, hasFields: boolean): Column {
  if (name === '') return anyColumn
  const { binding } = input.engine
  const key = binding.fold(name)
  if (hasFields) input.askedForFields.add(key)
  const known = input.asked.get(key)
  if (known !== undefined) return known
  const column = inputColumn(input.origin(name), undefined, false, binding)
  input.asked.set(key, column)
  return column
}

/** One of which nobody knows the name. */
const anyColumn: Column = { id: 'any', name: '', maker: { kind: 'opaque' }, value: unknownValue }

/** The columns of an input's own table, asked ones included. */
export function inputColumns(input: Input): TableColumn[] {
  const asked = [...input.asked.values()].map(column => ({ name: column.name, type: undefined }))
  const rest = input.shape.complete ? [] : [{ name: placeholder, type: undefined }]
  return [...input.shape.columns, ...asked, ...rest]
}

function stringRanges(template: SqlTemplate, engine: Engine): Range[] {
  if (!template.tags.some(tag => tag.kind === 'var')) return []
  return engine.tokens(template.text).filter(token => token.kind === 'string')
}

/** Inside a string literal a variable is text, elsewhere a literal of its own. Unknown ones are reported by a check. */
function varSql(value: JsonScalar | undefined, insideString: boolean, engine: Engine): string {
  if (insideString) return String(value ?? '').replaceAll("'", "''")
  return engine.literal(value ?? null)
}
