/**
 * The one maker of names that our SQL adds beside the user's: aliases, CTEs, columns, parameters, temporary tables. An engine
 * takes a bare word for a column before it takes it for an alias, so a name of ours that a user may use as well means his
 * column, and nothing says so. Names of ours have a prefix that no column, asset or macro of a user has (`reserved-name`).
 */

const prefix = '_svc_'

/** A name in lower case, which needs no quotes in any engine. */
export type InternalName = `${typeof prefix}${string}`

/** The columns that svc adds to tables of sources: users read them, and may take them over into their own tables. */
export const systemColumns: ReadonlySet<string> = new Set([
  '_svc_id',
  '_svc_parent_id',
  '_svc_idx',
  '_svc_valid_from',
  '_svc_valid_to',
])

/** Returns the internal name for a word: lower-case letters, digits and underscores. */
export function internalName(word: string): InternalName {
  const name = `${prefix}${word}` as const
  if (!/^[a-z0-9]+(_[a-z0-9]+)*$/.test(word) || systemColumns.has(name))
    throw new Error(`"${word}" makes no internal name`)
  return name
}

/** Returns whether a name has the prefix in any letters: engines do not tell them apart. */
export function isInternalName(name: string): boolean {
  return name.slice(0, prefix.length).toLowerCase() === prefix
}

/** Returns whether a user may not give a column this name. */
export function isReservedColumn(name: string): boolean {
  return isInternalName(name) && !systemColumns.has(name.toLowerCase())
}

/** Returns the internal names for several words, by word. */
export function internalNames<Word extends string>(
  ...words: readonly Word[]
): { readonly [word in Word]: InternalName } {
  const names = words.map(word => [word, internalName(word)])
  return Object.fromEntries(names) as { readonly [word in Word]: InternalName }
}

/** Returns a row for people: a column of ours goes by its word alone, where no column of the user has it. */
export function withShownNames<Value>(row: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  if (!Object.keys(row).some(isReservedColumn)) return row
  const shown = (name: string) => {
    const word = name.slice(prefix.length)
    return isReservedColumn(name) && !Object.hasOwn(row, word) ? word : name
  }
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [shown(name), value]))
}
