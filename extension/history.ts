/** The runs of each project, read once and again when a log has changed; for the view of runs and for lenses. */
import { EventEmitter, type ExtensionContext, type LogOutputChannel, workspace } from 'vscode'
import type { Background } from './background.ts'
import { listRuns, type RunEntry } from './runs.ts'

export interface History {
  /** Newest first; none where they cannot be read, which is in the log then. `root`: URI of the project. */
  runsOf(root: string): Promise<readonly RunEntry[]>
  readonly onDidChange: EventEmitter<void>['event']
  /** Something was run: what is known may be old. */
  refresh(): void
}

/** Logs are written all the time while something runs. */
const settleMs = 400

export function createHistory(
  { subscriptions }: ExtensionContext,
  background: Background,
  log: LogOutputChannel,
): History {
  const changes = new EventEmitter<void>()
  const known = new Map<string, Promise<readonly RunEntry[]>>()
  let timer: NodeJS.Timeout | undefined

  function refresh(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void readAgain(), settleMs)
  }

  /** A log is written to more often than the list changes; a list that is drawn again for nothing loses clicks. */
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

  // A run of another window or of a terminal shows up too.
  const watcher = workspace.createFileSystemWatcher('**/.svc/logs/*.ndjson')
  watcher.onDidCreate(refresh)
  watcher.onDidChange(refresh)
  watcher.onDidDelete(refresh)
  subscriptions.push(changes, watcher, { dispose: () => clearTimeout(timer) })
  subscriptions.push(workspace.onDidGrantWorkspaceTrust(refresh))
  return {
    async runsOf(root) {
      if (!workspace.isTrusted) return []
      const runs = known.get(root) ?? read(root)
      known.set(root, runs)
      return runs
    },
    onDidChange: changes.event,
    refresh,
  }
}
