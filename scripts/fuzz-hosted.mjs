// Asks the hosted service with values of all kinds and checks every answer against its own OpenAPI document:
//   node scripts/fuzz-hosted.mjs [--count 20000] [--seed 1] [--db sqlite:///tmp/x.db | postgres://…]
// Without --db: a new SQLite file, gone afterwards. The same seed asks the same things. Exit code 1: something was wrong.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from './bundle.mjs'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    db: { type: 'string' },
  },
})

const program = await bundle('test/hosted/support/fuzz-run.ts', 'fuzz-hosted', { format: 'cjs' })
const folder = mkdtempSync(join(tmpdir(), 'svc-fuzz-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const { runFuzz } = (await import(pathToFileURL(program).href)).default
process.exit(
  await runFuzz({
    address: values.db ?? `sqlite://${join(folder, 'fuzz.db')}`,
    count: Number(values.count),
    seed: Number(values.seed),
  }),
)
