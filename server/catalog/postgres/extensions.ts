/** Extensions of PostgreSQL that come with the embedded one: they are loaded from its package, by name. */
import type { PGlite, PGliteOptions } from '@electric-sql/pglite'
import { loadable } from '../../language/engines/postgres/extensions.ts'
import { label } from '../../language/engines/postgres/label.ts'
import { quote } from '../../language/engines/postgres/names.ts'
import { nearestNames } from '../../language/text/nearest-names.ts'
import type { ExtensionOutcome, ExtensionTask } from '../extensions.ts'
import { callByName } from '../worker/call-by-name.ts'
import type { OpenDatabase } from '../worker/databases.ts'
import { closeLoaded } from './closed-functions.ts'
import { unknownSchema } from './unknown-type.ts'

const making = /^CREATE EXTENSION "([^"]+)"$/

const declaring = /^DECLARE (.*)$/s

/** Says which extensions can be loaded, for which nothing is opened, and tries declarations. */
export async function openExtensionLoader(
  _memoryBytes: number,
  load: readonly string[],
): Promise<OpenDatabase> {
  return {
    engine: label,
    call: callByName({
      prepare: async ({ extension }: ExtensionTask) => outcomeOf(extension),
      declare: async (statements: readonly string[]) => {
        // That module loads this one, and declarations alone need it.
        const { openImage } = await import('./open-image.ts')
        return tried((await openImage(load)).database, statements)
      },
    }),
    interrupt: () => {},
  }
}

function outcomeOf({ name, path }: ExtensionTask['extension']): ExtensionOutcome {
  if (path !== undefined)
    return {
      problem: {
        message: `the extension ${name} is not loaded: ${label} loads none from a file`,
        hint: `Name it alone; these can be loaded: ${loadable.join(', ')}.`,
      },
    }
  if (loadable.includes(name)) return { load: `CREATE EXTENSION ${quote(name)}` }
  const [nearest] = nearestNames(name, loadable)
  return {
    problem: {
      message: `the extension ${name} is not loaded: it is none of those that svc has of ${label}`,
      hint: nearest === undefined ? `It has: ${loadable.join(', ')}.` : `Did you mean ${nearest}?`,
    },
  }
}

/** Returns the options with which PostgreSQL has the files of the extensions. */
export async function extensionOptions(load: readonly string[]): Promise<PGliteOptions> {
  const names = load.flatMap(statement => making.exec(statement)?.[1] ?? [])
  // The extensions that one needs are there too: cube for earthdistance.
  const files = names.includes('earthdistance') ? [...names, 'cube'] : names
  const extensions: NonNullable<PGliteOptions['extensions']> = {}
  for (const name of files) {
    const file = name.replaceAll('-', '_')
    const made: Record<string, unknown> = await import(`@electric-sql/pglite/contrib/${file}`)
    extensions[name] = made[file] as (typeof extensions)[string]
  }
  return names.length === 0 ? {} : { extensions }
}

/** Returns the names of functions that were declared and may not be called, as what they read is not known. */
export async function loadAll(database: PGlite, load: readonly string[]): Promise<ReadonlySet<string>> {
  if (load.length === 0) return new Set()
  const declared = load.flatMap(statement => declaring.exec(statement)?.[1] ?? [])
  const made = load
    .filter(statement => making.test(statement))
    .map(statement => statement.replace(making, 'CREATE EXTENSION IF NOT EXISTS "$1" CASCADE'))
  await database.exec([...made, withoutBodies, closeLoaded].join(';'))
  for (const sql of declared) await database.exec(String(JSON.parse(sql)))
  return declared.length === 0 ? new Set() : await closeDeclared(database)
}

/** The relations that a function reads are not there. */
const withoutBodies = 'SET check_function_bodies = off'

async function tried(
  database: PGlite,
  statements: readonly string[],
): Promise<readonly (string | undefined)[]> {
  await database.exec(withoutBodies)
  const found: (string | undefined)[] = []
  for (const sql of statements)
    found.push(
      await database.exec(sql).then(
        () => undefined,
        (error: Error) => error.message,
      ),
    )
  return found
}

/** Only a function that is IMMUTABLE reads nothing but its arguments. Aggregates are as what they are made of. */
async function closeDeclared(database: PGlite): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<[string, string]>(
    `SELECT proname, oid::regprocedure::text FROM pg_proc p WHERE provolatile <> 'i' AND prokind = 'f'
      AND pronamespace
        NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, '${unknownSchema}'::regnamespace)
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND classid = 'pg_proc'::regclass AND deptype = 'e')`,
    [],
    { rowMode: 'array' },
  )
  for (const [, signature] of rows) await database.exec(`DROP FUNCTION IF EXISTS ${signature} CASCADE`)
  return new Set(rows.map(([name]) => name))
}
