// `node scripts/postgres-films.mjs [--promotions 200] [--views 10] [--kills 1000]`: what readers in transactions see of
// promotions on a real PostgreSQL, and what processes leave that are killed while they promote and build.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const outfile = join(root, '.bench', 'postgres-films.cjs')
mkdirSync(dirname(outfile), { recursive: true })
await build({
  entryPoints: [join(root, 'test', 'engine', 'warehouse', 'postgres-films.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20.17',
  format: 'cjs',
  external: ['@duckdb/node-api', '@electric-sql/pglite'],
  logLevel: 'warning',
})
const { status } = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exit(status ?? 1)
