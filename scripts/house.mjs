// Says in figures how tidy the source is: `npm run house`. Nothing fails here; test/architecture holds what has to be zero.
import { dirname } from 'node:path'
import { circlesOf, filesInCircles, importsOfAll, sourceTexts } from './import-graph.mjs'

/** The rooms that are more than one layer of ARCHITECTURE.md would show: their folders are compared with each other. */
const houses = ['cli/engine', 'server/language']

const files = sourceTexts()
const imports = importsOfAll(files)

print('folders that import each other', foldersInCircles())
print(
  'files that import each other by value, but for the SQL reader and binder',
  filesInCircles(imports).map(circle => circle.join(' ')),
)
print('folders of more than 25 files', fullFolders())
print('comments by their first word', commentsByFirstWord())
print('lines by folder', linesByFolder())

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
