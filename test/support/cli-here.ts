/** Projects as `createProject` makes them, in which `svc` runs in this process wherever it needs none of its own. */
import { join } from 'node:path'
import { lineIn } from '../cli/bad-input/command-line.ts'
import { createProject, type Result, type RunOptions, readOutput, svcIn, type TestProject } from './cli.ts'

export interface ProjectHere extends TestProject {
  /** `svc` in a process of its own: for what only that shows, as pipes, zones, languages and stray output. */
  readonly alone: TestProject['svc']
}

/**
 * A process of its own costs as much as several commands. Only a command that another program starts, that somebody else
 * runs or that gets signals has one, besides those that a test asks for.
 */
export function createProjectHere(files: Readonly<Record<string, string>>): ProjectHere {
  const made = createProject(files)
  const svc = (words: readonly string[], options: RunOptions = {}) => svcHere(made.root, words, options)
  return {
    ...made,
    svc,
    alone: made.svc,
    json: async (words, options) => readOutput(words, await svc(words, options)),
  }
}

function svcHere(root: string, words: readonly string[], options: RunOptions): Promise<Result> {
  const { through, user, onStart, cwd = '.', env } = options
  if (through !== undefined || user !== undefined || onStart !== undefined) return svcIn(root, words, options)
  const all = { PATH: process.env['PATH'] ?? '', HOME: root, ...env }
  return lineIn(join(root, cwd), words, { env: all, program: 'tests' })
}
