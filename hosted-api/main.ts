/** The process: arguments in, exit code out, signals. */
import { runCommandLine } from './commands/run-command-line.ts'
import { version } from './package.json'
import { runQuestionProcess, startsAsQuestionProcess } from './question-process.ts'

const exitBug = 70
const exitWorld = 3
const exitInterrupted = 130

if (startsAsQuestionProcess()) runQuestionProcess()
else runCommand()

function runCommand(): void {
  // The event loop runs empty only where something that the command waits for never ends: then there is no result to tell.
  process.once('beforeExit', () => {
    process.stderr.write('error: this is a bug in svc-hosted: it ended without a result\n')
    process.exit(exitBug)
  })
  // The reader of the output may be gone, which ends no duty of the service. Output that a disk has no room for is a failure.
  let isLost = false
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return
      isLost = true
      if (stream === process.stdout)
        process.stderr.write(`error: stdout cannot be written (${error.code ?? error.message})\n`)
    })
  const interrupted = new Promise<void>(resolve => {
    let count = 0
    const onSignal = () => (++count === 1 ? resolve() : process.exit(exitInterrupted))
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  })
  runCommandLine(process.argv.slice(2), version, {
    environment: process.env,
    clock: () => new Date(),
    say: line => process.stdout.write(`${line}\n`),
    warn: line => process.stderr.write(`${line}\n`),
    interrupted,
    bundle: __filename,
  }).then(
    // The error of a stream comes after the write that it is of.
    code => setImmediate(() => process.exit(isLost && code === 0 ? exitWorld : code)),
    error => {
      process.stderr.write(`error: this is a bug in svc-hosted\n${error?.stack ?? error}\n`)
      process.exit(exitBug)
    },
  )
}
