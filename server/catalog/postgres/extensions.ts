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

const making = /^CREATE EXTENSION "([^"]+)"$/

/** Says which extensions can be loaded; nothing has to be opened for it. */
export async function openExtensionLoader(): Promise<OpenDatabase> {
  return {
    engine: label,
    call: callByName({ prepare: async ({ extension }: ExtensionTask) => outcomeOf(extension) }),
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
  // What one needs of another is there too, such as cube for earthdistance.
  const files = names.includes('earthdistance') ? [...names, 'cube'] : names
  const extensions: NonNullable<PGliteOptions['extensions']> = {}
  for (const name of files) {
    const file = name.replaceAll('-', '_')
    const made: Record<string, unknown> = await import(`@electric-sql/pglite/contrib/${file}`)
    extensions[name] = made[file] as (typeof extensions)[string]
  }
  return names.length === 0 ? {} : { extensions }
}

export async function loadAll(database: PGlite, load: readonly string[]): Promise<void> {
  if (load.length === 0) return
  const made = load.map(statement => statement.replace(making, 'CREATE EXTENSION IF NOT EXISTS "$1" CASCADE'))
  await database.exec([...made, closeLoaded].join(';'))
}
