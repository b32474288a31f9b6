/**
 * The process: arguments in, exit code out, signals, and the last error handler. Everything else is imported
 * on demand, so that `svc --version` costs little more than starting Node.
 */
import { version } from '../package.json'
import { buildId } from './engine/config/build-id.ts'

const exitBug = 70
const exitWorld = 3
const exitInterrupted = 130

async function main(): Promise<number> {
  const words = process.argv.slice(2)
  if (words[0] === '--version' || words[0] === '-V') {
    process.stdout.write(`svc ${version} (${buildId})\n`)
    return 0
  }
  const [{ runCommandLine }, { programId, realWorld }, { createInterrupts }] = await Promise.all([
    import('./commands/run-command-line.ts'),
    import('./commands/world.ts'),
    import('./commands/interrupts.ts'),
  ])
  const { signal, guard } = createInterrupts(process, () => process.exit(exitInterrupted))
  return runCommandLine(words, {
    version,
    world: realWorld(programId(__filename, version), guard, true),
    signal,
    out: process.stdout,
    err: process.stderr,
    // Node would print the line of the bundle in which the error arose, which has a million characters.
    onStrayError: report => process.once('uncaughtException', error => void end(report(error))),
  })
}

/** Streams to which output could not be written; reported when the work is done. */
const lost = new Map<string, string>()

/** A reader of the output may end early (`| head`), which is ignored. A full disk is reported. */
function noteLoss(name: string, error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') lost.set(name, error.code ?? error.message)
}

/** Resolves when all output is written or lost. A file reports a loss here before it emits the error. */
function flush(stream: NodeJS.WriteStream, name: string): Promise<void> {
  return new Promise(resolve => {
    stream.write('', error => {
      if (error) noteLoss(name, error)
      resolve()
    })
  })
}

async function end(code: number): Promise<never> {
  await flush(process.stdout, 'stdout')
  await flush(process.stderr, 'stderr')
  process.exit(withLoss(code))
}

function withLoss(code: number): number {
  for (const [name, reason] of lost) process.stderr.write(`error: ${name} cannot be written (${reason})\n`)
  return lost.size > 0 && code === 0 ? exitWorld : code
}

// The event loop runs empty only where something that the command waits for never ends: then there is no result to tell.
process.once('beforeExit', () => {
  process.stderr.write('error: this is a bug in svc: it ended without a result\n')
  process.exit(exitBug)
})
process.stdout.on('error', error => noteLoss('stdout', error))
process.stderr.on('error', error => noteLoss('stderr', error))
main().then(end, (error: unknown) => {
  const stack = error instanceof Error ? error.stack : String(error)
  process.stderr.write(`error: this is a bug in svc\n${stack}\n`)
  process.exit(exitBug)
})
