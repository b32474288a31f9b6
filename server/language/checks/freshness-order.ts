import { locate } from '../project/locate.ts'
import type { FileCheck } from './check.ts'
import { swap } from './fix.ts'
import { textAt } from './places.ts'

export const freshnessOrder: FileCheck = {
  code: 'freshness-order',
  severity: 'error',
  scope: 'file',
  doc: '`freshness.warn_after` is longer than `error_after`, so the warning would never be seen.',
  *run(asset) {
    const { warnAfterMs, errorAfterMs } = asset.definition.freshness ?? {}
    if (warnAfterMs === undefined || errorAfterMs === undefined || warnAfterMs <= errorAfterMs) return
    const warnAfter = textAt(asset, ['freshness', 'warn_after'])
    const errorAfter = textAt(asset, ['freshness', 'error_after'])
    yield {
      range: locate(asset, ['freshness', 'warn_after']),
      message: `warn_after "${warnAfter}" is longer than error_after "${errorAfter}"`,
      hint: 'The warning has to come before the error: swap them.',
    }
  },
  fix: (problem, asset) =>
    swap(
      problem,
      asset,
      locate(asset, ['freshness', 'warn_after']),
      locate(asset, ['freshness', 'error_after']),
    ),
}
