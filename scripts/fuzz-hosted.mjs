// Asks the hosted service with values of all kinds and checks every answer against its own OpenAPI document:
//   node scripts/fuzz-hosted.mjs [--count 20000] [--seed 1] [--db sqlite:///tmp/x.db | postgres://…]
// Without --db: a new SQLite file, gone afterwards. The same seed asks the same things. Exit code 1: something was wrong.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { hostedPackages, unusedDrivers } from './external-packages.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    db: { type: 'string' },
  },
})

const bundle = join(root, '.cache', 'fuzz-hosted.cjs')
mkdirSync(dirname(bundle), { recursive: true })
await build({
  entryPoints: [join(root, 'test/hosted/support/fuzz-run.ts')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  target: 'node20.17',
  format: 'cjs',
  packages: 'external',
  external: [...hostedPackages, ...unusedDrivers],
  alias: { '@svc/server/language': join(root, 'server/language/index.ts') },
  logLevel: 'warning',
})
const folder = mkdtempSync(join(tmpdir(), 'svc-fuzz-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const { runFuzz } = (await import(pathToFileURL(bundle).href)).default
process.exit(
  await runFuzz({
    address: values.db ?? `sqlite://${join(folder, 'fuzz.db')}`,
    count: Number(values.count),
    seed: Number(values.seed),
  }),
)
