/** Tells which engine each environment of a project has (decisions 9, "The engine is the environment's"). */

import type { Engine } from '../engines/engine.ts'
import { engineOf, knownEngine } from '../engines/index.ts'
import { usualEnvironment } from '../text/command-line.ts'
import type { EnvironmentSettings } from './project.ts'

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>

/** The environment that every project has beside the usual one. */
const production = 'prod'

/** Returns whether it can be part of a schema name. */
export function isEnvironmentName(name: string): boolean {
  return /^[a-z][a-z0-9_]{0,31}$/.test(name)
}

/** The same in words. */
export const environmentNameForm =
  'A name has small letters, digits and underscores, starts with a letter, and is 32 characters at most.'

export interface Addresses {
  /** The address of environments that have none of their own. */
  readonly warehouse: string
  /** Whether `svc.yaml` has that address: then environments that it does not name may use it. */
  readonly isWritten: boolean
  readonly environments: Readonly<Record<string, EnvironmentSettings>>
  readonly variables: Variables
}

/** Returns the engines of the environments that the settings name; undefined where the variable of an address is not set. */
export function enginesByEnvironment(addresses: Addresses): ReadonlyMap<string, Engine | undefined> {
  const { environments, isWritten } = addresses
  const names = new Set([usualEnvironment, ...Object.keys(environments), ...(isWritten ? [production] : [])])
  return new Map(
    [...names].map(name => [name, engineAt(addressOf(addresses, name), addresses.variables)] as const),
  )
}

/**
 * Returns the engine of an environment. Where the variable of its address is not set, another address of the project
 * tells it; where none does, it is the usual one.
 */
export function engineOfEnvironment(addresses: Addresses, name: string): Engine {
  const { warehouse, environments, variables } = addresses
  const others = Object.values(environments).flatMap(each => each.warehouse ?? [])
  for (const address of [addressOf(addresses, name), warehouse, ...others]) {
    const engine = engineAt(address, variables)
    if (engine !== undefined) return engine
  }
  return engineOf('')
}

function addressOf({ warehouse, environments }: Addresses, name: string): string {
  return environments[name]?.warehouse ?? warehouse
}

function engineAt(address: string, variables: Variables): Engine | undefined {
  const variable = /^env:(.+)$/.exec(address)?.[1]
  return knownEngine(variable === undefined ? address : (variables[variable] ?? ''))
}
