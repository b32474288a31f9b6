/** Finds root and name of a project without reading its assets, for long-lived processes that read little. */
import type { Engine } from '@svc/server/language'
import { gitBranch, readSettings, stateNameOf } from '@svc/server/workspace'
import { resolveEnvironment } from '../config/environment.ts'
import { findProject } from '../config/find-project.ts'
import { refuseInvalid } from './open-workspace.ts'
import type { Environment, World } from './workspace.ts'

export interface ProjectPlace {
  readonly root: string
  readonly name: string
  /** The folder of the assets, relative to the root, with a trailing slash. */
  readonly models: string
  readonly engine: Engine
  readonly environment: Environment
}

/** Returns the name of its environment in `.svc/` as long as the program runs: somebody may check out another branch. */
export function stateNameNow({ root, environment: { name } }: ProjectPlace): string {
  return stateNameOf({ name, branch: gitBranch(root) })
}

/** Throws SvcError `no-project`, `invalid-settings`, `unknown-environment`, `file-failed`. */
export function locateProject(world: World, environment: string): ProjectPlace {
  const root = findProject(world.cwd)
  const { settings, text } = readSettings(root, world.env, environment)
  refuseInvalid(settings, text ?? '')
  const { name, models } = settings
  const branch = gitBranch(root)
  return {
    root,
    name,
    models,
    engine: settings.engine,
    environment: resolveEnvironment({ settings, name: environment, branch, env: world.env }),
  }
}
