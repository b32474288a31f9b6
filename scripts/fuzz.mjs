// Puts damaged `.svc` texts through parser and checks: `node scripts/fuzz.mjs --count 1000000 --seed 1`. Prints how many
// were tried; fails when one throws, takes longer than a second, never ends, or gives a place outside the file.
// `--validate 10000` puts that many through real `svc validate` processes instead, a folder of 500 at a time;
// `--editor 10000` makes that many random edits of the example in a session with the language server.
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { bundle } from './bundle.mjs'
import { buildCachedWorker } from './node-bundles.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const longestMs = 10_000
const shownFailures = 10
const { count, seed, validate, editor } = readOptions()

process.exit(await (editor !== undefined ? runEditor() : validate === undefined ? run() : runValidate()))

/** The path of `test/support/<name>.ts` as a program. */
async function supportProgram(name) {
  await buildCachedWorker()
  return bundle(`test/support/${name}.ts`, name)
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      validate: { type: 'string' },
      editor: { type: 'string' },
    },
  })
  const [count, seed] = [Number(values.editor ?? values.validate ?? values.count), Number(values.seed)]
  if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
    process.stderr.write('usage: node scripts/fuzz.mjs [--count N | --validate N | --editor N] [--seed S]\n')
    process.exit(2)
  }
  return { count, seed, validate: values.validate, editor: values.editor }
}

async function runValidate() {
  const { fuzzValidate } = await import(pathToFileURL(await supportProgram('fuzz-validate')).href)
  const startMs = performance.now()
  const outcome = await fuzzValidate({ root, count, seed, batch: 500, longestMs: 300_000 })
  for (const { problem, text } of outcome.failures.slice(0, shownFailures))
    process.stdout.write(`${text === undefined ? '' : `${JSON.stringify(text)}\n  `}${problem}\n`)
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
  process.stdout.write(
    `${outcome.texts} texts (seed ${seed}) in ${outcome.processes} processes of svc validate: ${outcome.failures.length} failed, slowest process ${(outcome.slowestMs / 1000).toFixed(1)} s, ${seconds} s\n`,
  )
  return outcome.failures.length === 0 ? 0 : 1
}

async function runEditor() {
  const { fuzzEditor } = await import(pathToFileURL(await supportProgram('fuzz-editor')).href)
  const startMs = performance.now()
  const outcome = await fuzzEditor({ root, count, seed, every: 250 })
  for (const problem of outcome.failures.slice(0, shownFailures)) process.stdout.write(`${problem}\n`)
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
  process.stdout.write(
    `${outcome.edits} edits (seed ${seed}), ${outcome.comparisons} comparisons with a fresh server over ${outcome.problems} problems: ${outcome.failures.length} failed, ${seconds} s\n`,
  )
  return outcome.failures.length === 0 ? 0 : 1
}

async function run() {
  const progress = new Int32Array(new SharedArrayBuffer(4))
  const startMs = performance.now()
  const worker = new Worker(await supportProgram('fuzz-worker'), {
    workerData: { root, count, seed, progress },
  })
  let failures = 0
  return new Promise((resolve, reject) => {
    const watch = setInterval(
      watchProgress(progress, done => {
        process.stdout.write(`text ${done} of seed ${seed} never ends\n`)
        finish(1)
      }),
      500,
    )
    const finish = status => {
      clearInterval(watch)
      worker.terminate().then(() => resolve(status), reject)
    }
    worker.on('error', reject)
    worker.on('message', message => {
      if (message.kind === 'failure') {
        if (failures++ < shownFailures)
          process.stdout.write(`${JSON.stringify(message.text)}\n  ${message.problem}\n`)
        return
      }
      const seconds = (performance.now() - startMs) / 1000
      process.stdout.write(
        `${count} texts (seed ${seed}): ${failures} failed, slowest ${message.slowestMs.toFixed(1)} ms, ${seconds.toFixed(1)} s\n`,
      )
      finish(failures === 0 ? 0 : 1)
    })
  })
}

/** Calls `stuck` with the number of texts done if that number has not changed for too long. */
function watchProgress(progress, stuck) {
  let last = -1
  let sinceMs = performance.now()
  return () => {
    const done = Atomics.load(progress, 0)
    const nowMs = performance.now()
    if (done !== last) {
      last = done
      sinceMs = nowMs
    } else if (done < count && nowMs - sinceMs > longestMs) stuck(done)
  }
}
