/** Reads the latest test results in a pack: those of `.svc/test_results.json`, or of a catalogue's assets. */
import type { ContextPack } from '../../../server/contract/pack.ts'
import type { PackTestResult, TestOutcome } from './pack.ts'
import type { AssetBody, TestResultsFileBody } from './pack-schema.ts'
import type { Names, ReadContext } from './read-pack.ts'
import { warnUnknownAsset } from './read-versions.ts'

export function readResults(
  body: ContextPack,
  names: Names,
  context: ReadContext,
): readonly PackTestResult[] {
  if (body.test_results !== undefined) {
    return readResultsFile(body.test_results, names, name => warnUnknownAsset(name, 'test_results', context))
  }
  return body.assets.flatMap(asset => catalogResults(asset, body.generated_at))
}

/**
 * Reads `.svc/test_results.json` (interface.md 2.14). `unknown` is called for every name that is not an
 * asset.
 */
export function readResultsFile(
  file: TestResultsFileBody,
  names: Names,
  unknown: (name: string) => void,
): readonly PackTestResult[] {
  return Object.values(file).flatMap(({ asset_name, timestamp, tests }) => {
    const identifier = names(asset_name)
    if (identifier === undefined) {
      unknown(asset_name)
      return []
    }
    return [{ identifier, at: new Date(timestamp).toISOString(), tests }]
  })
}

function catalogResults(asset: AssetBody, generatedAt: string | undefined): readonly PackTestResult[] {
  const identifier = asset.id ?? asset.name
  const verdicts = (asset.tests ?? []).flatMap(({ at }) => at ?? []).sort()
  const at = verdicts.at(-1) ?? asset.last_run ?? generatedAt
  const tests = (asset.tests ?? []).flatMap(({ name, status, execution_time }): readonly TestOutcome[] =>
    status === undefined ? [] : [{ name, status, execution_time: execution_time ?? 0 }],
  )
  if (identifier === undefined || at === undefined || tests.length === 0) return []
  return [{ identifier, at: new Date(at).toISOString(), tests }]
}
