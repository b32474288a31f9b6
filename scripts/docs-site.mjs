// Writes docs/ as a static site with a search that needs no network: `npm run docs:site [-- --output <folder>]`. Its pages
// can be opened from a folder as they are: all links are relative, and the index is a script beside them.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import Eleventy from '@11ty/eleventy'
import { writeAssets } from './site/assets.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const given = process.argv.indexOf('--output')
const output = given < 0 ? join(root, 'dist', 'docs') : resolve(process.argv[given + 1] ?? '')
// What was there before goes, so the folder has to be new, empty, or such a site.
if (existsSync(output) && readdirSync(output).length > 0 && !existsSync(join(output, 'search.html'))) {
  process.stderr.write(`${output} has other files in it: name another folder with --output\n`)
  process.exit(2)
}
process.chdir(root)
rmSync(output, { recursive: true, force: true })
const site = new Eleventy('docs', output, {
  configPath: 'scripts/site/eleventy.config.mjs',
  quietMode: true,
  config(eleventy) {
    eleventy.on('eleventy.after', ({ results }) => {
      const pages = writeAssets(output, results)
      process.stdout.write(`${pages} pages: ${join(output, 'index.html')}\n`)
    })
  },
})
await site.write()
