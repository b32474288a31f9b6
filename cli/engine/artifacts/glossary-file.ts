/**
 * Reads and writes `glossary.yaml` and its copy for programs, `.svc/glossary.json` (interface.md 2.13). The
 * caller decides what to write.
 */
import { join } from 'node:path'
import type { GlossaryFile } from '@svc/server/contract'
import {
  type Engine,
  exportGlossary,
  type Glossary,
  glossaryPath,
  type Project,
  parseGlossary,
  redact,
} from '@svc/server/language'
import { readGlossary } from '@svc/server/workspace'
import { changeWhole, toCleanJson, writeWhole } from './write-file.ts'

export const glossaryCachePath = '.svc/glossary.json'

/** Writes the file and returns the glossary in it. Throws SvcError `file-failed`. */
export function writeGlossary(
  root: string,
  text: string,
  project: Pick<Project, 'settings' | 'engine' | 'byName'>,
  pid: number,
): Glossary {
  const glossary = parseGlossary(text, project.engine)
  if (glossary.diagnostics.length > 0)
    throw new Error(`wrote a glossary with a mistake: ${glossary.diagnostics[0]?.message}`)
  changeWhole(join(root, glossaryPath), text, pid)
  writeGlossaryCache(root, glossary, project, pid)
  return glossary
}

/** Throws SvcError `file-failed`. */
export function writeGlossaryCache(
  root: string,
  glossary: Glossary,
  { settings, byName }: Pick<Project, 'settings' | 'byName'>,
  pid: number,
): void {
  const document = exportGlossary(glossary, settings.name, byName.values())
  writeWhole(join(root, glossaryCachePath), `${JSON.stringify(document, undefined, 2)}\n`, pid)
}

export { glossaryPath as glossaryFile } from '@svc/server/language'

/** Returns the content of `glossary.yaml` alone (interface.md 2.7); invalid entries are left out. */
export function readGlossaryDocument(root: string, projectName: string, engine: Engine): GlossaryFile {
  const document = exportGlossary(readGlossary(root, engine), projectName, [])
  return JSON.parse(toCleanJson(document, text => redact(text, []))) as GlossaryFile
}
