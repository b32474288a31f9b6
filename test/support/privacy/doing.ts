/** What cases of the suite do, and what one of them is. */
import type { RunOptions } from '../cli.ts'
import type { Stage } from './stage.ts'
import type { Way } from './ways.ts'

export interface Happening {
  readonly name: string
  /** The files that a killed process leaves by their paths: they are as they came, or what the next command needs to know. */
  readonly leaves?: RegExp
  /** What comes next: then they are gone, too. */
  readonly settles?: (stage: Stage) => Promise<void>
  readonly needsPostgres?: boolean
  /** Absent: with every way. */
  readonly for?: (way: Way) => boolean
  does(stage: Stage): Promise<void>
}

const modes = [[], ['--debug'], ['--log-format', 'json'], ['--log-format', 'json', '--debug']]

export async function inAllModes({ svc }: Stage, words: readonly string[]): Promise<void> {
  for (const mode of modes) await svc([...words, ...mode])
}

/** A case in which nothing fails would find nothing. */
export async function failsInAllModes({ svc }: Stage, words: readonly string[]): Promise<void> {
  for (const mode of modes) {
    const { code, stderr } = await svc([...words, ...mode])
    if (code === 0) throw new Error(`svc ${words.join(' ')} did not fail: ${stderr}`)
  }
}

/** Runs a command that is killed by what it is given. */
export async function killed(
  stage: Stage,
  words: readonly string[],
  onStart: RunOptions['onStart'],
): Promise<void> {
  const { code, stderr } = await stage.alone(words, { ...(onStart && { onStart }) })
  if (code !== null) throw new Error(`svc ${words.join(' ')} was not killed: ${stderr}`)
}

/** What tells of a run afterwards. */
export async function lookBack({ svc }: Stage): Promise<void> {
  for (const words of [
    'status',
    'status --json',
    'logs',
    'logs --list',
    'versions people',
    'freshness',
    'plan',
    'plan --json',
  ])
    await svc(words.split(' '))
}

export const isText = ({ mark }: Way) => mark.includes('varchar')

/** Kills the command as soon as the service is asked for something. */
export async function killedWhenAsked(stage: Stage, words: readonly string[], path: string): Promise<void> {
  let kill = () => {}
  stage.behave(request => {
    if (!request.path.includes(path)) return undefined
    kill()
    return new Promise<never>(() => {})
  })
  await killed(stage, words, child => {
    kill = () => child.kill('SIGKILL')
  })
  stage.behave(() => undefined)
}
