/** `bringUpToDate` for a long-lived process: now and then, each time with the warehouse open for a moment only. */
import type { ProjectPlace } from '../workspace/locate-project.ts'
import { openWorkspace } from '../workspace/open-workspace.ts'
import type { World } from '../workspace/workspace.ts'
import { bringUpToDate } from './write-artifacts.ts'

/** A page that is loaded anew all the time does not keep the warehouse busy. */
const pauseMs = 5_000

/**
 * Returns what brings the files to the state of the warehouse. The first call waits for it; a later one begins it where the last
 * is long enough ago, and waits for nothing: whoever watches the files hears of news. What cannot be read changes nothing.
 */
export function projectRenewal(place: ProjectPlace, world: World): () => Promise<void> {
  let first: Promise<void> | undefined
  let isRenewing = false
  let last = 0
  const renew = async () => {
    isRenewing = true
    await renewOnce(place, world).catch(() => undefined)
    isRenewing = false
    last = performance.now()
  }
  return () => {
    if (first === undefined) {
      first = renew()
      return first
    }
    if (!isRenewing && performance.now() - last > pauseMs) void renew()
    return isRenewing && last === 0 ? first : Promise.resolve()
  }
}

async function renewOnce({ root, environment: { name } }: ProjectPlace, world: World): Promise<void> {
  const here = { ...world, cwd: root, endsSoon: false }
  const { signal } = new AbortController()
  const workspace = await openWorkspace({ world: here, environment: name, signal, readSources: false })
  try {
    await bringUpToDate(workspace)
  } finally {
    await workspace.close()
  }
}
