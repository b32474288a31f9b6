// The imports of the source: which file needs which, and which need each other.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const workspaces = ['server', 'cli', 'webview', 'extension', 'hosted-api']
/** A grammar is a circle by its nature: an expression holds queries, and a query holds expressions. */
const grammars = ['server/language/sql/reader/', 'server/language/sql/binder/']

/** Returns the text of each source file by its path from the root. */
export function sourceTexts() {
  return new Map(workspaces.flatMap(sourcesIn).map(path => [path, readFileSync(join(root, path), 'utf8')]))
}

/** Returns the imports of each file that name files: their paths, and whether the file needs them when it runs. */
export function importsOfAll(files) {
  return new Map([...files].map(([path, text]) => [path, importsOf(path, text)]))
}

/** Returns the groups of files that need each other when they run, but for grammars. */
export function filesInCircles(imports) {
  const graph = new Map(
    [...imports].map(([path, list]) => [
      path,
      new Set(list.filter(({ isValue }) => isValue).map(({ target }) => target)),
    ]),
  )
  return circlesOf(graph).filter(
    circle => !circle.every(path => grammars.some(folder => path.startsWith(folder))),
  )
}

/** Returns the groups of more than one node of which each leads to each other (Tarjan). */
export function circlesOf(graph) {
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
