/** Names that a table of a source cannot have, because they are those of somebody else. */
import type { Engine } from '../engines/engine.ts'
import { isInternalName } from '../internal-names.ts'

/** Returns why a name is not free, to follow "and"; undefined if it is. */
export function ownerOfName(
  name: string,
  what: 'column' | 'child table',
  { storage, label }: Engine,
): string | undefined {
  if (isInternalName(name)) return "names that start with _svc_ are the tool's own"
  if (what === 'column' && storage.takenColumns.has(name))
    return `every table of ${label} has a column of that name already`
  return undefined
}
