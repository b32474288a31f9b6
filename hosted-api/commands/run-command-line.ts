/** Words in, exit code out: 0 done, 2 wrong usage, 3 the world failed, 70 a bug of ours. */
import { Command, CommanderError } from 'commander'
import { BootstrapTokenError } from '../access/index.ts'
import { AddressError, FileInUse, MissingDriver, NewerDatabase } from '../storage/index.ts'
import { addServe } from './serve.ts'
import type { World } from './world.ts'

const done = 0
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
  try {
    await program.parseAsync([...words], { from: 'user' })
    return done
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? done : wrongUsage
    return tell(error, world)
  }
}

function tell(error: unknown, world: World): number {
  if (error instanceof AddressError || error instanceof BootstrapTokenError) {
    world.warn(`error: ${error.message}`)
    return wrongUsage
  }
  const isKnown = [MissingDriver, FileInUse, NewerDatabase].some(type => error instanceof type)
  if (isKnown || isOfTheSystem(error)) {
    world.warn(`error: ${(error as Error).message}`)
    return worldFailed
  }
  world.warn(`error: this is a bug in svc-hosted\n${error instanceof Error ? error.stack : String(error)}`)
  return bug
}

/** What an operating system or a database says has a code: `EADDRINUSE`, `SQLITE_CANTOPEN`, `28P01`. */
function isOfTheSystem(error: unknown): boolean {
  return error instanceof Error && ('code' in error || error.name === 'StorageError')
}
