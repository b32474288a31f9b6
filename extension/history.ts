/**
 * Caches the runs of each project for the view of runs and for lenses, and reads them again when a log has
 * changed.
 */
import { EventEmitter, type ExtensionContext, type LogOutputChannel, workspace } from 'vscode'
import type { Background } from './background.ts'
import { listRuns, type RunEntry } from './runs.ts'

export type History = ReturnType<typeof createHistory>

/** The delay before reading again, because logs are written continuously during a run. */
const settleMs = 400

export function createHistory(
  { subscriptions }: ExtensionContext,
  background: Background,
  log: LogOutputChannel,
) {
  const changes = new EventEmitter<void>()
  const known = new Map<string, Promise<readonly RunEntry[]>>()
  let timer: NodeJS.Timeout | undefined

  function refresh(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void readAgain(), settleMs)
  }

  /** A log changes more often than the list does, and redrawing an unchanged tree could lose clicks. */
  async function readAgain(): Promise<void> {
    const roots = [...known.keys()]
    const before = await Promise.all(known.values())
    const now = await Promise.all(roots.map(read))
    roots.forEach((root, index) => {
      known.set(root, Promise.resolve(now[index] ?? []))
    })
    if (roots.length === 0 || JSON.stringify(now) !== JSON.stringify(before)) changes.fire()
  }

  async function read(root: string): Promise<readonly RunEntry[]> {
    try {
      return await listRuns(background, root)
    } catch (error) {
      log.warn(`the history of ${root} cannot be read: ${String(error)}`)
      return []
    }
  }

  // This also finds runs of other windows and terminals.
  const watcher = workspace.createFileSystemWatcher('**/.svc/logs/*.ndjson')
  watcher.onDidCreate(refresh)
  watcher.onDidChange(refresh)
  watcher.onDidDelete(refresh)
  subscriptions.push(changes, watcher, { dispose: () => clearTimeout(timer) })
  subscriptions.push(workspace.onDidGrantWorkspaceTrust(refresh))
  return {
    /**
     * Returns runs, newest first; none if they cannot be read, which is logged. `root` is the URI of the
     * project.
     */
    async runsOf(root: string): Promise<readonly RunEntry[]> {
      if (!workspace.isTrusted) return []
      const runs = known.get(root) ?? read(root)
      known.set(root, runs)
      return runs
    },
    onDidChange: changes.event,
    /** Call this after a command ran, because the cached runs may be outdated. */
    refresh,
  }
}
