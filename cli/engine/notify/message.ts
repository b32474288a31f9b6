/** A message: what one notifier is told at one time. */
import { createHash } from 'node:crypto'
import type { NoticeEvent } from '@svc/server/language'

export interface Item {
  readonly event: NoticeEvent | 'test'
  readonly asset: string | null
  readonly text: string
  readonly place: string | null
  /** When the problem was found first. */
  readonly since: string
}

export interface Message {
  /** The same for the same items: a receiver knows by it a message that comes once more after a crash. */
  readonly id: string
  readonly project: string
  readonly environment: string
  readonly run: string | null
  readonly at: string
  readonly headline: string
  readonly items: readonly Item[]
  /** How many items are left out. */
  readonly more: number
}

const mostItems = 20

export function messageOf(
  facts: Pick<Message, 'project' | 'environment' | 'run' | 'at'> & { readonly notifier: string },
  items: readonly Item[],
): Message {
  const { notifier, ...shown } = facts
  const { project, environment } = facts
  const identity = [project, environment, notifier, ...items.map(keyOf).toSorted()]
  return {
    id: createHash('sha256').update(identity.join('\n')).digest('hex').slice(0, 32),
    ...shown,
    headline: `${project} ${environment}: ${countsOf(items)}`,
    items: items.slice(0, mostItems),
    more: Math.max(0, items.length - mostItems),
  }
}

function keyOf({ event, asset, text, since }: Item): string {
  return JSON.stringify([event, asset, text, since])
}

function countsOf(items: readonly Item[]): string {
  const counts = new Map<string, number>()
  for (const { event } of items) counts.set(event, (counts.get(event) ?? 0) + 1)
  return [...counts].map(([event, count]) => `${count} ${event.replace('_', ' ')}`).join(', ')
}

/** What can be done about it, as a last line. */
export function footOf({ run, more }: Message): string {
  const rest = more > 0 ? `and ${more} more; ` : ''
  return run === null ? `${rest}svc status shows more` : `${rest}svc logs ${run} shows more`
}

export function lineOf({ text, place }: Item): string {
  return place === null ? text : `${text} (${place})`
}
