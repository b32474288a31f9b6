// Takes the pictures of docs/vscode.md and of the README: runs the journeys of test/vscode, which keep what they see,
// and copies the parts that are for the documentation. Run it by hand after something looks different:
// `node scripts/editor-pictures.mjs`. All pictures, in every theme, are in .tools/shots then, to be looked at.
import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const shots = join(root, '.tools', 'shots')
const prefix = 'docs '

process.chdir(root)
rmSync(shots, { recursive: true, force: true })
run(process.execPath, ['esbuild.mjs'])
run(process.execPath, ['scripts/package.mjs', '--only', 'vsix'])
const status = start(join(root, 'node_modules', '.bin', 'vitest'), [
  'run',
  '--config',
  'test/vscode/vitest.config.ts',
])
// A failed journey has not taken its later pictures.
for (const name of readdirSync(shots).filter(each => each.startsWith(prefix)))
  copyFileSync(join(shots, name), join(root, 'docs', 'images', name.slice(prefix.length)))

process.exit(status)

function run(program, options) {
  const code = start(program, options)
  if (code !== 0) process.exit(code)
}

function start(program, options) {
  const env = { ...process.env, SVC_SHOTS: '1' }
  return spawnSync(program, options, { stdio: 'inherit', env }).status ?? 1
}
