// Runs the suites of test/vscode/host inside the extension host of a real VS Code: once with a project, once in a
// workspace that nobody trusts, once with several folders. The window is code-server in the place of `code`, or what
// SVC_CODE_EXECUTABLE names. Prints the report; exits with 0 only where every suite came to its end and nothing failed.
//   node test/vscode/run-host.mjs [report.json] [--only project,untrusted,folders] [--grep <words>]
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { runTests } from '@vscode/test-electron'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const suite = join(root, '.tools', 'host-suite', 'index.cjs')
const extension = join(root, 'extension')
const executable = process.env.SVC_CODE_EXECUTABLE ?? join(root, 'test/vscode/support/code.mjs')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, grep: { type: 'string' } },
})
const report = positionals[0] ?? join(root, '.tools', 'host-suite', 'report.json')

/** Each opens one window. `prepare` gets an empty folder and gives what the window opens. */
const launches = {
  project: {
    prepare: folder => copyOf('test/fixtures/shop', join(folder, 'shop')),
    settings: {},
  },
  untrusted: {
    prepare: folder => copyOf('test/fixtures/shop', join(folder, 'shop')),
    settings: {
      'security.workspace.trust.enabled': true,
      'security.workspace.trust.startupPrompt': 'never',
      'security.workspace.trust.banner': 'never',
    },
  },
  folders: {
    prepare(folder) {
      copyOf('test/fixtures/shop', join(folder, 'shop'))
      copyOf('test/fixtures/shop', join(folder, `it's "another" shop & $HOME`))
      const workspace = join(folder, 'both.code-workspace')
      const folders = [{ path: 'shop' }, { path: `it's "another" shop & $HOME` }]
      writeFileSync(workspace, JSON.stringify({ folders }))
      return workspace
    },
    settings: {},
  },
}

await bundleSuites()
const wanted = values.only?.split(',') ?? Object.keys(launches)
const found = []
for (const name of wanted) found.push(await launch(name, launches[name]))
mkdirSync(dirname(report), { recursive: true })
const all = { passed: found.flatMap(({ passed }) => passed), failed: found.flatMap(({ failed }) => failed) }
writeFileSync(report, JSON.stringify(all))
process.exit(say(all))

function bundleSuites() {
  return build({
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
}

function copyOf(project, folder) {
  cpSync(join(root, project), folder, { recursive: true, filter: path => !path.includes('/.svc') })
  return folder
}

async function launch(name, { prepare, settings }) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-host-'))
  const own = join(folder, 'report.json')
  const data = join(folder, 'data')
  mkdirSync(join(data, 'User'), { recursive: true })
  writeFileSync(join(data, 'User', 'settings.json'), JSON.stringify(settings))
  const env = { SVC_TEST_REPORT: own, SVC_TEST_LAUNCH: name, ...grepOption() }
  const extensions = join(folder, 'extensions')
  const options = [
    prepare(folder),
    '--disable-extensions',
    `--user-data-dir=${data}`,
    `--extensions-dir=${extensions}`,
  ]
  console.log(`\n— ${name}`)
  const problem = await (name === 'untrusted' ? startWithTrust(options, env) : start(options, env))
  const result = existsSync(own)
    ? JSON.parse(readFileSync(own, 'utf8'))
    : { passed: [], failed: [{ title: name, message: `the suites left no report: ${problem}` }] }
  rmSync(folder, { recursive: true, force: true })
  if (result.passed.length + result.failed.length > 0) return result
  return { passed: [], failed: [{ title: name, message: 'the suites ran no test' }] }
}

function grepOption() {
  return values.grep === undefined ? {} : { SVC_TEST_GREP: values.grep }
}

/**
 * A host that dies, or is ended by a test, looks like success to test-electron: only the report tells. Gives what went
 * wrong, for where there is none.
 */
async function start(launchArgs, extensionTestsEnv) {
  try {
    await runTests({
      vscodeExecutablePath: executable,
      extensionDevelopmentPath: extension,
      extensionTestsPath: suite,
      launchArgs,
      extensionTestsEnv,
    })
    return 'the extension host died'
  } catch (error) {
    return error.message
  }
}

/** As above; test-electron itself always switches workspace trust off. */
function startWithTrust(launchArgs, env) {
  const options = [
    ...launchArgs,
    '--no-sandbox',
    '--disable-gpu-sandbox',
    '--disable-updates',
    '--skip-welcome',
    '--skip-release-notes',
    `--extensionDevelopmentPath=${extension}`,
    `--extensionTestsPath=${suite}`,
  ]
  return new Promise(resolve => {
    const child = spawn(executable, options, { env: { ...process.env, ...env }, stdio: 'inherit' })
    child.once('error', error => resolve(error.message))
    child.once('exit', code => resolve(`the window ended with ${code}`))
  })
}

function say({ passed, failed }) {
  for (const { title, message } of failed) console.log(` ✗ ${title}\n${message.replace(/^/gm, '     ')}`)
  console.log(`\n${passed.length} passed, ${failed.length} failed in the extension host`)
  return failed.length === 0 && passed.length > 0 ? 0 : 1
}
