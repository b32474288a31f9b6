/** Lists the functions that DuckDB knows, with their descriptions. It asks an in-memory database. */

import { duckdb } from '../../language/engines/duckdb/duckdb.ts'
import { isOpen } from '../../language/engines/function-effects.ts'
import {
  type FunctionBook,
  type FunctionOverload,
  functionBook,
  type SqlFunction,
} from '../../language/index.ts'
import { openBinder } from '../binder.ts'

/** The answer is one text: reading thousands of single values would cost more than the query. */
const query = `SELECT to_json(list([function_name, function_type, description, return_type, to_json(parameters)::VARCHAR,
  to_json(parameter_types)::VARCHAR, varargs, to_json(examples)::VARCHAR])) FROM duckdb_functions()
  WHERE function_name SIMILAR TO '[a-z][a-z0-9_]*' AND function_type <> 'pragma'
  AND NOT regexp_matches(function_name, '^(icu_collate_|pg_|inet_)')`

/** A function that no SQL of a project may call is neither offered nor explained. */
function isOffered(name: string): boolean {
  return isOpen(duckdb.functions.effectOf(name) ?? 'pure')
}

type Row = readonly [
  name: string,
  kind: string,
  description: string | null,
  returns: string | null,
  parameters: string | null,
  types: string | null,
  varargs: string | null,
  examples: string | null,
]

/** Takes about 60 ms, in another thread. */
export async function readFunctionBook(load: readonly string[]): Promise<FunctionBook> {
  const binder = await openBinder(duckdb, load)
  try {
    const [row] = await binder.rows(query)
    const rows = (JSON.parse(String(row?.[0])) as readonly Row[]).filter(([name]) => isOffered(name))
    return functionBook(grouped(rows), duckdb)
  } finally {
    binder.close()
  }
}

const kinds: Readonly<Record<string, SqlFunction['kind']>> = {
  aggregate: 'aggregate',
  table: 'table',
  table_macro: 'table',
  macro: 'macro',
}

function grouped(rows: readonly Row[]): readonly SqlFunction[] {
  const byName = new Map<string, Row[]>()
  for (const row of rows) {
    const known = byName.get(row[0])
    if (known === undefined) byName.set(row[0], [row])
    else known.push(row)
  }
  return Array.from(byName, ([name, forms]) => ({
    name,
    kind: kinds[forms[0]?.[1] ?? ''] ?? 'scalar',
    overloads: forms.map(overload),
    description: forms.map(form => form[2]?.trim() ?? '').find(text => text !== '') ?? '',
    examples: [...new Set(forms.flatMap(form => texts(form[7])))],
  }))
}

function overload([, , , returns, parameters, types, varargs]: Row): FunctionOverload {
  const typeList = texts(types)
  return {
    parameters: texts(parameters).map((name, index) => ({ name, type: typeList[index] ?? '' })),
    varargs: varargs ?? undefined,
    returns: returns ?? undefined,
  }
}

function texts(json: string | null): readonly string[] {
  const values = json === null ? [] : (JSON.parse(json) as readonly (string | null)[] | null)
  return (values ?? []).map(value => value ?? '')
}
