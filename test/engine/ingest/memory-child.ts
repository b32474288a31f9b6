/**
 * Fetches one source in a process of its own (`--expose-gc`) and writes the most memory that JavaScript held, as JSON.
 * Garbage is taken away before each look: how much of it lies about says nothing but how busy the machine is.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAsset } from '@svc/server/language'
import { nothingPersonal } from '../../../cli/engine/ingest/source.ts'
import { sourceFor } from '../../../cli/engine/ingest/source-for.ts'
import { engine, reading } from '../../support/engine.ts'

const [type = '', endpoint = '', resource = ''] = process.argv.slice(2)
const text = `name: big\ningest: {type: ${type}, endpoint: "${endpoint}", resource: ${resource}}\ntransform: SELECT * FROM {{ source }}\n`
const asset = parseAsset('big.svc', text, reading, input => createHash('sha256').update(input).digest('hex'))
const spoolFolder = mkdtempSync(join(tmpdir(), 'svc-memory-'))
let most = 0
let lastMs = 0

void main()

async function main(): Promise<void> {
  const context = {
    asset,
    engine,
    personal: nothingPersonal,
    root: '/',
    spoolFolder,
    previous: undefined,
    env: {},
    now: () => new Date(),
    signal: new AbortController().signal,
    onProgress: look,
  }
  const { rows, bytes } = await (await sourceFor(asset.definition.ingest)).fetch(context)
  rmSync(spoolFolder, { recursive: true, force: true })
  process.stdout.write(JSON.stringify({ rows, bytes, most }))
}

const everyMs = 20

function look(): void {
  if (performance.now() - lastMs < everyMs) return
  globalThis.gc?.()
  lastMs = performance.now()
  const { heapUsed, external } = process.memoryUsage()
  most = Math.max(most, heapUsed + external)
}
