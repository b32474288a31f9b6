/** Writes `glossary.yaml` and its copy for programs, `.svc/glossary.json` (interface.md 2.13). Never decides what to write. */
import { join } from 'node:path'
import { exportGlossary, type Glossary, glossaryPath, parseGlossary } from '@svc/server/language'
import { writeWhole } from './write-file.ts'

export const glossaryCachePath = '.svc/glossary.json'

/** SvcError `file-failed`. Gives what the file now says. */
export function writeGlossary(root: string, text: string, projectName: string, pid: number): Glossary {
  const glossary = parseGlossary(text)
  if (glossary.diagnostics.length > 0)
    throw new Error(`wrote a glossary with a mistake: ${glossary.diagnostics[0]?.message}`)
  writeWhole(join(root, glossaryPath), text, pid)
  writeGlossaryCache(root, glossary, projectName, pid)
  return glossary
}

/** SvcError `file-failed`. */
export function writeGlossaryCache(root: string, glossary: Glossary, projectName: string, pid: number): void {
  const document = exportGlossary(glossary, projectName)
  writeWhole(join(root, glossaryCachePath), `${JSON.stringify(document, undefined, 2)}\n`, pid)
}
