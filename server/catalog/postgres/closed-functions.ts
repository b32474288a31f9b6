/**
 * Takes functions that read files, or run a text as SQL, out of the embedded PostgreSQL, so that none of them binds, however
 * its name is written. PostgreSQL asks for rights only when it runs, and a superuser never.
 */
import type { FunctionEffect } from '../../language/engines/function-effects.ts'
import { extensionEffects } from '../../language/engines/postgres/function-effects.ts'
import { postgresFunctions } from '../../language/engines/postgres/functions.ts'

const closed = new Set(['files', 'network', 'text'])

/** Functions of extensions that are loaded are closed as those of the server are. */
export const closeLoaded = closing(extensionEffects.listed, "pronamespace <> 'pg_catalog'::regnamespace")

export const closeFunctions: readonly string[] = [
  closing(postgresFunctions.effects, "pronamespace = 'pg_catalog'::regnamespace"),
]

/** `name/2` is one form of a name, `name*` a family. */
function closing(effects: ReadonlyMap<string, FunctionEffect>, where: string): string {
  const conditions = [...effects].flatMap(([listed, effect]) => {
    if (!closed.has(effect)) return []
    const [name = '', count] = listed.split('/')
    if (name.endsWith('*')) return [`starts_with(proname, '${name.slice(0, -1)}')`]
    return [`proname = '${name}'${count === undefined ? '' : ` AND pronargs = ${count}`}`]
  })
  return `DELETE FROM pg_catalog.pg_proc WHERE ${where} AND (${conditions.map(each => `(${each})`).join(' OR ')})`
}
