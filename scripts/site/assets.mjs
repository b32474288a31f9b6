// Writes what the pages load beside them: style, search and its index.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { searchIndex } from './search-index.mjs'

export function writeAssets(output, results) {
  const pages = results.map(({ outputPath, content }) => ({
    url: relative(output, outputPath).split(sep).join('/'),
    html: content,
  }))
  const folder = join(output, 'assets')
  mkdirSync(folder, { recursive: true })
  const index = JSON.stringify(searchIndex(pages))
  // A page that is opened from a folder may load a script, and no JSON.
  writeFileSync(join(folder, 'search-index.js'), `globalThis.svcSearchIndex = ${JSON.stringify(index)}\n`)
  const library = dirname(createRequire(import.meta.url).resolve('minisearch'))
  copyFileSync(join(library, '..', 'umd', 'index.js'), join(folder, 'minisearch.js'))
  for (const file of ['style.css', 'search.js'])
    copyFileSync(join(dirname(fileURLToPath(import.meta.url)), file), join(folder, file))
  return pages.length
}
