/** The project of the corpus with one more file in it, as `svc validate` and the editor see it. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openCatalog } from '@svc/server/catalog'
import type { Catalog, Diagnostic, Project, SourceShapes } from '@svc/server/language'
import { projectProblems } from '@svc/server/workspace'
import { engine } from '../../support/engine.ts'
import { blockOf, readSpecFile, type Spec } from '../../support/spec.ts'
import { filesOf, projectOf, sourcesOf } from '../../support/spec-project.ts'

export interface CorpusProject {
  readonly project: Project
  readonly sources: SourceShapes
  readonly catalog: Catalog
  /** All problems of the project with this file in it, with the sources that the file's spec describes. */
  problems(file: CorpusFile, text: string): Promise<readonly Diagnostic[]>
  close(): void
}

/** `root`: the folder of the corpus. */
export async function openCorpusProject(root: string): Promise<CorpusProject> {
  const [shared] = readSpecFile(join(root, 'project.md')).specs
  if (shared === undefined) throw new Error('project.md has no project')
  const project = projectOf(filesOf(shared))
  const sources = sourcesOf(shared) ?? new Map()
  const catalog = await openCatalog(engine)
  return {
    project,
    sources,
    catalog,
    async problems(file, text) {
      const changed = project.with(file.path, text)
      const known = new Map([...sources, ...file.sources])
      const analysis = await catalog.analyze(changed, known)
      const found = projectProblems({ project: changed, analysis, sources: known, sourceDiagnostics: [] })
      return [...found.values()].flat()
    },
    close: () => catalog.close(),
  }
}

export interface CorpusFile {
  /** File of the corpus and title. */
  readonly name: string
  readonly title: string
  readonly path: string
  /** With its marks. */
  readonly text: string
  readonly spec: Spec
  readonly sources: SourceShapes
}

/** Every `## title` with its one ```svc block of the Markdown files in a folder of the corpus. */
export function readCorpus(folder: string): readonly CorpusFile[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.md'))
    .sort()
    .flatMap(name =>
      readSpecFile(join(folder, name)).specs.map(spec => {
        const { argument, text } = blockOf(spec, 'svc')
        return { name, title: spec.title, path: argument, text, spec, sources: sourcesOf(spec) ?? new Map() }
      }),
    )
}
