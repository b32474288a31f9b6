/** Reads `glossary.yaml` of a project from disk, with its encoding problems. */
import { join } from 'node:path'
import { type Engine, type Glossary, glossaryPath, parseGlossary } from '../language/index.ts'
import { encodingProblems } from './encoding-problems.ts'
import { readIfExists } from './read-if-exists.ts'

/** Returns the glossary; empty if there is no file. Throws FileFailure. */
export function readGlossary(root: string, engine: Engine): Glossary {
  const text = readIfExists(join(root, glossaryPath))
  const encoding = text === undefined ? [] : encodingProblems(root, [[glossaryPath, text]])
  return glossaryOf(text, encoding, engine)
}

/** Makes the glossary. `encoding` has the encoding problems of `text`. */
export function glossaryOf(
  text: string | undefined,
  encoding: Glossary['diagnostics'],
  engine: Engine,
): Glossary {
  const glossary = parseGlossary(text, engine)
  return encoding.length === 0
    ? glossary
    : { ...glossary, diagnostics: [...encoding, ...glossary.diagnostics] }
}
