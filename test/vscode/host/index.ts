/**
 * What the extension host is told to run, by @vscode/test-electron in VS Code and in code-server alike: every suite of
 * this folder, with a report that says how it ended. Only the report proves that the suite came to its end: a host that
 * dies looks like success to who started it.
 */
import { writeFileSync } from 'node:fs'
import Mocha from 'mocha'

export interface HostReport {
  readonly passed: readonly string[]
  readonly failed: readonly { readonly title: string; readonly message: string }[]
}

export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 60_000, color: false, ...grepOption() })
  mocha.suite.emit('pre-require', globalThis as unknown as Mocha.MochaGlobals, '', mocha)
  await import('./suites.ts')
  const passed: string[] = []
  const failed: { title: string; message: string }[] = []
  await new Promise<void>(resolve => {
    const runner = mocha.run(() => resolve())
    runner.on('pass', test => passed.push(test.fullTitle()))
    runner.on('fail', (test, error: Error) =>
      failed.push({ title: test.fullTitle(), message: error.stack ?? error.message }),
    )
  })
  const report: HostReport = { passed, failed }
  const path = process.env.SVC_TEST_REPORT
  if (path === undefined) throw new Error('SVC_TEST_REPORT names no file')
  writeFileSync(path, JSON.stringify(report))
  if (failed.length > 0) throw new Error(`${failed.length} tests failed`)
}

function grepOption(): { grep?: string } {
  const grep = process.env.SVC_TEST_GREP
  return grep === undefined ? {} : { grep }
}
