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
// When one watcher ends, the other one is stopped too.
for (const watcher of watchers) watcher.once('exit', code => stop(code ?? 0))
