/** Reads `glossary.yaml` of a project from disk, with its encoding problems. */
import { join } from 'node:path'
import { type Engine, type Glossary, glossaryPath, parseGlossary } from '../language/index.ts'
import { encodingProblems, withEncoding } from './encoding-problems.ts'
import { readIfExists } from './read-if-exists.ts'

/** Returns the glossary; empty if there is no file. Throws FileFailure. */
export function readGlossary(root: string, engine: Engine): Glossary {
  const text = readIfExists(join(root, glossaryPath))
  return withEncoding(parseGlossary(text, engine), encodingProblems(root, [[glossaryPath, text ?? '']]))
}
