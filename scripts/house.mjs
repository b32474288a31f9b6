// Says in figures how tidy the source is: `npm run house`. Nothing fails here; test/architecture holds what has to be zero.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const workspaces = ['server', 'cli', 'webview', 'extension', 'hosted-api']
/** A grammar is a circle by its nature: an expression holds queries, and a query holds expressions. */
const grammars = ['server/language/sql/reader/', 'server/language/sql/binder/']
/** The rooms that are more than one layer of ARCHITECTURE.md would show: their folders are compared with each other. */
const houses = ['cli/engine', 'server/language']

const files = new Map(
  workspaces.flatMap(sourcesIn).map(path => [path, readFileSync(join(root, path), 'utf8')]),
)
const imports = new Map([...files].map(([path, text]) => [path, importsOf(path, text)]))

print('folders that import each other', foldersInCircles())
print('files that import each other by value, but for the SQL reader and binder', filesInCircles())
print('folders of more than 25 files', fullFolders())
print('comments by their first word', commentsByFirstWord())
print('lines by folder', linesByFolder())

function sourcesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory())
      return ['node_modules', 'dist', '.cache'].includes(entry.name) ? [] : sourcesIn(path)
    return ['.ts', '.tsx'].includes(extname(entry.name)) ? [path] : []
  })
}

/** The files of the same workspace that a file imports, and whether it needs them when it runs. */
function importsOf(path, text) {
  const statements = withoutComments(text).matchAll(
    /\b(?:import|export)\b([^'"`;=()]*?)(?:\bfrom\s*)?['"](\.[^'"]+)['"]/g,
  )
  return [...statements].map(([, names = '', target = '']) => ({
    target: posix.join(dirname(path), target),
    isValue: !/^\s*type\b/.test(names),
  }))
}

function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

function foldersInCircles() {
  return houses.flatMap(house => {
    const roomOf = path =>
      path.startsWith(`${house}/`) ? path.slice(house.length + 1).split('/')[0] : undefined
    const graph = new Map()
    for (const [path, list] of imports) {
      const from = roomOf(path)
      if (from === undefined) continue
      const rooms = list
        .map(({ target }) => roomOf(target))
        .filter(room => room !== undefined && room !== from)
      graph.set(from, new Set([...(graph.get(from) ?? []), ...rooms]))
    }
    return circlesOf(graph).map(circle => `${house}: ${circle.join(', ')}`)
  })
}

function filesInCircles() {
  const graph = new Map(
    [...imports].map(([path, list]) => [
      path,
      new Set(list.filter(({ isValue }) => isValue).map(({ target }) => target)),
    ]),
  )
  return circlesOf(graph)
    .filter(circle => !circle.every(path => grammars.some(folder => path.startsWith(folder))))
    .map(circle => circle.join(' '))
}

/** Returns the groups of more than one node of which each leads to each other (Tarjan). */
function circlesOf(graph) {
  const order = new Map()
  const lowest = new Map()
  const stack = []
  const circles = []
  const visit = node => {
    order.set(node, order.size)
    lowest.set(node, order.get(node))
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node), lowest.get(next)))
    }
    if (lowest.get(node) === order.get(node)) circles.push(stack.splice(stack.indexOf(node)))
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return circles.filter(({ length }) => length > 1).map(circle => circle.sort())
}

function fullFolders() {
  return mostFirst(countedBy([...files.keys()], path => dirname(path)))
    .filter(([, count]) => count > 25)
    .map(([folder, count]) => `${count} ${folder}`)
}

function commentsByFirstWord() {
  const words = [...files.values()].flatMap(text => [
    ...[...text.matchAll(/\/\*\*?\s*(?:\*\s*)?([A-Za-z']+)/g)].map(([, word]) => word),
    ...[...text.matchAll(/(?:^|\n)(?!\s*\/\/)[^\n]*\n\s*\/\/ ([A-Za-z']+)/g)].map(([, word]) => word),
  ])
  return mostFirst(countedBy(words, word => word))
    .slice(0, 30)
    .map(([word, count]) => `${count} ${word}`)
}

function linesByFolder() {
  const lines = new Map()
  for (const [path, text] of files) {
    const folder = path.split('/').slice(0, 2).join('/')
    const top = files.has(folder) ? dirname(folder) : folder
    lines.set(top, (lines.get(top) ?? 0) + text.split('\n').length - 1)
  }
  const all = [...lines.values()].reduce((sum, count) => sum + count, 0)
  return [`${all} in all`, ...mostFirst(lines).map(([folder, count]) => `${count} ${folder}`)]
}

function countedBy(values, keyOf) {
  const counts = new Map()
  for (const value of values) counts.set(keyOf(value), (counts.get(keyOf(value)) ?? 0) + 1)
  return counts
}

function mostFirst(counts) {
  return [...counts].sort(([, a], [, b]) => b - a)
}

function print(title, lines) {
  console.log(`${title}: ${title.endsWith('word') || title.startsWith('lines') ? '' : lines.length}`)
  for (const line of lines) console.log(`  ${line}`)
}
