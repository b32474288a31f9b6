/** Where answers are asked for: a project, an environment and a time. */
import { type LineOptions, lineIn } from '../../cli/bad-input/command-line.ts'
import type { Client } from '../../hosted/support/client.ts'
import { readOutput } from '../cli.ts'

export interface StorePlace {
  readonly client: Client
  /** The number of the project in the store. */
  readonly project: number
  /** With these variables a command finds the store. */
  readonly env: Readonly<Record<string, string>>
}

export interface Place {
  readonly root: string
  readonly environment: string
  readonly now: () => Date
  readonly env: Readonly<Record<string, string>>
  /** The store that the environment is uploaded to; absent: it is not asked. */
  readonly store?: StorePlace | undefined
}

export function optionsOf({ root, now, env }: Place): LineOptions {
  return { now, program: 'tests', env: { PATH: process.env['PATH'] ?? '', HOME: root, ...env } }
}

/** What `svc <words> --env <environment>` prints. */
export async function said(place: Place, words: readonly string[]): Promise<string> {
  const { stdout } = await lineIn(place.root, inEnvironment(place, words), optionsOf(place))
  return stdout
}

/** As `said`, with the JSON read. */
export async function json<T>(place: Place, words: readonly string[]): Promise<T> {
  const line = inEnvironment(place, words)
  return readOutput(line, await lineIn(place.root, line, optionsOf(place))).value as T
}

function inEnvironment({ environment }: Place, words: readonly string[]): readonly string[] {
  return words[0] === 'logs' ? words : [...words, '--env', environment]
}
