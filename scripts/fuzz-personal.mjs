// Looks for personal data that lineage loses. Queries are made at random over tables of marked values, run, and what
// their columns show is compared with what the analysis says of them:
//   node scripts/fuzz-personal.mjs [--count 100000] [--seed 1] [--workers 2]
// `--corpus` judges the committed cases (test/language/corpus/personal) instead and prints them as a table.
// Exit code 1: something was lost.
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from './bundle.mjs'
import { buildCachedWorker } from './node-bundles.mjs'

const batchSize = 300
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: String(Math.min(8, availableParallelism())) },
    shown: { type: 'string', default: '20' },
    corpus: { type: 'boolean', default: false },
  },
})

process.exit(await (values.corpus ? runCorpus() : runFuzz()))

/** The path of `test/support/personal/<name>.ts` as a program. */
async function personalProgram(name) {
  await buildCachedWorker()
  return bundle(`test/support/personal/${name}.ts`, `personal-${name}`)
}

async function runCorpus() {
  const { judgeCorpus, corpusReport } = await import(pathToFileURL(await personalProgram('report')).href)
  const verdicts = await judgeCorpus(join(root, 'test/language/corpus/personal'))
  process.stdout.write(`${corpusReport(verdicts, true)}\n`)
  return verdicts.every(({ mistakes }) => mistakes.length === 0) ? 0 : 1
}

async function runFuzz() {
  const [count, seed, workers] = [Number(values.count), Number(values.seed), Number(values.workers)]
  if (![count, seed, workers].every(Number.isInteger) || count < 1 || workers < 1) {
    process.stderr.write(
      'usage: node scripts/fuzz-personal.mjs [--count N] [--seed S] [--workers W] [--corpus]\n',
    )
    return 2
  }
  const startMs = performance.now()
  const path = await personalProgram('fuzz-process')
  const share = Math.ceil(count / workers)
  const tasks = Array.from({ length: workers }, (_, index) => ({
    seed,
    from: index * share,
    to: Math.min(count, (index + 1) * share),
    shown: Math.ceil(Number(values.shown) / workers),
  }))
  const findings = new Map()
  const counts = (await Promise.all(tasks.map(task => runTask(path, task, findings)))).flat()
  for (const { kind, what, sql } of [...findings.values()].sort((a, b) => a.sql.length - b.sql.length))
    process.stdout.write(`${kind}: ${sql}\n    ${what}\n`)
  const all = key => counts.reduce((sum, each) => sum + (each[key] ?? 0), 0)
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
  process.stdout.write(
    `${all('generated')} queries (seed ${seed}): ${all('run')} run, ${all('bound')} bound by the analysis, ${all('columns')} columns judged, ${all('watched')} queries watched while values change (${all('unjudged')} changed where the order of rows may be the reason and are not judged): ${all('leaks')} leak, ${all('crashes')} crash, ${seconds} s\n`,
  )
  return all('leaks') + all('crashes') === 0 && all('bound') > 0 ? 0 : 1
}

/**
 * A process that dies has crashed in the batch after the last one that it reported; another process continues
 * after that.
 */
async function runTask(path, task, findings) {
  const done = []
  for (let { from } = task; from < task.to; ) {
    const { counts, isDone, code } = await runProcess(path, { ...task, from }, findings)
    done.push(counts)
    if (isDone) break
    from += counts.generated
    const what = `the process ended with ${code} in queries ${from} to ${from + batchSize} of seed ${task.seed}`
    findings.set(`crash ${from}`, { kind: 'crash', what, sql: '' })
    done.push({ crashes: 1 })
    from += batchSize
  }
  return done
}

function runProcess(path, task, findings) {
  return new Promise(resolve => {
    let counts = { generated: 0 }
    let isDone = false
    const child = fork(path)
    child.on('message', message => {
      if (message.finding) findings.set(`${message.finding.kind} ${message.finding.sql}`, message.finding)
      if (message.counts) counts = message.counts
      if (message.isDone) isDone = true
    })
    child.on('exit', (code, signal) => resolve({ counts, isDone, code: code ?? signal }))
    child.send({ ...task, batchSize })
  })
}
