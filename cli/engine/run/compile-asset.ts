/**
 * Compiles an asset's SQL for the warehouse: every tag is replaced by a physical relation. A `view` or
 * `ephemeral` parent is inlined as a query in parentheses where a view would otherwise read another view of
 * svc (decisions 2).
 */
import {
  type Asset,
  type CompiledSql,
  compileSql,
  hasAlias,
  materializationOf,
  type Settings,
  type Tag,
  timesWrittenOut,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { BuildRecord } from '../state/state.ts'
import type { Dialect } from '../warehouse/dialect.ts'
import type { Relation, RelationKind } from '../warehouse/warehouse.ts'
import { type Vars, variableSql } from './variable-sql.ts'

export interface CompileInputs {
  /** Returns the build of a parent; it is a bug of the caller if there is none. */
  readonly buildOf: (asset: string) => BuildRecord
  /**
   * Returns the raw relation of the asset itself: for `{{ source }}` if undefined, otherwise for a child
   * table.
   */
  readonly sourceOf: (child: string | undefined) => Relation
  /** Returns the raw load of the asset itself; it is written out where a view would otherwise read it as a view. */
  readonly loadOf: () => BuildRecord | undefined
  readonly vars: Vars
  readonly sqlLimits: Settings['limits']['sql']
}

/**
 * Returns one SELECT without a final semicolon, with a mapping of its offsets to those of the file, or an
 * SvcError `build-failed` for a query that has grown too long.
 */
export function compileAsset(asset: Asset, inputs: CompileInputs, dialect: Dialect): CompiledSql | SvcError {
  const template = asset.sql
  if (template === undefined) throw new Error(`"${asset.name}" has no SQL`)
  const { relation } = materializationOf(asset.definition.deploy.materialize)
  const compiled = compileSql(template, tag => {
    switch (tag.kind) {
      case 'ref':
        return readBuild(inputs.buildOf(tag.name), relation, template.text.slice(tag.range.end), dialect)
      case 'source':
        return readSource(tag, inputs, { reader: relation, template, dialect })
      case 'var':
        return variableSql(template, tag, inputs.vars, dialect)
      default:
        return refuse(tag)
    }
  })
  if (compiled.sql.length > timesWrittenOut * inputs.sqlLimits.characters)
    return tooLong(asset, compiled.sql.length)
  return { sql: withoutSemicolon(compiled.sql, dialect), toFile: compiled.toFile }
}

interface HookPlace {
  readonly inputs: CompileInputs
  readonly target: Relation
  readonly dialect: Dialect
}

/** Returns what a tag stands for in a statement before or after a build: always a relation, which may also be written to. */
export function readHookTag(
  tag: Tag,
  template: NonNullable<Asset['sql']>,
  { inputs, target, dialect }: HookPlace,
): string {
  switch (tag.kind) {
    case 'this':
      return dialect.storedRelation(target)
    case 'ref':
      return dialect.storedRelation(inputs.buildOf(tag.name).relation)
    case 'source':
      return dialect.storedRelation(inputs.sourceOf(tag.child))
    case 'var':
      return variableSql(template, tag, inputs.vars, dialect)
    default:
      return refuse(tag)
  }
}

function readSource(
  { child, range }: Tag & { readonly kind: 'source' },
  { sourceOf, loadOf }: CompileInputs,
  { reader, template, dialect }: Place,
): string {
  const load = child === undefined ? loadOf() : undefined
  if (load === undefined || load.sql === null) return dialect.storedRelation(sourceOf(child))
  return readBuild(load, reader, template.text.slice(range.end), dialect)
}

interface Place {
  readonly reader: RelationKind
  readonly template: NonNullable<Asset['sql']>
  readonly dialect: Dialect
}

function tooLong({ name }: Asset, length: number): SvcError {
  return new SvcError(
    'build-failed',
    `the query of "${name}" unfolds to ${length} characters, because views and ephemeral assets are written out`,
    {
      hint: 'Materialize one of the assets that it reads as a table, or raise limits.sql.length in svc.yaml.',
      asset: name,
    },
  )
}

function refuse(tag: Tag): never {
  throw new Error(`a {{ ${tag.kind} }} tag reached the compiler; the checks should have found it`)
}

/** Returns a build in a FROM clause of what becomes a table or a view. */
export function readBuild(
  build: BuildRecord,
  reader: RelationKind,
  following: string,
  dialect: Dialect,
): string {
  const byName = materializationOf(build.kind).readIn[reader] === 'name'
  if (byName || build.sql === null) return dialect.storedRelation(build.relation)
  const alias = dialect.identifier(build.asset)
  // `{{ ref('x') }}.column` refers to the relation, not to its rows.
  if (following.startsWith('.')) return alias
  const query = `(\n${build.sql}\n)`
  return hasAlias(following, dialect.engine) ? query : `${query} AS ${alias}`
}

/** Removes the final semicolon, because the query becomes part of other statements. */
export function withoutSemicolon(sql: string, { engine }: Dialect): string {
  if (!sql.includes(';')) return sql
  const tokens = engine.tokens(sql).filter(({ kind }) => kind !== 'comment')
  let end = sql.length
  for (const { start } of tokens.reverse()) {
    if (sql[start] !== ';') break
    end = start
  }
  return sql.slice(0, end)
}
