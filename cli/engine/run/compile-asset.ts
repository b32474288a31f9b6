/**
 * An asset's SQL as the warehouse runs it: every tag replaced by a physical relation. What reads a `view` or an
 * `ephemeral` asset gets its query in parentheses where a view would else name another view of ours (decisions 2).
 */
import {
  type Asset,
  type CompiledSql,
  compileSql,
  hasAlias,
  materializationOf,
  type Tag,
} from '@svc/server/language'
import { SvcError } from '../errors.ts'
import type { BuildRecord } from '../state/state.ts'
import type { Dialect } from '../warehouse/dialect.ts'
import type { Relation, RelationKind } from '../warehouse/warehouse.ts'
import { type Vars, variableSql } from './variable-sql.ts'

export interface CompileInputs {
  /** The build of a parent; a parent without one is a bug of the caller. */
  readonly buildOf: (asset: string) => BuildRecord
  /** The raw relation of the asset itself: undefined for `{{ source }}`, else a child's name. */
  readonly sourceOf: (child: string | undefined) => Relation
  readonly vars: Vars
}

/**
 * One SELECT without a semicolon at its end, with the way from its offsets to those of the file; an SvcError
 * `build-failed` for a query that has grown beyond reason.
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
        return dialect.relation(inputs.sourceOf(tag.child))
      case 'var':
        return variableSql(template, tag, inputs.vars, dialect)
      default:
        return refuse(tag)
    }
  })
  if (compiled.sql.length > longestSql) return tooLong(asset, compiled.sql.length)
  return { sql: withoutSemicolon(compiled.sql, dialect), toFile: compiled.toFile }
}

/** Views on views on views, each read twice, double at every step. */
const longestSql = 2_000_000

function tooLong({ name }: Asset, length: number): SvcError {
  return new SvcError(
    'build-failed',
    `the query of "${name}" unfolds to ${length} characters, because views and ephemeral assets are written out`,
    { hint: 'Materialize one of the assets that it reads as a table.', asset: name },
  )
}

function refuse(tag: Tag): never {
  throw new Error(`a {{ ${tag.kind} }} tag reached the compiler; the checks should have found it`)
}

/** A build in a FROM clause of what becomes a table or a view. */
export function readBuild(
  build: BuildRecord,
  reader: RelationKind,
  following: string,
  dialect: Dialect,
): string {
  const byName = materializationOf(build.kind).readIn[reader] === 'name'
  if (byName || build.sql === null) return dialect.relation(build.relation)
  const alias = dialect.identifier(build.asset)
  // `{{ ref('x') }}.column` names the relation, not its rows.
  if (following.startsWith('.')) return alias
  const query = `(\n${build.sql}\n)`
  return hasAlias(following, dialect.engine) ? query : `${query} AS ${alias}`
}

/** A query goes into other statements, so it ends before its semicolon. */
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
