// Builds the product and the benchmark, then runs it: `npm run bench -- --help` shows the options. It
// measures a copy of the product in .bench, so that a build in the same folder does not interfere.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, '.bench')
const programs = [
  'main',
  'floor',
  'read-floor',
  'catalogue-floor',
  'sql-floor',
  'rest-floor',
  'publish-floor',
  'database-floor',
  'postgres-floor',
  'postgres-rest-floor',
  'row-sink',
  'page-server',
  'edits',
  'hosted-peers',
]

process.chdir(root)
const built = spawnSync(process.execPath, ['esbuild.mjs'], { stdio: ['ignore', 2, 2] })
if (built.status !== 0) process.exit(built.status ?? 1)
mkdirSync(folder, { recursive: true })
await build({
  entryPoints: programs.map(name => `test/bench/${name}.ts`),
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20.17',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
})
rmSync(join(folder, 'svc'), { recursive: true, force: true })
cpSync(join(root, 'cli', 'dist', 'sql-worker.cjs'), join(folder, 'sql-worker.cjs'))
for (const part of [
  'bin',
  'dist/svc.cjs',
  'dist/packages',
  'dist/sql-worker.cjs',
  'dist/postgres.image',
  'package.json',
])
  cpSync(join(root, 'cli', part), join(folder, 'svc', part), { recursive: true })

const { runBench } = await import(join(folder, 'main.mjs'))
process.exit(await runBench(root, process.argv.slice(2)))
