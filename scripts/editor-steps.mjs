// The steps of `npm test` that need a real VS Code and a browser.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareEditor } from './editor-tools.mjs'
import { start, tests } from './steps.mjs'

/**
 * A step that needs code-server and Chromium. If they are not available, one line says so; in CI that is a failure.
 * @param {string} title
 * @param {() => Promise<{ passed: number, failed: number }>} run
 */
function inEditor(title, run) {
  return {
    title,
    run: async () => {
      const prepared = prepareEditor({ browser: true })
      if (!('missing' in prepared)) return await run()
      console.log(`not run: ${prepared.missing}`)
      return { passed: 0, failed: (process.env.CI ?? '') === '' ? 0 : 1 }
    },
  }
}

/** The exit code of packing the extension, as soon as that has begun. */
let packed

function packExtension() {
  packed ??= start('node', ['scripts/package.mjs', '--only', 'vsix'])
  return packed
}

/**
 * The suites of test/vscode/host, counted from their report. Their window waits half of its time, and packing waits for npm:
 * the extension for the journeys is packed beside them.
 */
export const hostSuites = inEditor('in the extension host of VS Code', async () => {
  void packExtension()
  const folder = mkdtempSync(join(tmpdir(), 'svc-host-report-'))
  const report = join(folder, 'report.json')
  const code = await start('node', ['test/vscode/run-host.mjs', report])
  const counts = countsOf(report)
  rmSync(folder, { recursive: true })
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
})

function countsOf(report) {
  try {
    const { passed, failed } = JSON.parse(readFileSync(report, 'utf8'))
    const names = failed.map(({ title, message }) => `${title}: ${message.split('\n')[0]}`)
    return { passed: passed.length, failed: failed.length, names }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/** The journeys of test/vscode/journeys, with the packed extension installed as a user installs it. */
export const journeys = inEditor('a person in VS Code', async () => {
  if ((await packExtension()) !== 0) return { passed: 0, failed: 1 }
  return await tests('journeys', ['--config', 'test/vscode/vitest.config.ts']).run()
})
