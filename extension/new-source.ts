/** What the command "New Asset from a Source" knows of addresses. Independent of the editor. */

const databases = /^(postgres(ql)?|mysql|mariadb):\/\/\S+$|^duckdb:\S/i

/** Returns what is wrong with an address; undefined for one that can be looked at, and while nothing is written. */
export function addressProblem(text: string): string | undefined {
  if (text === '' || /^https?:\/\/[^\s/]\S*$/i.test(text) || databases.test(text)) return undefined
  if (/^env:[A-Za-z_]\w*$/.test(text)) return undefined
  return 'Write https://…, postgres://…, mysql://…, duckdb:file, or env:NAME.'
}

/** Returns the variables that hold the address of a database, by name. Their values are shown nowhere. */
export function namedSources(variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(variables)
    .filter(name => databases.test(variables[name] ?? ''))
    .sort()
}

export interface FoundTables {
  readonly tables: readonly string[]
  /** The database has more than those that are named. */
  readonly hasMore: boolean
}

/** Reads the tables that `svc discover` names where it needs to know which; undefined for another error. */
export function tablesIn(message: string): FoundTables | undefined {
  const listed = /^the database has \d+ tables: (.+)$/.exec(message)?.[1]
  if (listed === undefined) return undefined
  const more = / and \d+ more$/
  return { tables: listed.replace(more, '').split(', '), hasMore: more.test(listed) }
}
