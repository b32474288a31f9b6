// Builds every bundle of the product. `--watch` rebuilds on change.
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build, context } from 'esbuild'
import {
  hostedPackages,
  separateFiles,
  separatePackages,
  unusedDrivers,
} from './scripts/external-packages.mjs'
import { node, placeBuildId, placePostgresImage, placeWhole, sqlWorker } from './scripts/node-bundles.mjs'
import { thirdPartyLicenses } from './scripts/third-party.mjs'

/** The editor brings `vscode` and reads the bundle at every start of a window: it is as small as it can be. */
const extension = {
  ...node,
  entryPoints: ['extension/main.ts'],
  outfile: 'extension/dist/extension.cjs',
  external: ['vscode'],
  minify: true,
}

/** Runs in a page of the editor. */
const grid = {
  ...extension,
  entryPoints: ['extension/results/view/grid.ts'],
  outfile: 'extension/dist/grid.js',
  external: [],
  platform: 'browser',
  target: 'es2023',
  format: 'iife',
}

/** The dashboard's page lies beside the command that serves it. */
const pageFolder = 'cli/dist/dashboard'
const page = {
  ...grid,
  entryPoints: ['webview/page.ts'],
  outfile: `${pageFolder}/app.js`,
  // Fields of a class would hide the properties that Lit watches.
  tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
  legalComments: 'external',
}
/** The same in a webview of the editor; style and worker are taken from there. */
const lineage = {
  ...page,
  entryPoints: ['webview/vscode-page.ts'],
  outfile: 'extension/dist/lineage.js',
}
const styles = {
  ...page,
  entryPoints: ['webview/app.css', 'webview/theme.css'],
  outfile: undefined,
  outdir: pageFolder,
}
/** What is taken as it is. */
const pageFiles = {
  'index.html': 'webview/page.html',
  'icon.svg': 'webview/icon.svg',
  'elk-worker.min.js': 'node_modules/elkjs/lib/elk-worker.min.js',
  'elk-worker.LICENSE.md': 'node_modules/elkjs/LICENSE.md',
  'elk-worker.NOTICE.md': 'webview/elk-notice.md',
}

/** knex knows more databases than are used here; the drivers of SQLite are native and need not be installed. */
const hosted = {
  ...node,
  entryPoints: ['hosted-api/main.ts'],
  outfile: 'hosted-api/dist/svc-hosted.cjs',
  external: [...hostedPackages, ...unusedDrivers],
}

/** The thread that reads a large upload. */
const packWorker = {
  ...hosted,
  entryPoints: ['hosted-api/metadata/upload/pack-worker.ts'],
  outfile: 'hosted-api/dist/pack-worker.cjs',
}

const command = {
  ...node,
  entryPoints: ['cli/main.ts'],
  outfile: 'cli/dist/svc.cjs',
  plugins: [
    { name: 'one-byte-letters', setup: refuseLongLetters },
    { name: 'separate-packages', setup: referToSeparatePackages },
    ...node.plugins,
  ],
}
const packages = {
  ...node,
  entryPoints: [
    ...separatePackages.map(name => ({ in: name, out: name })),
    ...Object.entries(separateFiles).map(([out, path]) => ({ in: path, out })),
  ],
  outdir: 'cli/dist/packages',
  outExtension: { '.js': '.cjs' },
  external: [...node.external, ...unusedDrivers.filter(name => name !== 'mysql2')],
}

/** The bundles of each folder that is shipped, and the packages of which it has files as they are. */
const shipped = {
  'cli/dist': { bundles: [command, packages, sqlWorker, page, styles], files: ['elkjs'] },
  'hosted-api/dist': { bundles: [hosted, packWorker], files: [] },
  'extension/dist': { bundles: [extension, grid, lineage], files: [] },
}
const bundles = Object.values(shipped).flatMap(each => each.bundles)
for (const [name, from] of Object.entries(pageFiles)) placeWhole(join(pageFolder, name), readFileSync(from))

if (process.argv.includes('--watch')) {
  for (const bundle of bundles) await (await context({ ...bundle, logLevel: 'info' })).watch()
} else {
  const started = performance.now()
  // What is wrong has been printed by then, with its place; a stack of the builder itself would only hide it.
  await Promise.all(Object.entries(shipped).map(buildFolder)).catch(() => process.exit(1))
  await placePostgresImage()
  placeBuildId()
  for (const launcher of ['cli/bin/svc.cjs', 'hosted-api/bin/svc-hosted.cjs']) chmodSync(launcher, 0o755)
  const took = Math.round(performance.now() - started)
  const { size } = statSync(page.outfile)
  console.log(`Built ${bundles.length} bundles in ${took} ms: node_modules/.bin/svc`)
  console.log(`The dashboard's script has ${Math.round(size / 1000)} kB.`)
}

/** The bundle of the command asks for these packages and files at their place beside it. */
function referToSeparatePackages({ onResolve }) {
  const filter = new RegExp(`^(${separatePackages.join('|')})$`)
  onResolve({ filter }, ({ path }) => ({ path: `./packages/${path}.cjs`, external: true }))
  for (const [name, file] of Object.entries(separateFiles)) {
    const [folder, last] = file.split('/').slice(-2)
    onResolve({ filter: new RegExp(`/${folder}/${last.replaceAll('.', '[.]')}$`) }, () => ({
      path: `./packages/${name}.cjs`,
      external: true,
    }))
  }
}

/**
 * The launcher reads the bundle as letters of one byte, in half the time and memory. esbuild escapes all other letters but
 * those in regular expressions.
 */
function refuseLongLetters({ onEnd }) {
  onEnd(({ outputFiles = [] }) => {
    const { text = '' } = outputFiles.find(({ path }) => path.endsWith('.cjs')) ?? {}
    const [found] = text.match(/[\x20-\x7e]{0,40}[^\0-\x7f]/) ?? []
    if (found === undefined) return
    const letter = found
      .codePointAt(found.length - 1)
      ?.toString(16)
      .padStart(4, '0')
    const words = `write \\u${letter} in the regular expression with ${found}`
    console.error(words)
    return { errors: [{ text: words }] }
  })
}

async function buildFolder([folder, { bundles, files }]) {
  const built = await Promise.all(bundles.map(bundle => build({ ...bundle, metafile: true })))
  const licenses = thirdPartyLicenses(
    built.map(({ metafile }) => metafile),
    files,
  )
  placeWhole(join(folder, 'THIRD-PARTY-LICENSES.txt'), licenses)
}
