/** What the commands for new assets know of addresses and names. Independent of the editor. */
import { isAbsolute, relative } from 'node:path'

/** An address that is none of the web and names something on a host; which databases there are svc knows. */
const servers = /^(?!https?:)[a-z][a-z0-9+]*:\/\/[^\s/]+\/\S+$/i

/** A path of files of this computer: a folder, an ending or a pattern tells it from a word. */
const filePath = /[./\\*?]/

/** Returns the path as `svc discover` takes it: from the project if it is in there. */
export function pathFor(root: string, file: string): string {
  const inside = relative(root, file)
  return inside.startsWith('..') || isAbsolute(inside) ? file : inside
}

/** Returns what is wrong with an address; undefined while nothing is written, and for what svc itself has to judge. */
export function addressProblem(text: string): string | undefined {
  const isWeb = /^https?:/i.test(text)
  if (text === '' || (isWeb && /^https?:\/\/[^\s/]\S*$/i.test(text))) return undefined
  if (!isWeb && /^[a-z][a-z0-9+.-]*:\S/i.test(text)) return undefined
  if (!isWeb && !/^[a-z][a-z0-9+.-]+:/i.test(text) && filePath.test(text)) return undefined
  return 'Write https://…, the address of a database, the path of a file (data/*.csv), or env:NAME.'
}

/** Returns what is wrong with the name of an asset; undefined while nothing is written. */
export function nameProblem(text: string): string | undefined {
  if (/^([a-z][a-z0-9_]*)?$/.test(text)) return undefined
  return 'Small letters, digits and underscores, a letter first.'
}

/** Returns the variables that hold the address of a server of databases, by name. Their values are shown nowhere. */
export function namedSources(variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(variables)
    .filter(name => servers.test(variables[name] ?? ''))
    .sort()
}

/** Returns the tables of which `svc discover` needs to know one, by the facts of its error; undefined for another error. */
export function tablesIn({ tables }: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  return Array.isArray(tables) ? tables.map(String) : undefined
}
