/** Lists and reads the tests of one's own: the files directly in `tests/`. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type MayOpen, mayOpenAll } from '../catalog/index.ts'
import { createOwnTests, type Engine, type OwnTests, ownTestsFolder } from '../language/index.ts'
import { FileFailure } from './file-failure.ts'
import { readIfExists } from './read-if-exists.ts'
import { sha256 } from './sha256.ts'

/** Returns sorted paths relative to the root. Throws FileFailure. */
export function listOwnTests(root: string, mayOpen = mayOpenAll): string[] {
  if (!mayOpen(join(root, ownTestsFolder))) return []
  try {
    return readdirSync(join(root, ownTestsFolder), { encoding: 'utf8' })
      .map(name => `${ownTestsFolder}${name}`)
      .filter(path => isOwnTestPath(path) && mayOpen(join(root, path)))
      .sort()
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && ['ENOENT', 'ENOTDIR'].includes(String(cause.code)))
      return []
    throw new FileFailure(`cannot read ${ownTestsFolder}`, 'Are you allowed to read it?', cause)
  }
}

/** Returns whether `listOwnTests` would have a file with this path. */
export function isOwnTestPath(path: string): boolean {
  return path.startsWith(ownTestsFolder) && /^[^./][^/]*\.sql$/.test(path.slice(ownTestsFolder.length))
}

/** Throws FileFailure. */
export function readOwnTests(root: string, engine: Engine, mayOpen?: MayOpen): OwnTests {
  const texts = listOwnTests(root, mayOpen).map((path): [string, string] => [
    path,
    readIfExists(join(root, path)) ?? '',
  ])
  return createOwnTests(new Map(texts), engine, sha256)
}
