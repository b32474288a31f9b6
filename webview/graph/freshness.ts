/**
 * How old the data of an asset are, by two clocks: when it was loaded, and its newest row (if its file names a
 * column). The clock that says it is older counts. Pure.
 */
import { freshnessVerdict } from '../../server/language/project/freshness-verdict.ts'
import type { CatalogAsset } from '../protocol.ts'

export type Freshness = 'ok' | 'warn' | 'error'

export interface Clocks {
  /** The end of the last run that built or verified it; null if there was none. */
  readonly loaded: string | null
  /** The newest value of the column; null if no row has one, undefined if it is not watched or not measured. */
  readonly newestRow: string | null | undefined
  readonly column: string | null
  /** The clock that counts. */
  readonly worse: 'loaded' | 'newest_row'
}

export function clocksOf(asset: CatalogAsset): Clocks {
  const { freshness, status, last_run } = asset
  // Catalogues of older versions do not say when it was loaded; the end of a failed run is no such time.
  const loaded = asset.loaded_at ?? (status === 'deployed' ? last_run : null)
  const column = freshness?.column ?? null
  const newestRow = column === null ? undefined : freshness?.newest_row
  const isByRow =
    newestRow === null ||
    (newestRow !== undefined && (loaded === null || Date.parse(newestRow) < Date.parse(loaded)))
  return { loaded, newestRow, column, worse: isByRow ? 'newest_row' : 'loaded' }
}

/** Returns the time of the clock that counts; null if it has none. */
export function oldestOf({ loaded, newestRow, worse }: Clocks): string | null {
  return worse === 'loaded' ? loaded : (newestRow ?? null)
}

/** Returns null if there is no limit, or nothing was ever loaded. */
export function freshnessOf(asset: CatalogAsset, nowMs: number): Freshness | null {
  const { freshness } = asset
  const { loaded, newestRow } = clocksOf(asset)
  if (freshness === null || loaded === null) return null
  const ageOf = (time: string) => nowMs - Date.parse(time)
  // No row has a value, so that no age is small enough.
  const rowAge = newestRow === undefined ? [] : [newestRow === null ? undefined : ageOf(newestRow)]
  const limits = {
    warnAfterMs: milliseconds(freshness.warn_after_seconds),
    errorAfterMs: milliseconds(freshness.error_after_seconds),
  }
  return words[freshnessVerdict([ageOf(loaded), ...rowAge], limits)]
}

const words = { OK: 'ok', WARN: 'warn', ERROR: 'error' } as const

function milliseconds(seconds: number | null): number | undefined {
  return seconds === null ? undefined : seconds * 1000
}
