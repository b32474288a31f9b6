/**
 * One piece of SQL made ready for the binder: tags resolved to the catalogue's relations, inputs known by relation.
 * Relations not fully known get a table of their own for this reader, with the columns that it asks for.
 */

import { compileSql } from '../language/compile/compile-sql.ts'
import type {
  Asset,
  ColumnOrigin,
  CompiledSql,
  JsonScalar,
  RawTable,
  SqlTemplate,
  Tag,
} from '../language/index.ts'
import type { OutputColumn } from '../language/lineage/values.ts'
import type { LookUp } from '../language/lineage/walk.ts'
import { sqlTokens } from '../language/syntax/sql-tokens.ts'
import { inputKey } from '../language/unit/unit-case.ts'
import { quoteLiteral } from './quoting.ts'
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
  /** Undefined: no such asset, or one that is not to be known yet (in a cycle). */
  shapeOf(asset: string): Shape | undefined
  /** The shape of the asset nearest in name to one that is missing. */
  standIn(reader: string, missing: string): Shape | undefined
  rawTables(asset: string): readonly RawTable[] | undefined
  varValue(name: string): JsonScalar | undefined
}

export interface Input {
  /** How messages call it. */
  readonly label: string
  /** How a unit test names it in `given`. */
  readonly key: string
  readonly relation: RelationName
  shape: Shape
  /** Takes the place of `shape` where most of what is asked of it fits. */
  readonly standIn?: Shape | undefined
  /** To be created for this statement before it is bound. */
  readonly isPrivate: boolean
  /** Columns that the statement asks of it beyond the known ones, by lower-case name. */
  readonly asked: Map<string, OutputColumn>
  /** Those of them that were asked as `name.field`: `name` may also be a table's, misspelt. */
  readonly askedForFields: Set<string>
  readonly origin: (column: string) => ColumnOrigin
}

export interface Statement extends CompiledSql {
  readonly reader: string
  readonly path: string
  /** Whose file it stands in. */
  readonly asset: Asset
  /** By `relationKey`. Mending an unknown table adds to them. */
  readonly inputs: Map<string, Input>
  readonly lookUp: LookUp
  /** The SQL in place of each tag. */
  readonly tagTexts: readonly string[]
  /** Names that stand for tags already reported by others. */
  readonly hasInvalidTags: boolean
}

export const invalidTagName = 'svc_invalid_tag'

export interface StatementSource {
  readonly asset: Asset
  readonly template: SqlTemplate
  /** Names the private relations. */
  readonly reader: string
  /** A test may name the asset itself. */
  readonly allowThis: boolean
}

export function prepareStatement(source: StatementSource, world: World): Statement {
  const inputs = new Map<string, Input>()
  const texts = stringRanges(source.template)
  const tagTexts: string[] = []
  const compiled = compileSql(source.template, tag => {
    const sql = tagSql(tag, source, world, inputs, texts)
    tagTexts.push(sql)
    return sql
  })
  return {
    ...compiled,
    reader: source.reader,
    path: source.asset.path,
    asset: source.asset,
    inputs,
    lookUp: lookUpIn(inputs),
    tagTexts,
    hasInvalidTags: source.template.tags.some(tag => tag.kind === 'invalid' || tag.kind === 'window'),
  }
}

function tagSql(
  tag: Tag,
  source: StatementSource,
  world: World,
  inputs: Map<string, Input>,
  texts: readonly { start: number; end: number }[],
): string {
  switch (tag.kind) {
    case 'ref':
      return addInput(inputs, source.reader, refInput(source.asset.name, tag.name, world))
    case 'source':
      return addInput(inputs, source.reader, sourceInput(source.asset.name, tag.child, world))
    case 'this':
      return addInput(inputs, source.reader, thisInput(source, world))
    case 'var':
      return varSql(
        world.varValue(tag.name),
        texts.some(text => text.start < tag.range.start && tag.range.end < text.end),
      )
    default:
      return invalidTagName
  }
}

type InputSource = Pick<Input, 'label' | 'key' | 'relation' | 'shape' | 'standIn' | 'origin'>

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
  return source.allowThis ? input : { ...input, shape: openShape }
}

function sourceInput(asset: string, child: string | undefined, world: World): InputSource {
  const table = world.rawTables(asset)?.find(each => each.child === child)
  const shape = rawShape(asset, table) ?? openShape
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
function addInput(inputs: Map<string, Input>, reader: string, source: InputSource): string {
  const isPrivate = !source.shape.complete || source.relation.schema.startsWith('svc raw')
  const relation = isPrivate ? privateRelation(reader, source.relation.table) : source.relation
  const key = relationKey(relation.schema, relation.table)
  if (!inputs.has(key))
    inputs.set(key, { ...source, relation, isPrivate, asked: new Map(), askedForFields: new Set() })
  return relationSql(relation)
}

function lookUpIn(inputs: ReadonlyMap<string, Input>): LookUp {
  return (schema, table) => {
    const input = inputs.get(relationKey(schema, table))
    if (!input) return undefined
    const { shape, asked } = input
    if (shape.complete) return { columns: shape.values, also: shape.also }
    const columns = [...shape.values, ...asked.values(), unknownColumns]
    return { columns, ask: (name, hasFields) => ask(input, name, hasFields) }
  }
}

const unknownColumns: OutputColumn = { name: placeholder, origins: [], direct: false, unknown: true }

function ask(input: Input, name: string, hasFields?: boolean): OutputColumn {
  const key = name.toLowerCase()
  if (hasFields === true) input.askedForFields.add(key)
  const known = input.asked.get(key)
  if (known) return known
  const column = { name, origins: [input.origin(name)], direct: true, unknown: true }
  input.asked.set(key, column)
  return column
}

/** The columns of an input's own table, asked ones included. */
export function inputColumns(input: Input): TableColumn[] {
  const asked = [...input.asked.values()].map(column => ({ name: column.name ?? '', type: undefined }))
  const rest = input.shape.complete ? [] : [{ name: placeholder, type: undefined }]
  return [...input.shape.columns, ...asked, ...rest]
}

function stringRanges(template: SqlTemplate): { start: number; end: number }[] {
  if (!template.tags.some(tag => tag.kind === 'var')) return []
  return sqlTokens(template.text).filter(token => token.kind === 'string')
}

/** Inside a string literal a variable is text, elsewhere a literal of its own. Unknown ones are reported by a check. */
function varSql(value: JsonScalar | undefined, insideString: boolean): string {
  if (insideString) return String(value ?? '').replaceAll("'", "''")
  if (value === undefined || value === null) return 'NULL'
  return typeof value === 'string' ? quoteLiteral(value) : String(value)
}
