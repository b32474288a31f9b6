// Builds the product and the benchmark, then runs it: `npm run bench -- --sizes 100,1000 --runs 3`.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { build } from 'esbuild'

mkdirSync('.bench', { recursive: true })
await build({
  entryPoints: ['test/bench/main.ts', 'test/bench/floor.ts'],
  outdir: '.bench',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20.17',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
})
const built = spawnSync(process.execPath, ['esbuild.mjs'], { stdio: ['ignore', 2, 2] })
if (built.status !== 0) process.exit(built.status ?? 1)
const { status } = spawnSync(process.execPath, ['.bench/main.mjs', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exit(status ?? 1)
