/** What a package says of files that it does not bring. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns links of its pages that lead nowhere, comments in them that only tests read, and maps of code that are not there. */
export function danglingReferences(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    name => !/(^|[\\/])node_modules[\\/]/.test(name),
  )
  return [
    ...files.filter(name => name.endsWith('.md')).flatMap(name => inPage(folder, name)),
    ...files.filter(name => /\.c?js$/.test(name)).flatMap(name => inCode(folder, name)),
  ]
}

function inPage(folder: string, name: string): readonly string[] {
  const text = readFileSync(join(folder, name), 'utf8')
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, target]) => String(target))
  const dead = links.filter(target => !existsSync(join(folder, dirname(name), target)))
  return [...dead, ...(text.match(/^<!--.*$/gm) ?? [])].map(each => `${name}: ${each}`)
}

/** What another project has packed is shipped as it came. */
function inCode(folder: string, name: string): readonly string[] {
  const end = readFileSync(join(folder, name), 'utf8').slice(-200)
  const map = /sourceMappingURL=(\S+)/.exec(end)?.[1]
  const isThere = map === undefined || map.startsWith('data:') || existsSync(join(folder, dirname(name), map))
  return isThere || name.includes('elk-worker') ? [] : [`${name}: ${map}`]
}
