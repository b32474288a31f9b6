// Writes the functions and types of the extensions that the embedded PostgreSQL can load, for hints: `node scripts/postgres-extensions.mjs`.
import { writeFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'

/** Those with functions, types or ways of sampling for queries, or operator classes for indexes. */
const names =
  'bloom btree_gin btree_gist citext cube dict_int dict_xsyn earthdistance fuzzystrmatch hstore intarray isn ltree pg_trgm pgcrypto seg tablefunc tsm_system_rows tsm_system_time unaccent uuid-ossp'.split(
    ' ',
  )

const extensions = {}
for (const name of names) {
  const file = name.replaceAll('-', '_')
  const made = await import(`@electric-sql/pglite/contrib/${file}`)
  extensions[name] = made[file]
}
const database = await PGlite.create({ extensions })
for (const name of names) await database.exec(`CREATE EXTENSION IF NOT EXISTS "${name}" CASCADE`)

const functions = await ofEach(
  'pg_proc',
  'proname',
  `'internal'::regtype <> ALL (proargtypes) AND prorettype <> 'internal'::regtype
    AND prorettype <> 'cstring'::regtype AND 'cstring'::regtype <> ALL (proargtypes)`,
)
const types = await ofEach('pg_type', 'typname', "typname !~ '^_' AND typtype <> 'c'")
const path = new URL('../server/language/engines/postgres/extension-names.generated.ts', import.meta.url)
writeFileSync(
  path,
  `// Written by scripts/postgres-extensions.mjs from the extensions of the embedded PostgreSQL.
// biome-ignore format: one line an extension
export const extensionFunctions: Readonly<Record<string, string>> = ${listed(functions)}

// biome-ignore format: one line an extension
export const extensionTypes: Readonly<Record<string, string>> = ${listed(types)}
`,
)
process.exit(0)

async function ofEach(table, column, condition) {
  const { rows } = await database.query(
    `SELECT extname, string_agg(DISTINCT ${column}::text, ' ' ORDER BY ${column}::text) AS names FROM ${table} o
      JOIN pg_depend ON objid = o.oid AND classid = '${table}'::regclass AND deptype = 'e'
      JOIN pg_extension e ON e.oid = refobjid WHERE ${condition} GROUP BY extname`,
  )
  const found = new Map(rows.map(({ extname, names: all }) => [extname, all]))
  return names.map(name => [name, found.get(name) ?? ''])
}

function listed(entries) {
  return `{\n${entries.map(([name, all]) => `  '${name}': '${all}',`).join('\n')}\n}`
}
