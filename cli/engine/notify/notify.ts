/** Tells the notifiers of `svc.yaml` what was found. It never fails the work that it tells of. */
import { type Notifier, selectAssets } from '@svc/server/language'
import type { Workspace } from '../workspace/workspace.ts'
import { type Decision, decide, settled } from './decide.ts'
import { deliver } from './deliver.ts'
import { withLedger } from './ledger.ts'
import { type Item, type Message, messageOf } from './message.ts'
import type { Found } from './problems.ts'

/** Returns a sentence for each notifier that could not be told. */
export async function notify(workspace: Workspace, found: Found): Promise<readonly string[]> {
  const named = Object.entries(workspace.project.settings.notify).filter(
    ([, { environments }]) => environments?.includes(workspace.environment.name) ?? true,
  )
  const told = await Promise.all(
    named.map(([name, notifier]) =>
      tellOne(workspace, name, notifier, found).catch(
        () => `Notifier ${name} was not told: .svc cannot be written.`,
      ),
    ),
  )
  return told.filter(sentence => sentence !== undefined)
}

async function tellOne(
  workspace: Workspace,
  name: string,
  notifier: Notifier,
  found: Found,
): Promise<string | undefined> {
  const { world, project } = workspace
  const now = world.now()
  const watched = watchedBy(workspace, notifier)
  if (watched === undefined)
    return `Notifier ${name} was not told: its "select" names no asset of the project.`
  const isWatched = (asset: string | null) => asset === null || (project.byName.has(asset) && watched(asset))
  const decision = await withLedger<Decision>(workspace, told => {
    const result = decide(told(name), notifier, found, { now, isWatched })
    return { next: { [name]: result.told }, result }
  })
  if (decision.isLimited) return limitSentence(name, notifier)
  if (decision.items.length === 0) return undefined
  const message = ownMessage(workspace, name, found.run, decision.items)
  const why = await deliver(notifier, message, workspace)
  await withLedger<void>(workspace, told => ({
    next: { [name]: settled(told(name), decision.keys, why === undefined, world.now()) },
    result: undefined,
  }))
  return why === undefined
    ? undefined
    : `Notifier ${name} was not told: ${why}. The next run tries it again; svc notify test ${name} shows whether it works.`
}

function limitSentence(name: string, { limits }: Notifier): string {
  return `Notifier ${name} was told ${limits.perHour} times in this hour: the next run tells it the rest.`
}

/** Returns which assets it tells of; undefined if the selector means nothing here. */
function watchedBy({ project }: Workspace, { select }: Notifier): ((asset: string) => boolean) | undefined {
  if (select === undefined) return () => true
  const selection = selectAssets(project, select)
  if (!('names' in selection)) return undefined
  const names = new Set(selection.names)
  return asset => names.has(asset)
}

function ownMessage(
  workspace: Workspace,
  notifier: string,
  run: string | null,
  items: readonly Item[],
): Message {
  const { project, environment, world } = workspace
  const facts = {
    project: project.settings.name,
    environment: environment.name,
    run,
    at: world.now().toISOString(),
    notifier,
  }
  return messageOf(
    facts,
    items.map(item => ({ ...item, text: workspace.withoutSecrets?.(item.text) ?? item.text })),
  )
}

export interface Tried {
  readonly notifier: string
  readonly type: Notifier['type']
  /** Null if it was sent. */
  readonly problem: string | null
}

/** Sends a message to each of them that says that it is a test; nothing of it is kept. */
export function tryNotifiers(
  workspace: Workspace,
  notifiers: readonly (readonly [string, Notifier])[],
): Promise<readonly Tried[]> {
  const since = workspace.world.now().toISOString()
  const text = 'This is a test of svc notify test: nothing has happened.'
  const item: Item = { event: 'test', asset: null, text, place: null, since }
  return Promise.all(
    notifiers.map(async ([notifier, settings]) => {
      const message = ownMessage(workspace, notifier, null, [item])
      const problem = await deliver(settings, message, workspace)
      return { notifier, type: settings.type, problem: problem ?? null }
    }),
  )
}
