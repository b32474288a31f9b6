// Runs the suites of test/vscode/host inside the extension host of a real VS Code, started by @vscode/test-electron:
// code-server in the place of `code`, or what SVC_CODE_EXECUTABLE names. Prints the report; exits with 0 only where the
// suites came to their end and nothing failed.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runTests } from '@vscode/test-electron'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const suite = join(root, '.tools', 'host-suite', 'index.cjs')
const report = process.argv[2] ?? join(root, '.tools', 'host-suite', 'report.json')

await build({
  entryPoints: [join(root, 'test/vscode/host/index.ts')],
  outfile: suite,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.17',
  external: ['vscode', 'mocha'],
  sourcemap: 'inline',
  logLevel: 'warning',
})
mkdirSync(dirname(report), { recursive: true })
rmSync(report, { force: true })
const folder = mkdtempSync(join(tmpdir(), 'svc-host-'))
const project = join(folder, 'shop')
cpSync(join(root, 'test/fixtures/shop'), project, {
  recursive: true,
  filter: path => !path.includes('/.svc'),
})
let failure
try {
  await runTests({
    vscodeExecutablePath: process.env.SVC_CODE_EXECUTABLE ?? join(root, 'test/vscode/support/code.mjs'),
    extensionDevelopmentPath: join(root, 'extension'),
    extensionTestsPath: suite,
    launchArgs: [project, '--disable-extensions'],
    extensionTestsEnv: { SVC_TEST_REPORT: report },
  })
} catch (error) {
  failure = error
}
rmSync(folder, { recursive: true, force: true })
process.exit(say(readReport()))

/** A host that dies, or is ended by a test, looks like success to test-electron: only the report tells. */
function readReport() {
  if (!existsSync(report)) {
    process.stderr.write(`the suites left no report: ${failure?.message ?? 'the extension host died'}\n`)
    return undefined
  }
  return JSON.parse(readFileSync(report, 'utf8'))
}

function say(found) {
  if (found === undefined) return 1
  for (const title of found.passed) console.log(` ✓ ${title}`)
  for (const { title, message } of found.failed)
    console.log(` ✗ ${title}\n${message.replace(/^/gm, '     ')}`)
  console.log(`\n${found.passed.length} passed, ${found.failed.length} failed in the extension host`)
  if (found.passed.length === 0) process.stderr.write('the suites ran no test\n')
  return found.failed.length === 0 && found.passed.length > 0 ? 0 : 1
}
