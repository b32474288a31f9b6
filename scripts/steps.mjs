// Runs the steps of a check one after another, and prints at the end what passed and what failed.
import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/**
 * @typedef {{ passed: number, failed: number, names?: readonly string[], figures?: readonly string[] }} Counts
 * `names`: which tests failed, each with the first line of its reason. `figures`: what suites say of themselves, a line each.
 * @typedef {{ title: string, run: () => Promise<Counts> }} Step
 */

/** Returns a step that runs one program, which passes with exit code 0. */
export function program(title, command, options) {
  return {
    title,
    run: async () =>
      (await start(command, options)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 },
  }
}

/**
 * Starts a program at once, or as soon as another one in the background has ended, and returns a step that waits until it
 * has ended itself.
 * @param {{ readonly ended: Promise<unknown> }} [after]
 */
export function inBackground(title, command, options, after) {
  const ended = (after?.ended ?? Promise.resolve()).then(() => start(command, options))
  return {
    title,
    ended,
    run: async () => ((await ended) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }),
  }
}

/**
 * Starts a script that runs steps itself, as soon as another one in the background has ended, and returns a step that waits
 * for it and then says all that it said.
 * @param {string} title
 * @param {readonly string[]} words those of `node`
 * @param {{ readonly ended: Promise<unknown> }} after
 * @param {Readonly<Record<string, string>>} [env] what is set besides
 * @returns {Step}
 */
export function stepsBeside(title, words, after, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-beside-'))
  const [said, report] = [join(folder, 'said'), join(folder, 'report.json')]
  const output = openSync(said, 'w')
  const ended = after.ended.then(() =>
    start('node', words, { ...env, [reportVariable]: report }, ['ignore', output, output]),
  )
  return {
    title,
    run: async () => {
      const code = await ended
      closeSync(output)
      process.stdout.write(readFileSync(said))
      const counts = countsOfSteps(report)
      rmSync(folder, { recursive: true })
      return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
    },
  }
}

/** Names the file into which `runSteps` writes what passed and what failed. */
const reportVariable = 'SVC_STEPS_REPORT'

function countsOfSteps(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/**
 * Returns a step with the tests of the given folders (all by default), counted from vitest's own report.
 * @param {string} title
 * @param {readonly string[]} options
 * @param {object} [settings]
 * @param {string} [settings.temporary] the folder for what the tests write, where it is not the usual one
 * @param {Readonly<Record<string, string>>} [settings.env] what is set besides
 * @param {(report: string, counts: Counts) => readonly string[]} [settings.figures] reads the figures from vitest's report
 * @returns {Step}
 */
export function tests(title, options, { temporary, env, figures } = {}) {
  return {
    title,
    run: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-test-report-'))
      const report = join(folder, 'report.json')
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
      const variables = { ...env, ...(temporary !== undefined && { TMPDIR: temporary }) }
      const exitCode = await start('vitest', ['run', ...reporters, ...options], variables)
      const counts = withFigures(countTests(report), () => figures?.(report, countTests(report)))
      rmSync(folder, { recursive: true })
      // A run that fails without a failed test (a file that cannot be loaded, an error after the end) counts
      // as a failure.
      return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
    },
  }
}

/**
 * Counts the tests in vitest's report; an unreadable report counts as one failure.
 * @returns {Counts}
 */
export function countTests(report) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
    // A file that cannot be loaded, or whose setup fails, has no failed test to count.
    const brokenFiles = testResults.filter(
      file => file.status === 'failed' && file.assertionResults.every(result => result.status !== 'failed'),
    )
    return {
      passed: numPassedTests,
      failed: numFailedTests + brokenFiles.length,
      names: [
        ...testResults.flatMap(({ name, assertionResults }) =>
          assertionResults
            .filter(({ status }) => status === 'failed')
            .map(({ fullName, failureMessages }) => named(name, fullName, failureMessages?.[0])),
        ),
        ...brokenFiles.map(({ name, message }) => named(name, '', message)),
      ],
    }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/** Without a report there are no figures, and its absence has been counted. */
function withFigures(counts, read) {
  try {
    const figures = read()
    return figures === undefined ? counts : { ...counts, figures }
  } catch {
    return counts
  }
}

function named(file, test, reason = '') {
  const path = relative(process.cwd(), file)
  return [path, test, stripVTControlCharacters(reason).split('\n')[0]].filter(part => part !== '').join(': ')
}

/**
 * Runs all steps, even after a failure, and exits with 0 or 1. At the end, where a long output is read first, stand all
 * figures and what failed; the last line is `N passed, N failed`.
 * @param {readonly Step[]} steps
 */
export async function runSteps(steps) {
  let passed = 0
  const failures = []
  const figures = []
  for (const step of steps) {
    const started = performance.now()
    console.log(`\n— ${step.title}`)
    const result = await step.run()
    passed += result.passed
    if (result.failed > 0) failures.push({ title: step.title, ...result })
    for (const line of result.figures ?? []) console.log(`  ${line}`)
    figures.push(...(result.figures ?? []))
    console.log(
      `  ${result.failed === 0 ? 'ok' : 'FAILED'} in ${((performance.now() - started) / 1000).toFixed(1)} s`,
    )
  }
  if (figures.length > 0) console.log(`\n${figures.join('\n')}`)
  const failed = failures.reduce((sum, failure) => sum + failure.failed, 0)
  if (failed > 0) console.log(`\nfailed: ${failures.map(failure => failure.title).join(', ')}`)
  const names = failures.flatMap(failure => failure.names ?? [])
  for (const name of names) console.log(`  ${name}`)
  console.log(`\n${passed} passed, ${failed} failed`)
  const report = process.env[reportVariable]
  if (report !== undefined) writeFileSync(report, JSON.stringify({ passed, failed, names, figures }))
  process.exit(failed === 0 ? 0 : 1)
}

/** Runs a program with some variables set besides, and returns its exit code when it has ended. */
export function start(command, options, variables = {}, stdio = 'inherit') {
  const shell = process.platform === 'win32'
  const child = spawn(command === 'node' ? process.execPath : command, options, {
    stdio,
    shell: shell && command !== 'node',
    env: { ...process.env, ...variables },
  })
  return new Promise(resolve => {
    child.once('error', error => {
      console.error(`cannot start ${command}: ${error.message}`)
      resolve(127)
    })
    child.once('exit', code => resolve(code ?? 1))
  })
}
