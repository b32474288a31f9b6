/**
 * Selects the facts of a parsed file that are stored for the next start (`storedAsset`). It never stores a
 * credential.
 */
import type { Engine } from '../engines/engine.ts'
import { asWritten } from '../macros/expand-asset.ts'
import { hashesOf } from '../project/asset-hashes.ts'
import type { Asset, Ref } from '../project/project.ts'
import { type AssetFacts, storedFacts } from '../project/stored-asset.ts'
import { fileProblems } from './check-project.ts'
import { credentialCode } from './credentials.ts'

/** Returns undefined for a file with a secret: it must be parsed at every start. */
export function factsOf(given: Asset, engine: Engine): AssetFacts | undefined {
  const asset = asWritten(given)
  const problems = fileProblems(asset, engine)
  if (problems.some(({ code }) => code === credentialCode)) return undefined
  const { name, definition, sql, testSql, hooks, refs, diagnostics } = asset
  const hashes = hashesOf(asset) ?? storedFacts(asset)?.hashes
  return {
    name,
    definition,
    ...(sql !== undefined && { tags: sql.tags }),
    ...(asset.hasPython === true && { hasPython: true }),
    ...(testSql.size > 0 && { testTags: [...testSql].map(([index, { tags }]) => [index, tags] as const) }),
    ...(hooks.length > 0 && {
      hookTags: hooks.map(({ when, index, template }) => [when, index, template.tags] as const),
    }),
    ...(refs.length > 0 && { refs: refs.map(keptRef) }),
    ...(diagnostics.length > 0 && { diagnostics }),
    ...(problems.length > 0 && { fileProblems: problems }),
    ...(hashes !== undefined && { hashes }),
  }
}

function keptRef({ name, from, isElsewhere }: Ref): readonly [string, Ref['from'], true?] {
  return isElsewhere === true ? [name, from, true] : [name, from]
}

/** Returns whether an asset that was restored from stored facts knows more by now. */
export function hasNewFacts(given: Asset): boolean {
  const asset = asWritten(given)
  const now = hashesOf(asset)
  const before = storedFacts(asset)?.hashes
  return (
    now !== undefined &&
    (now.definition !== before?.definition ||
      now.raw !== before?.raw ||
      Object.keys(now.tests ?? {}).length !== Object.keys(before?.tests ?? {}).length)
  )
}
