/**
 * What `scripts/corpus.mjs` runs: `mistakes <from>` and `completions <from>` write a line of JSON before and after each
 * file, so that one that never ends is known and passed over; `true` writes what is wrong with the corpus itself.
 */

import { join } from 'node:path'
import { judgeCompletions } from './judge-completions.ts'
import { judgeFiles, untrueMarks } from './judge-files.ts'
import { countSlips, judgeSlips, openBenchmark } from './tpc/judge-benchmark.ts'
import { type BenchmarkTexts, readBenchmark } from './tpc/texts.ts'

const [root = '', word, from = '0'] = process.argv.slice(2)

const write = (key: string) => (value: unknown) =>
  process.stdout.write(`${JSON.stringify({ [key]: value })}\n`)

if (word === 'mistakes') await judgeFiles(root, Number(from), write('before'), write('after'))
if (word === 'completions') await judgeCompletions(root, Number(from), write('before'), write('after'))
if (word === 'tpc') {
  for (const name of ['tpc-h', 'tpc-ds'] as const) {
    const texts = readBenchmark(join(root, '../../..'), name)
    if (texts === undefined) console.log(`The texts of ${name} are not there: node scripts/corpus.mjs fetch`)
    else await printSlips(texts)
  }
}
if (word === 'true') {
  const untrue = await untrueMarks(root)
  for (const line of untrue) console.log(line)
  console.log(`${untrue.length} marks of the corpus are not true`)
}

async function printSlips(texts: BenchmarkTexts): Promise<void> {
  const bench = await openBenchmark(texts)
  const judged = await judgeSlips(bench, Number(process.env['SEED'] ?? 20260101))
  for (const { title, misses } of judged) for (const miss of misses) console.log(`${title} ${miss}`)
  console.table(countSlips(judged))
  bench.close()
}
