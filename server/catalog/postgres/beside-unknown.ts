/**
 * Statements that read values of unknown type. What can be called for those would make a literal without a type mean several
 * things, so that it is in sight of these statements alone, and there only as long as no call beside it is ambiguous for it.
 */
import type { PGlite } from '@electric-sql/pglite'
import { literal, quote } from '../../language/engines/postgres/names.ts'
import type { BindResult } from '../binder.ts'
import { searchPaths, unknownSchema, unknownType } from './unknown-type.ts'

type Rows = (sql: string) => Promise<readonly (readonly unknown[])[]>

/** Does the work after statements, and takes back what they changed. */
export async function takenBack<T>(
  database: PGlite,
  statements: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  if (statements.length === 0) return await work()
  await database.exec(['BEGIN', ...statements].join(';'))
  try {
    return await work()
  } finally {
    await database.exec('ROLLBACK')
  }
}

/** Sets where names are looked up, where that differs from the last time. */
export function lookUpBy(database: PGlite): (path: string) => Promise<void> {
  let current: string | undefined
  return async path => {
    if (path === current) return
    await database.exec(`SET search_path = ${path}`)
    current = path
  }
}

/** Knows which queries read tables with columns of unknown type, by the names of those tables. */
export function tablesOfUnknown(rows: Rows) {
  let isStale = false
  let tables: readonly string[] = []
  const pathOf = async (sql: string): Promise<string> => {
    if (isStale) {
      isStale = false
      const found = await rows(
        `SELECT DISTINCT nspname, relname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
          JOIN pg_namespace n ON n.oid = relnamespace WHERE atttypid = '${unknownType}'::regtype AND relkind = 'f'`,
      )
      tables = found.map(name => name.map(part => quote(String(part))).join('.'))
    }
    return tables.some(name => sql.includes(name)) ? searchPaths.withUnknown : searchPaths.usual
  }
  return {
    pathOf,
    /** To call with all statements that are run: they may make such tables. */
    heed(statements: readonly string[]): void {
      isStale ||= statements.some(sql => sql.includes(unknownType))
    },
    async byPath(queries: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
      const parts = new Map<string, string[]>()
      for (const sql of queries) {
        const path = await pathOf(sql)
        parts.set(path, [...(parts.get(path) ?? []), sql])
      }
      return parts
    },
  }
}

/**
 * Describes a query again without what makes its calls ambiguous, until it binds or is refused for another reason.
 * `describeAfter` does so after statements that it takes back.
 */
export async function withoutClashes(
  rows: Rows,
  first: BindResult,
  describeAfter: (statements: readonly string[]) => Promise<BindResult>,
): Promise<BindResult> {
  let result = first
  const tried = new Set<string>()
  const drops = new Set<string>()
  for (let call = clashIn(result); call !== undefined && !tried.has(call); call = clashIn(result)) {
    tried.add(call)
    for (const drop of await dropsFor(rows, call)) drops.add(drop)
    result = await describeAfter([...drops])
  }
  return result
}

/** Returns the ambiguous call of a literal without a type, among whose arguments none is a value of unknown type. */
function clashIn(result: BindResult): string | undefined {
  if (!('error' in result)) return undefined
  const { call = '', subtype } = result.error
  return subtype === 'ambiguous-call' && /\bunknown\b/.test(call) ? call : undefined
}

/** Returns the statements that drop what `name(type, unknown)` could mean of our own. */
async function dropsFor(rows: Rows, call: string): Promise<readonly string[]> {
  const name = call.slice(0, call.indexOf('('))
  const types = call.slice(call.indexOf('(') + 1, -1).split(', ')
  const fits = (column: string, index: number) =>
    types[index] === 'unknown' ? 'true' : `format_type(${column}, NULL) = ${literal(types[index] ?? '')}`
  const ofOurs = `= '${unknownSchema}'::regnamespace`
  const found = await rows(
    `SELECT 'DROP OPERATOR ' || oid::regoperator::text FROM pg_operator WHERE oprnamespace ${ofOurs} AND oprname = ${literal(name)}
        AND ${fits('oprleft', 0)} AND ${fits('oprright', 1)}
      UNION ALL SELECT 'DROP ROUTINE ' || oid::regprocedure::text FROM pg_proc
        WHERE pronamespace ${ofOurs} AND proname = ${literal(name)} AND pronargs = ${types.length}`,
  )
  return found.map(([drop]) => String(drop))
}
