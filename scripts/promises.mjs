// Lists the sentences of docs/ that promise something with the tests that hold each, and ends with the figure:
// node scripts/promises.mjs [page]
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = process.cwd()
const outfile = join(root, '.cache', 'promises.mjs')
await build({
  stdin: {
    contents: "export { allPromises } from './pages.ts'; export { promiseFigure } from './promises.ts'",
    resolveDir: join(root, 'test', 'contract', 'held'),
  },
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20.17',
  format: 'esm',
  logLevel: 'warning',
})
const { allPromises, promiseFigure } = await import(pathToFileURL(outfile).href)
const wanted = process.argv[2]
const promises = allPromises(root).filter(({ page }) => wanted === undefined || page === wanted)
for (const { page, text, tests } of promises)
  console.log(`${page}: ${text}\n${tests.map(test => `  ${test}\n`).join('') || '  no test\n'}`)
console.log(`promises: ${promiseFigure(promises)}`)
