// Writes the pages of docs/ that are made from the program itself: `npm run docs`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = process.cwd()
const bundle = join(root, '.cache', 'docs-pages.mjs')
await build({
  entryPoints: ['test/docs/pages.ts'],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  target: 'node20.17',
  format: 'esm',
  packages: 'external',
  alias: {
    '@svc/server/language': './server/language/index.ts',
    '@svc/server/format': './server/language/format/index.ts',
    '@svc/server/examples': './server/language/checks/examples/index.ts',
    '@svc/server/catalog': './server/catalog/index.ts',
    '@svc/server/python': './server/python/index.ts',
    '@svc/server/contract': './server/contract/index.ts',
    '@svc/server/workspace': './server/workspace/index.ts',
    '@svc/server/verdicts': './server/contract/verdicts.ts',
  },
  logLevel: 'warning',
})
const { generatedPages } = await import(pathToFileURL(bundle).href)
for (const [path, text] of generatedPages(root, file => readFileSync(file, 'utf8'))) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
