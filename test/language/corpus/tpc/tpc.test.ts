/**
 * The queries of TPC-H and TPC-DS: accepted, with the columns and the lineage of the snapshot, and with three slips in
 * each. Their texts are fetched with `node scripts/corpus.mjs fetch`; without them there is nothing to ask.
 * `UPDATE=1` writes the snapshots anew: read the difference before you keep it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countSlips, judgeSlips, openBenchmark, snapshotOf } from './judge-benchmark.ts'
import { type BenchmarkTexts, readBenchmark } from './texts.ts'

const root = join(import.meta.dirname, '../../../..')
const seed = Number(process.env['SEED'] ?? 20260101)

for (const [name, size] of [
  ['tpc-h', 22],
  ['tpc-ds', 99],
] as const) {
  const texts = readBenchmark(root, name)
  if (texts === undefined)
    console.log(`${name} is not asked: its texts come with node scripts/corpus.mjs fetch`)
  describe.skipIf(texts === undefined)(`${name}, once fetched`, () => {
    if (texts === undefined) return
    test('has all its queries', () => expect(texts.queries.length).toBe(size))
    test('is accepted, with the columns and the lineage of before', () => expectSnapshot(texts), 300_000)
    test('has its slips found', () => expectSlipsFound(texts), 300_000)
  })
}

async function expectSnapshot(texts: BenchmarkTexts): Promise<void> {
  const bench = await openBenchmark(texts)
  const path = join(import.meta.dirname, `${texts.name}.txt`)
  try {
    const snapshot = await snapshotOf(bench)
    expect(snapshot).not.toContain('  ! ')
    if (process.env['UPDATE'] === '1') writeFileSync(path, snapshot)
    expect(snapshot).toBe(readFileSync(path, 'utf8'))
  } finally {
    bench.close()
  }
}

async function expectSlipsFound(texts: BenchmarkTexts): Promise<void> {
  const bench = await openBenchmark(texts)
  try {
    const judged = await judgeSlips(bench, seed)
    const counts = countSlips(judged)
    console.table(counts)
    expect(
      judged.flatMap(({ title, misses }) => misses.filter(isMiss).map(miss => `${title} ${miss}`)),
    ).toEqual([])
    expect(counts.columns).toBe(texts.queries.length)
  } finally {
    bench.close()
  }
}

function isMiss(line: string): boolean {
  return line.startsWith('missed')
}
