// How code for Node is bundled, and the bundle that runs SQL in a process of its own. It lies beside the command, and the
// tests, which run from the sources, take it from there too.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { externalPackages } from './external-packages.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

export const node = {
  bundle: true,
  platform: 'node',
  target: 'node20.17',
  format: 'cjs',
  sourcemap: true,
  minifySyntax: true,
  // A third less to read at every start; names stay, so that the stack of a bug says where it is.
  minifyWhitespace: true,
  logLevel: 'warning',
  // Only what cannot be bundled stays outside; DuckDB's JavaScript is bundled (a third off the start of a command).
  external: externalPackages,
  // The launcher runs the bundle as a script, which may `require` and not `import()`, and knows its folder by this name.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.dirname': '__dirname' },
  write: false,
  plugins: [{ name: 'write-whole', setup: writeWhole }],
}

export const sqlWorker = {
  ...node,
  absWorkingDir: root,
  entryPoints: ['server/catalog/worker/worker-main.ts'],
  outfile: 'cli/dist/sql-worker.cjs',
}

/** Called by vitest before the tests. */
export async function setup() {
  await build(sqlWorker)
}

/** A command that starts during a build finds the old bundle or the new one, never half of one. */
function writeWhole({ onEnd }) {
  onEnd(({ outputFiles = [] }) => {
    for (const { path, contents } of outputFiles) placeWhole(path, contents)
  })
}

export function placeWhole(path, contents) {
  const draft = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(draft, contents)
  renameSync(draft, path)
}

/** For a script whose own bundle lies in `.cache`: the process in which SQL is bound is looked for beside it. */
export async function buildCachedWorker() {
  await build({ ...sqlWorker, outfile: '.cache/sql-worker.cjs' })
}
