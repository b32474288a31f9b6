/** What the features of the editor know of a project, made for a test with the real catalogue behind it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readSourceShapes } from '@svc/server/catalog'
import {
  type Catalog,
  checkAsset,
  createProject,
  type Project,
  parseGlossary,
  parseSettings,
  type SourceShapes,
} from '@svc/server/language'
import type { Knowledge } from '../../server/language/features/knowledge.ts'
import { readMacros } from '../../server/workspace/read-macros.ts'
import { engine } from './engine.ts'
import { hash } from './spec-project.ts'

export async function knowledgeOf(
  catalog: Catalog,
  project: Project,
  sources: SourceShapes = new Map(),
): Promise<Knowledge> {
  const analysis = await catalog.analyze(project, sources)
  return {
    project,
    analysis,
    sources,
    glossary: project.glossary,
    functions: new Map(),
    diagnostics: path => checkAsset(project, path, analysis, sources),
    environmentVariables: [],
    lastRuns: new Map(),
  }
}

/** A project on disk, relative to the repository's root. */
export async function readProjectFolder(
  folder: string,
): Promise<{ readonly project: Project; readonly sources: SourceShapes }> {
  const root = join(import.meta.dirname, '..', '..', folder)
  const files = readdirSync(join(root, 'models'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.svc'))
    .map(name => join(root, 'models', name))
  const project = createProject({
    settings: parseSettings(textOf(join(root, 'svc.yaml'))),
    files: files.map(path => ({ path: relative(root, path), text: readFileSync(path, 'utf8') })),
    hash,
    glossary: parseGlossary(textOf(join(root, 'glossary.yaml')), engine),
    macros: readMacros(root, engine).macros,
  })
  const { shapes } = await readSourceShapes(project, {
    root,
    lockText: textOf(join(root, 'schemas.lock.json')),
  })
  return { project, sources: shapes }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
