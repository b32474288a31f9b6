/**
 * Prepares one piece of SQL for binding: resolves tags to the catalogue's tables and lists its inputs by
 * relation. A relation that is not fully known gets a private table for this reader, with the columns that it
 * asks for.
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
import type { SqlReading } from '../language/sql/tree.ts'
import type { Range } from '../language/text/range.ts'
import { inputKey } from '../language/unit/unit-case.ts'
import { readingOf } from './read-ahead.ts'
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

/** The names that the tags of a statement may use. */
export interface World {
  /** The SQL dialect of the statements. */
  readonly engine: Engine
  /** Returns undefined if there is no such asset, or if it has no shape yet (in a cycle). */
  shapeOf(asset: string): Shape | undefined
  /** Returns the shape that the asset's own tests see. */
  ownShape(asset: string): Shape | undefined
  /** Returns the shape of the asset nearest in name to a missing one. */
  standIn(reader: string, missing: string): Shape | undefined
  rawTables(asset: string): readonly RawTable[] | undefined
  /** Returns the columns that the last run found, for SQL that does not determine all of them. */
  found(asset: string): readonly AssetColumn[] | undefined
  varValue(name: string): JsonScalar | undefined
  /**
   * Returns the asset that a table of this name most likely means, with its shape if `reader` may read it.
   */
  meant(reader: string, name: string): { readonly asset: string; readonly shape: Shape } | undefined
}

export interface Input {
  /** The name for messages. */
  readonly label: string
  /** The key in `given` of a unit test. */
  readonly key: string
  readonly relation: RelationName
  /** The engine of the table. */
  readonly engine: Engine
  shape: Shape
  /** Replaces `shape` if most of the columns that are asked for match it. */
  readonly standIn?: Shape | undefined
  /** The table must be created for this statement before it is bound. */
  readonly isPrivate: boolean
  /** Columns that the statement asks for beyond the known ones, by lower-case name. */
  readonly asked: Map<string, Column>
  /** Those of them that were written as `name.field`: `name` may also be a misspelt table. */
  readonly askedForFields: Set<string>
  readonly origin: (column: string) => ColumnOrigin
}

export interface Statement extends CompiledSql {
  /** The SQL dialect of the statement. */
  readonly engine: Engine
  readonly reader: string
  readonly path: string
  /** The asset whose file contains the statement. */
  readonly asset: Asset
  readonly template: SqlTemplate
  /** Inputs by `relationKey`. */
  readonly inputs: Map<string, Input>
  /** Relations that are meant by tables without a tag. */
  readonly meant: RelationName[]
  /** The relations of its tags, for the name binder. */
  readonly world: SqlWorld
  /** The SQL that replaces each tag. */
  readonly tagTexts: readonly string[]
  /** See `World`; nothing is found for the SQL of a test. */
  readonly found: World['found']
  /** Prepares another text in the place of this one. */
  readonly withTemplate: (template: SqlTemplate) => Statement
}

/** Replaces invalid tags, which are reported elsewhere. */
const invalidTagName = 'svc_invalid_tag'

export function readStatement({ template, engine }: Statement): SqlReading {
  return readingOf(template, engine)
}

/** Binds the names. A second pass knows the columns that the first one asked of open relations. */
export function bindNames(statement: Statement, reading: SqlReading, trace = false): BoundSql {
  return bindQueryText(reading, statement.world, statement.engine.binding, { trace })
}

export interface StatementSource {
  readonly asset: Asset
  readonly template: SqlTemplate
  /** The prefix for the names of private relations. */
  readonly reader: string
  /** The SQL of a test may use `{{ this }}` for the asset itself. */
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
    withTemplate: template => prepareStatement({ ...source, template }, world),
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

/** Resolves `FROM orders`, written for `FROM {{ ref('orders') }}`, so that its columns are checked too. */
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

/** The context for resolving tags, and the inputs that result. */
interface Resolving {
  readonly source: StatementSource
  readonly world: World
  readonly inputs: Map<string, Input>
  /** The string literals of the template. */
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
  /** The asset's own tests see another shape of it than its readers. */
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

/** Adds an input. Raw tables and relations that are not fully known are created for this reader alone. */
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
 * The relation of a tag. Its columns are computed at each access, because a stand-in may replace the shape. This is a class
 * because every tag of a project creates one, and an object literal with accessors costs many times as much.
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

/** A column of unknown name. */
const anyColumn: Column = { id: 'any', name: '', maker: { kind: 'opaque' }, value: unknownValue }

/** Returns the columns of an input's table, including the asked ones. */
export function inputColumns(input: Input): TableColumn[] {
  const asked = [...input.asked.values()].map(column => ({ name: column.name, type: undefined }))
  const rest = input.shape.complete ? [] : [{ name: placeholder, type: undefined }]
  return [...input.shape.columns, ...asked, ...rest]
}

function stringRanges(template: SqlTemplate, engine: Engine): Range[] {
  if (!template.tags.some(tag => tag.kind === 'var')) return []
  return engine.tokens(template.text).filter(token => token.kind === 'string')
}

/**
 * Returns a variable as SQL: text inside a string literal, and a literal elsewhere. Unknown variables are
 * reported by a check.
 */
function varSql(value: JsonScalar | undefined, insideString: boolean, engine: Engine): string {
  if (insideString) return String(value ?? '').replaceAll("'", "''")
  return engine.literal(value ?? null)
}
