/**
 * Turns the command line into an exit code: 0 done, 1 a check failed, 2 wrong usage, 3 something outside the
 * project failed, 70 a bug.
 */
import { Command, CommanderError } from 'commander'
import { BootstrapTokenError } from '../access/index.ts'
import { AddressError, MissingDatabase } from '../storage/index.ts'
import { addAudit } from './audit.ts'
import { addBackup } from './backup.ts'
import { addPrune } from './prune.ts'
import { addServe } from './serve.ts'
import { addToken } from './token.ts'
import { CheckFailed, UsageError, type World } from './world.ts'
import { worldText } from './world-text.ts'

const done = 0
const checkFailed = 1
const wrongUsage = 2
const worldFailed = 3
const bug = 70

export async function runCommandLine(
  words: readonly string[],
  version: string,
  world: World,
): Promise<number> {
  const program = new Command('svc-hosted')
    .description('the hosted glossary and metadata store of svc')
    .version(`svc-hosted ${version}`, '-V, --version')
    .exitOverride()
    .configureOutput({
      writeOut: text => world.say(text.trimEnd()),
      writeErr: text => world.warn(text.trimEnd()),
    })
  addServe(program, world)
  addToken(program, world)
  addBackup(program, world)
  addAudit(program, world)
  addPrune(program, world)
  try {
    await program.parseAsync([...words], { from: 'user' })
    return done
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? done : wrongUsage
    return tell(error, world)
  }
}

function tell(error: unknown, world: World): number {
  if (error instanceof CheckFailed) {
    for (const problem of error.problems) world.warn(`error: ${problem}`)
    return checkFailed
  }
  const told = worldText(error)
  if (told === undefined) {
    world.warn(`error: this is a bug in svc-hosted\n${error instanceof Error ? error.stack : String(error)}`)
    return bug
  }
  world.warn(`error: ${told}`)
  return usageErrors.some(type => error instanceof type) ? wrongUsage : worldFailed
}

const usageErrors = [UsageError, AddressError, MissingDatabase, BootstrapTokenError]
