/**
 * Takes functions that read files, or run a text as SQL, out of the embedded PostgreSQL, so that none of them binds, however
 * its name is written. PostgreSQL asks for rights only when it runs, and a superuser never.
 */
import { postgresFunctions } from '../../language/engines/postgres/functions.ts'

const closed = new Set(['files', 'network', 'text'])

/** `name/2` is one form of a name, `name*` a family. */
const conditions = [...postgresFunctions.effects].flatMap(([listed, effect]) => {
  if (!closed.has(effect)) return []
  const [name = '', count] = listed.split('/')
  if (name.endsWith('*')) return [`starts_with(proname, '${name.slice(0, -1)}')`]
  return [`proname = '${name}'${count === undefined ? '' : ` AND pronargs = ${count}`}`]
})

export const closeFunctions: readonly string[] = [
  `DELETE FROM pg_catalog.pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
    AND (${conditions.map(each => `(${each})`).join(' OR ')})`,
]
