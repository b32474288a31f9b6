/**
 * Shows who else is changing an environment, from the lease file beside a warehouse of this workspace (user,
 * host, command). For display only; `svc` itself decides when it has to wait.
 */
import { readFile, stat } from 'node:fs/promises'
import { EventEmitter, type ExtensionContext, workspace } from 'vscode'

export interface LeaseWatch {
  readonly now: { readonly text: string; readonly tooltip: string } | undefined
  readonly onDidChange: EventEmitter<void>['event']
}

/** A holder touches its file every five seconds; after a longer silence it is dead or done. */
const silenceMs = 15_000
const lookAgainMs = 5_000

interface Holder {
  readonly runId: string
  readonly command: string
  readonly user: string
  readonly host: string
  readonly since: string
}

export function watchLeases(context: ExtensionContext): LeaseWatch {
  const changes = new EventEmitter<void>()
  const paths = new Set<string>()
  let now: LeaseWatch['now']
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    clearTimeout(timer)
    const holders = await Promise.all([...paths].map(holderOf))
    const [holder] = holders.filter(each => each !== undefined)
    if (holder !== undefined) timer = setTimeout(() => void look(), lookAgainMs)
    const before = now?.tooltip
    now = holder === undefined ? undefined : describe(holder)
    if (before !== now?.tooltip) changes.fire()
  }

  const watcher = workspace.createFileSystemWatcher('**/*.lease')
  const seen = ({ fsPath }: { readonly fsPath: string }) => {
    paths.add(fsPath)
    void look()
  }
  context.subscriptions.push(
    changes,
    watcher,
    watcher.onDidCreate(seen),
    watcher.onDidChange(seen),
    watcher.onDidDelete(({ fsPath }) => {
      paths.delete(fsPath)
      void look()
    }),
    { dispose: () => clearTimeout(timer) },
  )
  return {
    get now() {
      return now
    },
    onDidChange: changes.event,
  }
}

async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > silenceMs) return undefined
    return (JSON.parse(await readFile(path, 'utf8')) as { readonly holder: Holder }).holder
  } catch {
    // The lease was released meanwhile, or is incomplete: nobody holds it now.
    return undefined
  }
}

function describe({ runId, command, user, host, since }: Holder): NonNullable<LeaseWatch['now']> {
  const time = new Date(since).toLocaleTimeString()
  return {
    text: `svc ${command} by ${user}`,
    tooltip: `SVC: ${user} on ${host} is at "svc ${command}" (run ${runId}) since ${time}`,
  }
}
