/** Checks a project's files on the engine of every environment (decisions 9, "The engine is the environment's"). */
import type { Diagnostic, Engine, Settings } from '@svc/server/language'
import { environmentsOf, joinedProblems, otherEngines } from '@svc/server/workspace'
import { problemsOf } from './problems.ts'
import type { Workspace } from './workspace.ts'

/** Returns the problems by path. `open` opens the project for an environment of another engine. */
export async function problemsOnAllEngines(
  workspace: Workspace,
  open: (environment: string) => Promise<Workspace>,
): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const { settings } = workspace.project
  const on = async (engine: Engine, environments: readonly string[], opened: Workspace) => ({
    engine,
    environments,
    problems: await problemsOf(opened),
  })
  const others = Array.from(otherEngines(settings), async ([engine, environments]) =>
    on(engine, environments, await open(environments[0] ?? '')),
  )
  const [first, ...rest] = await Promise.all([
    on(settings.engine, environmentsOf(settings), workspace),
    ...others,
  ])
  return joinedProblems(first, rest)
}

/** Returns the environments whose engine is not known here, where that of others is: files may have mistakes there. */
export function uncheckedEnvironments({ engines }: Settings): readonly string[] {
  const unknown = [...engines].flatMap(([name, engine]) => (engine === undefined ? [name] : []))
  return unknown.length === engines.size ? [] : unknown
}
