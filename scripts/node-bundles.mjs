// The options of bundles for Node, and the bundle that runs SQL in a separate process, with the image of
// PostgreSQL that it opens. They are beside the command; the tests, which run from the sources, use them from there too.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { externalPackages, optionalNatives } from './external-packages.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

export const node = {
  bundle: true,
  platform: 'node',
  target: 'node20.17',
  format: 'cjs',
  sourcemap: true,
  minifySyntax: true,
  // Saves a third of the reading time at every start; names are kept for the stack traces of bugs.
  minifyWhitespace: true,
  logLevel: 'warning',
  // Only modules that cannot be bundled are external; DuckDB's JavaScript is bundled, which saves a third of
  // a command's start.
  external: [...externalPackages, ...optionalNatives],
  // The launcher runs the bundle as a script, which can use `require` and not `import()`, and has
  // `__dirname`.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.dirname': '__dirname', __SVC_BUILD__: JSON.stringify(buildId()) },
  // Its other build makes the state of the parser with an object spread, and V8 then takes three times as long: 45 µs a
  // file instead of 13.
  alias: { 'js-yaml': join(root, 'node_modules/js-yaml/dist/js-yaml.cjs.js') },
  write: false,
  plugins: [{ name: 'write-whole', setup: writeWhole }],
}

export const sqlWorker = {
  ...node,
  absWorkingDir: root,
  entryPoints: ['server/catalog/worker/worker-main.ts'],
  outfile: 'cli/dist/sql-worker.cjs',
}

/** Writes what the launcher tells as the build, without reading the bundle. */
export function placeBuildId() {
  mkdirSync(join(root, 'cli', 'dist'), { recursive: true })
  writeFileSync(join(root, 'cli', 'dist', 'build-id'), buildId())
}

/** Returns the commit, with a `+` where files have changed since; `unknown` where there is no git. */
function buildId() {
  const git = (...words) => spawnSync('git', words, { cwd: root, encoding: 'utf8' })
  const { status, stdout } = git('rev-parse', '--short=8', 'HEAD')
  if (status !== 0) return 'unknown'
  const isClean = git('status', '--porcelain', '--untracked-files=no').stdout === ''
  return `${stdout.trim()}${isClean ? '' : '+'}`
}

/** Called by vitest before the tests. */
export async function setup() {
  await build(sqlWorker)
  await placePostgresImage()
}

/**
 * Makes the image of PostgreSQL that its projects are checked in, which takes seconds: once, and again when PGlite or
 * what makes the image has changed.
 */
export async function placePostgresImage() {
  const folder = join(root, 'cli', 'dist')
  const image = join(folder, 'postgres.image')
  const maker = join(folder, `write-image.${process.pid}.cjs`)
  const options = { ...node, absWorkingDir: root, sourcemap: false, plugins: [], outfile: maker }
  const { outputFiles } = await build({ ...options, entryPoints: ['server/catalog/postgres/write-image.ts'] })
  const [{ text }] = outputFiles
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules/@electric-sql/pglite/package.json'), 'utf8'),
  )
  const of = createHash('sha256').update(version).update(text).digest('hex')
  if (existsSync(image) && existsSync(`${image}.of`) && readFileSync(`${image}.of`, 'utf8') === of) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(maker, text)
  const draft = `${image}.${process.pid}`
  const { status } = spawnSync(process.execPath, [maker, draft], { stdio: ['ignore', 'inherit', 'inherit'] })
  rmSync(maker)
  if (status !== 0) throw new Error('the image of PostgreSQL could not be made; what its maker says is above')
  renameSync(draft, image)
  placeWhole(`${image}.of`, of)
}

/** Replaces the bundle atomically, so that a command that starts during a build finds a complete one. */
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

/** For scripts whose own bundle is in `.cache`, where the process that runs SQL is expected beside it. */
export async function buildCachedWorker() {
  await build({ ...sqlWorker, outfile: '.cache/sql-worker.cjs' })
}
