/** Keeps track of the assets of a run that wait, and what they wait for, from its events. */
import type { PendingAsset, RunEvent } from '@svc/server/contract'

export type PendingAssets = ReturnType<typeof createPendingAssets>

export function createPendingAssets() {
  let pending = new Map<string, readonly string[]>()
  let open = new Map<string, number>()
  let dependents = new Map<string, string[]>()
  /** The assets in `pending` that wait for another one. */
  let waiting = new Set<string>()

  function plan(assets: readonly PendingAsset[]): void {
    pending = new Map(assets.map(({ asset, after }) => [asset, after]))
    open = new Map(assets.map(({ asset, after }) => [asset, after.length]))
    waiting = new Set(assets.filter(({ after }) => after.length > 0).map(({ asset }) => asset))
    dependents = new Map()
    for (const { asset, after } of assets) {
      for (const parent of after) append(dependents, parent, asset)
    }
  }

  function done(asset: string): void {
    waiting.delete(asset)
    if (!pending.delete(asset)) return
    for (const child of dependents.get(asset) ?? []) {
      const left = (open.get(child) ?? 0) - 1
      open.set(child, left)
      if (left <= 0) waiting.delete(child)
    }
  }

  return {
    note(event: RunEvent) {
      if (event.type === 'pending') plan(event.assets)
      if (
        event.type === 'build-finished' ||
        event.type === 'asset-reused' ||
        event.type === 'asset-failed' ||
        event.type === 'asset-skipped'
      )
        done(event.asset)
    },
    /**
     * Returns the first `count` waiting assets with the assets they wait for; `more` is the number of other
     * waiting assets.
     */
    next(count: number) {
      const shown: PendingAsset[] = []
      for (const asset of waiting) {
        if (shown.length >= count) break
        shown.push({ asset, after: (pending.get(asset) ?? []).filter(parent => pending.has(parent)) })
      }
      return { waiting: shown, more: waiting.size - shown.length }
    },
  }
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
