/**
 * What `scripts/corpus.mjs` runs: `mistakes <from>` and `completions <from>` write a line of JSON before and after each
 * file, so that one that never ends is known and passed over; `true` writes what is wrong with the corpus itself.
 */
import { judgeCompletions } from './judge-completions.ts'
import { judgeFiles, untrueMarks } from './judge-files.ts'

const [root = '', word, from = '0'] = process.argv.slice(2)

const write = (key: string) => (value: unknown) =>
  process.stdout.write(`${JSON.stringify({ [key]: value })}\n`)

if (word === 'mistakes') await judgeFiles(root, Number(from), write('before'), write('after'))
if (word === 'completions') await judgeCompletions(root, Number(from), write('before'), write('after'))
if (word === 'true') {
  const untrue = await untrueMarks(root)
  for (const line of untrue) console.log(line)
  console.log(`${untrue.length} marks of the corpus are not true`)
}
