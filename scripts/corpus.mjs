// Judges the language by the corpus in test/language/corpus and prints every miss: `node scripts/corpus.mjs`, or with
// some of the words `mistakes`, `completions`, `tpc`, `true` (whether the corpus itself says the truth). `fetch` gets
// the queries of TPC-H and TPC-DS out of the source package of sqlglot, with pip and tar.
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.mjs'
import { buildCachedWorker } from './node-bundles.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const corpus = join(root, 'test/language/corpus')
const longestMs = 20_000
const words = process.argv.slice(2)
const wants = word => words.length === 0 || words.includes(word)

if (words.includes('fetch')) {
  fetchTexts()
  process.exit()
}
await buildCachedWorker()
const program = await bundle('test/language/corpus/print.ts', 'corpus')
if (wants('true')) spawnSync(process.execPath, [program, corpus, 'true'], { stdio: 'inherit' })
if (wants('tpc')) spawnSync(process.execPath, [program, corpus, 'tpc'], { stdio: 'inherit' })
if (wants('mistakes')) print(await judged('mistakes'))
if (wants('completions')) print(await judged('completions'))

/** Into `.cache/tpc`, which is not committed: the texts belong to the TPC. */
function fetchTexts() {
  const target = join(root, '.cache/tpc')
  const folder = mkdtempSync(join(tmpdir(), 'svc-tpc-'))
  const run = (command, args) => {
    const { status, error } = spawnSync(command, args, { stdio: 'inherit', cwd: folder })
    if (status === 0) return
    console.error(`${command} ended with ${status ?? error?.message}`)
    process.exit(1)
  }
  run('python3', ['-m', 'pip', 'download', '-q', '--no-deps', '--no-binary', 'sqlglot', 'sqlglot==30.30.0'])
  const [archive = ''] = readdirSync(folder).filter(name => name.endsWith('.tar.gz'))
  const files = [
    'tests/helpers.py',
    'tests/fixtures/optimizer/tpc-h/tpc-h.sql',
    'tests/fixtures/optimizer/tpc-ds/tpc-ds.sql',
  ]
  run('tar', ['-xzf', archive, '--strip-components=1', ...files.map(file => `sqlglot-30.30.0/${file}`)])
  mkdirSync(target, { recursive: true })
  for (const file of files)
    copyFileSync(join(folder, file), join(target, file.slice(file.lastIndexOf('/') + 1)))
  rmSync(folder, { recursive: true, force: true })
  console.log(`The queries of TPC-H and TPC-DS are in ${target}`)
}

/**
 * Collects the answers of all files. A file that takes too long counts as unanswered, and another process
 * continues after it.
 */
async function judged(word) {
  const results = []
  for (;;) {
    const { answers, late, status } = await judgedFrom(word, results.length)
    results.push(...answers)
    if (late === undefined) {
      if (status !== 0) process.exit(status ?? 1)
      return results
    }
    results.push({ ...late, misses: [`never   no answer within ${longestMs / 1000} s`, ...late.misses] })
  }
}

function judgedFrom(word, from) {
  const child = spawn(process.execPath, [program, corpus, word, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const answers = []
  let late
  let timer
  const watch = () => {
    clearTimeout(timer)
    timer = setTimeout(() => child.kill('SIGKILL'), longestMs)
  }
  createInterface({ input: child.stdout }).on('line', line => {
    const { before, after } = JSON.parse(line)
    late = before
    if (after !== undefined) answers.push(after)
    watch()
  })
  return new Promise(resolve => {
    child.on('close', status => {
      clearTimeout(timer)
      resolve({ answers, late, status })
    })
  })
}

function print(results) {
  for (const { title, misses } of results.filter(each => each.misses.length > 0)) {
    console.log(title)
    for (const miss of misses) console.log(`  ${miss}`)
  }
  const keys = Object.keys(results[0]?.counts ?? {})
  const sum = key => results.reduce((total, { counts }) => total + counts[key], 0)
  console.table(Object.fromEntries(keys.map(key => [key, sum(key)])))
}
