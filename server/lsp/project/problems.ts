/** Computes the problems of a project state, for some files or all. */
import {
  checkAsset,
  type Diagnostic,
  glossaryPath,
  type Project,
  type ProjectAnalysis,
  type SourceShapes,
} from '../../language/index.ts'
import { projectProblems, settingsFile } from '../../workspace/index.ts'
import { withoutWholeProjectCodes } from './whole-project-codes.ts'

export interface ProjectState {
  readonly project: Project
  readonly analysis: ProjectAnalysis
  readonly shapes: SourceShapes
  /** Diagnostics that do not come from the text: sources, extensions. */
  readonly extra: readonly Diagnostic[]
  /** Others in which no engine has a part: encodings, Python, the last runs. */
  readonly anywhere: readonly Diagnostic[]
  /** False if some files are not read yet, or the file belongs to no project. */
  readonly isWhole: boolean
}

export function problemsOf(state: ProjectState, path: string): readonly Diagnostic[] {
  const { project, analysis, shapes, extra, anywhere, isWhole } = state
  const found = checkAsset(project, path, analysis, shapes)
  const more = [...extra, ...anywhere].filter(diagnostic => diagnostic.path === path)
  const all = more.length === 0 ? found : [...found, ...more].sort((a, b) => a.range.start - b.range.start)
  return isWhole ? all : withoutWholeProjectCodes(all)
}

/** Returns problems by path for every file of the project. */
export function allProblems(state: ProjectState): ReadonlyMap<string, readonly Diagnostic[]> {
  const { project, analysis, shapes, extra, anywhere, isWhole } = state
  const sourceDiagnostics = [...extra, ...anywhere]
  const all = projectProblems({ project, analysis, sources: shapes, sourceDiagnostics })
  if (isWhole) return all
  return new Map([...all].map(([path, found]) => [path, withoutWholeProjectCodes(found)]))
}

/**
 * Returns a function that returns the text; undefined for a file that does not exist. It keeps only that file
 * in memory and not the whole snapshot.
 */
export function textLater(project: Project, path: string): () => string | undefined {
  const file = otherFile(project, path)
  const asset = file === undefined ? project.assets.get(path) : undefined
  return () => file?.text ?? asset?.text
}

function otherFile(
  { settings, glossary, macros }: Project,
  path: string,
): { readonly text: string } | undefined {
  if (path === settingsFile) return settings.file
  if (path === glossaryPath) return glossary.file
  return macros.files.get(path) ?? settings.ownTests.files.get(path)
}
