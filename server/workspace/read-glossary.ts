/** `glossary.yaml` of a project as it stands on disk, with what is wrong with its bytes. */
import { join } from 'node:path'
import { type Glossary, glossaryPath, parseGlossary } from '../language/index.ts'
import { encodingProblems } from './encoding-problems.ts'
import { readIfExists } from './read-settings.ts'

/** Empty where there is none. Throws FileFailure. */
export function readGlossary(root: string): Glossary {
  const text = readIfExists(join(root, glossaryPath))
  return glossaryOf(text, text === undefined ? [] : encodingProblems(root, [[glossaryPath, text]]))
}

/** `encoding`: what is wrong with the bytes behind `text`. */
export function glossaryOf(text: string | undefined, encoding: Glossary['diagnostics']): Glossary {
  const glossary = parseGlossary(text)
  return encoding.length === 0
    ? glossary
    : { ...glossary, diagnostics: [...encoding, ...glossary.diagnostics] }
}
