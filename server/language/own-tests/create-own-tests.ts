/** Puts the files of `tests/` together. */
import type { Engine } from '../engines/engine.ts'
import type { Hash } from '../project/project.ts'
import { isTestKey } from '../schema/test-schema.ts'
import { noOwnTests, type OwnTest, type OwnTests } from './own-test.ts'
import { parseOwnTest } from './parse-own-test.ts'

/** `texts` are by path. Files of `before` with the same text are not parsed again. */
export function createOwnTests(
  texts: ReadonlyMap<string, string>,
  engine: Engine,
  hash: Hash,
  before: OwnTests = noOwnTests,
): OwnTests {
  if (texts.size === 0) return noOwnTests
  const files = [...texts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]): OwnTest => {
      const known = before.files.get(path)
      return known?.text === text
        ? known
        : { ...parseOwnTest(path, text, engine), hash: hash(`${engine.kind}\n${text}`) }
    })
  return {
    files: new Map(files.map(file => [file.path, file])),
    byName: new Map(files.filter(({ name }) => !isTestKey(name)).map(file => [file.name, file])),
  }
}
