// Rebuilds the bundles and checks the types on every change, until Ctrl+C.
import { spawn } from 'node:child_process'

const watchers = [
  spawn(process.execPath, ['esbuild.mjs', '--watch'], { stdio: 'inherit' }),
  spawn('tsc', ['-b', '-w', '--preserveWatchOutput'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  }),
]

function stop(exitCode) {
  for (const watcher of watchers) watcher.kill()
  process.exitCode = exitCode
}

process.on('SIGINT', () => stop(0)).on('SIGTERM', () => stop(0))
// One of them alone is of no use: when one ends, so does the other.
for (const watcher of watchers) watcher.once('exit', code => stop(code ?? 0))
