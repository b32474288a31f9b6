/** What depends on the engine of the new project: the macros that svc supplies, and SQL of other warehouses. */
import { type Engine, engineOf, usualWarehouse } from '@svc/server/language'
import type { Template } from '../jinja/problem.ts'
import { duckdb } from './duckdb/index.ts'
import { postgres } from './postgres/index.ts'

export interface DbtDialect {
  /** The name of the engine's adapter in dbt, as in `target.type` and before the names of macros. */
  readonly adapter: string
  /** Macros of dbt and of dbt_utils, by package. */
  readonly library: readonly { readonly name: string; readonly template: Template }[]
  /** Macros of the library that take the place of installed ones. */
  readonly preferred: ReadonlySet<string>
  /** Macros that only a warehouse could answer, with what to write in their place. */
  readonly askingMacros: ReadonlyMap<string, string>
  /** What to write where columns have to be known. */
  readonly columnsHint: string
  /** Returns whether a regular expression is found in a text, as SQL; both are SQL. */
  readonly isFound: (text: string, pattern: string, flags: string) => string
  /** Returns a list of all columns but some; undefined where the SQL has none. */
  readonly excluded: ((columns: readonly string[]) => string) | undefined
  /** Rewrites SQL of other warehouses. */
  rewritten(sql: string, engine: Engine): Rewritten
  /** Returns a type of another warehouse as the engine writes it. */
  type(text: string): string
}

export interface Rewritten {
  readonly sql: string
  /** What was rewritten, as `dateadd`. */
  readonly functions: readonly string[]
}

interface Written {
  readonly dialect: DbtDialect
  readonly engine: Engine
  /** That of the profile: what was written for another warehouse is rewritten, and nothing else is. */
  readonly profile: { readonly type: string | undefined }
}

/** A type that the project declares. */
export function declaredType({ dialect, profile }: Omit<Written, 'engine'>, text: string): string {
  return profile.type === dialect.adapter ? text.trim().toLowerCase() : dialect.type(text)
}

export function rewrittenSql({ dialect, engine, profile }: Written, sql: string): Rewritten {
  return profile.type === dialect.adapter ? { sql, functions: [] } : dialect.rewritten(sql, engine)
}

const dialects: readonly DbtDialect[] = [duckdb, postgres]

/** Returns the engine of the new project: that of the profile if svc builds there. `adapter`: that of the profile. */
export function engineOfProfile(adapter: string | undefined): Engine {
  const isKnown = dialects.some(each => each.adapter === adapter)
  return engineOf(isKnown ? `${adapter}:` : usualWarehouse)
}

export function dialectOf(engine: Engine): DbtDialect {
  const dialect = dialects.find(each => each.adapter === engine.kind)
  if (dialect === undefined) throw new Error(`dbt projects do not come over to ${engine.label} yet`)
  return dialect
}
