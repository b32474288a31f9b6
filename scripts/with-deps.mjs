// Runs a command of this project; installs the dependencies first where they are missing or out of date, so that
// every `npm run <x>` works in a fresh clone. Node's own modules only.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'node_modules', '.svc-installed')
const [command, ...commandArguments] = process.argv.slice(2)

function installIfNeeded() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  process.stderr.write('Installing dependencies (npm ci)…\n')
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

function run(program, args) {
  const shell = process.platform === 'win32'
  const path = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`
  const result = spawnSync(program, args, {
    cwd: root,
    stdio: 'inherit',
    shell,
    env: { ...process.env, PATH: path },
  })
  if (result.error) {
    process.stderr.write(`error: cannot start ${program}: ${result.error.message}\n`)
    process.exit(3)
  }
  if (result.status !== 0) process.exit(result.status ?? 1)
}

installIfNeeded()
run(command, commandArguments)
