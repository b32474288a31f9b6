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
  // Whoever reads the output may be gone: that ends no duty of the service.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exitCode = exitWorld
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
    code => process.exit(code),
    error => {
      process.stderr.write(`error: this is a bug in svc-hosted\n${error?.stack ?? error}\n`)
      process.exit(exitBug)
    },
  )
}
