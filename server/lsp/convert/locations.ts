/** Converts places of project files to LSP locations. */
import type { Location } from 'vscode-languageserver'
import type { Place } from '../../language/features/places.ts'
import type { Context } from '../context.ts'
import type { LiveProject } from '../project/live-project.ts'
import { rangeAt } from './positions.ts'

/** Returns undefined for a file that was deleted. */
export function locationOf(
  { session }: Pick<Context, 'session'>,
  project: LiveProject,
  { path, range }: Place,
): Location | undefined {
  const text = project.textOf(path)
  return text === undefined ? undefined : { uri: session.uriOf(project, path), range: rangeAt(text, range) }
}
