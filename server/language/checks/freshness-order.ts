import { locate } from '../project/locate.ts'
import type { FileCheck } from './check.ts'
import { swap } from './fix.ts'
import { textAt } from './places.ts'

export const freshnessOrder: FileCheck = {
  code: 'freshness-order',
  doc: '`freshness.warn_after` is longer than `error_after`, so the warning would never be seen.',
  *run(asset) {
    const { warnAfterMs, errorAfterMs } = asset.definition.freshness ?? {}
    if (warnAfterMs === undefined || errorAfterMs === undefined || warnAfterMs <= errorAfterMs) return
    const [warnAfter, errorAfter] = ['warn_after', 'error_after'].map(key => {
      const text = textAt(asset, ['freshness', key])
      return text === undefined ? `${key} of the defaults in svc.yaml` : `${key} "${text}"`
    })
    yield {
      range: locate(asset, ['freshness', 'warn_after']),
      message: `${warnAfter} is longer than ${errorAfter}`,
      hint: 'The warning has to come before the error: swap them.',
    }
  },
  fix(problem, asset) {
    const paths = ['warn_after', 'error_after'].map(key => ['freshness', key])
    // What is inherited has no place in this file.
    if (paths.some(path => textAt(asset, path) === undefined)) return []
    const [warnAfter, errorAfter] = paths.map(path => locate(asset, path))
    return warnAfter && errorAfter ? swap(problem, asset, warnAfter, errorAfter) : []
  },
}
