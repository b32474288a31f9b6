/** What the catalogue of a PostgreSQL says of its functions, beside what svc says of them. */
import { effectLists, effectOf, ownEffects } from '../../server/language/engines/postgres/function-effects.ts'

type Rows = (sql: string) => Promise<readonly (readonly unknown[])[]>

interface ServerFunction {
  readonly name: string
  readonly arguments: readonly number[]
}

/** Those that SQL can call and that are not IMMUTABLE, with the numbers of arguments of such forms. */
export async function functionsOfServer(rows: Rows): Promise<readonly ServerFunction[]> {
  const found = await rows(
    `SELECT proname, string_agg(DISTINCT pronargs::text, ' ') FROM pg_proc
      WHERE provolatile <> 'i' AND pronamespace = 'pg_catalog'::regnamespace AND NOT 'internal'::regtype = ANY (proargtypes)
        AND prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype, 'internal'::regtype, 'language_handler'::regtype,
          'fdw_handler'::regtype, 'index_am_handler'::regtype, 'table_am_handler'::regtype, 'tsm_handler'::regtype)
      GROUP BY 1 ORDER BY 1`,
  )
  return found.map(([name, counts]) => ({
    name: String(name),
    arguments: String(counts).split(' ').map(Number),
  }))
}

/** Returns the functions that have no class, by the name or by each form. */
export function withoutEffect(functions: readonly ServerFunction[]): readonly string[] {
  return functions
    .filter(each => each.arguments.some(count => effectOf(each.name, count) === undefined))
    .map(({ name }) => name)
}

/** Returns what is classed and is in no catalogue. */
export function listedNowhere(all: readonly string[]): readonly string[] {
  const names = new Set(all)
  const listed = [...ownEffects.listed.keys(), ...(effectLists.pure ?? '').trim().split(/\s+/)]
  return listed.filter(each => {
    const name = each.replace(/\/\d+$/, '')
    return name.endsWith('*') ? !all.some(other => other.startsWith(name.slice(0, -1))) : !names.has(name)
  })
}
