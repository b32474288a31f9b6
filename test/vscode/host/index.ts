/**
 * What the extension host is told to run, by @vscode/test-electron in VS Code and in code-server alike: the suites for
 * this window, with a report that says how they ended. Only the report proves that they came to their end: a host that
 * dies looks like success to who started it.
 */
import { writeFileSync } from 'node:fs'
import Mocha from 'mocha'
import { commands, type TextDocument, workspace } from 'vscode'
import { revert } from './documents.ts'
import { suites } from './suites.ts'

export interface HostReport {
  readonly passed: readonly string[]
  readonly failed: readonly { readonly title: string; readonly message: string }[]
}

export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 120_000, color: false, ...grepOption() })
  mocha.rootHooks({ afterEach: tidyUp })
  mocha.suite.emit('pre-require', globalThis as unknown as Mocha.MochaGlobals, '', mocha)
  const load = suites[variable('SVC_TEST_LAUNCH')]
  if (load === undefined) throw new Error(`there are no suites for ${variable('SVC_TEST_LAUNCH')}`)
  await load()
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
  writeFileSync(variable('SVC_TEST_REPORT'), JSON.stringify(report))
  if (failed.length > 0) throw new Error(`${failed.length} tests failed`)
}

/** A test that failed half way leaves the next one nothing that is not saved, and no editor. */
async function tidyUp(): Promise<void> {
  // The editor writes its own settings, and saves them by itself.
  const isOurs = ({ uri }: TextDocument) => !uri.path.endsWith('/User/settings.json')
  const unsaved = workspace.textDocuments.filter(document => document.isDirty && isOurs(document))
  for (const document of unsaved) await revert(document)
  await commands.executeCommand('workbench.action.closeAllEditors')
}

function variable(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

function grepOption(): { grep?: string } {
  const grep = process.env['SVC_TEST_GREP']
  return grep === undefined ? {} : { grep }
}
