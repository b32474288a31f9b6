// `npm run editor`: the example in a real VS Code with this extension. An installed `code` opens its own window; without
// one, code-server serves the editor to a browser. The web service of the example is there until Ctrl+C.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startCodeServer } from './code-server.mjs'
import { prepareEditor } from './editor-tools.mjs'
import { prepareExample } from './example-editor.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(root)
const { chosen, port, browser } = readOptions()
const example = chosen === undefined ? await prepareExample(join(root, '.demo', 'editor')) : undefined
const folder = chosen ?? example.folder
const code = browser ? undefined : findCode()
if (code === undefined) await serve()
else open(code)

function readOptions() {
  const usage = `npm run editor -- [folder] [--browser] [--port <n>]

  folder        what to open (default: a copy of examples/flights with its data, in .demo/editor)
  --browser     code-server, even where VS Code is installed
  --port <n>    of code-server (default: a free one)
`
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        browser: { type: 'boolean' },
        port: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) {
      console.log(usage)
      process.exit(0)
    }
    return {
      chosen: positionals[0],
      port: values.port === undefined ? undefined : portOf(values.port),
      browser: values.browser === true,
    }
  } catch (error) {
    return fail(`${error.message}\n\n${usage}`, 2)
  }
}

function portOf(text) {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    fail(`--port takes a number from 1 to 65535, not ${text}`, 2)
  return port
}

function findCode() {
  const names = process.platform === 'win32' ? ['code.cmd', 'code.exe'] : ['code']
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap(path => names.map(name => join(path, name))).find(existsSync)
}

/** Opens the editor with the extension from its folder, beside the extensions of the user. */
function open(program) {
  run(process.execPath, ['esbuild.mjs'])
  const options = [`--extensionDevelopmentPath=${join(root, 'extension')}`, folder]
  const { status } = spawnSync(program, options, { stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0 || example === undefined) process.exit(status ?? 1)
  console.log('The web service of the example is there until Ctrl+C.')
}

async function serve() {
  const prepared = prepareEditor({ browser: false })
  if ('missing' in prepared) fail(prepared.missing, 3)
  run(process.execPath, ['scripts/package.mjs', '--only', 'vsix'])
  const server = await startCodeServer({
    tools: prepared.tools,
    folder: join(root, '.tools', 'editor'),
    vsix: newestExtension(),
    port,
  })
  console.log(`\nVS Code with svc: ${server.url}/?folder=${encodeURIComponent(folder)}\nCtrl+C ends it.`)
  process.on('SIGINT', () => void server.stop()).on('SIGTERM', () => void server.stop())
  await server.exited
  await example?.close()
}

/** Returns the extension that was just built for this platform. */
function newestExtension() {
  const name = readdirSync('packages').find(file =>
    file.endsWith(`-${process.platform}-${process.arch}.vsix`),
  )
  return name === undefined ? fail('the extension was not packed', 1) : join(root, 'packages', name)
}

function run(program, options) {
  const { status } = spawnSync(program, options, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

function fail(message, exitCode) {
  process.stderr.write(`error: ${message}\n`)
  process.exit(exitCode)
}
