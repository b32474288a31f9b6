/** Renders the events of a publish: what it begins with, what it goes on from, what is said of it. */
import type { EventOf } from '@svc/server/contract'
import { entry } from './entry.ts'
import { countOf, countsText, formatCount } from './numbers.ts'
import type { Style } from './style.ts'
import { wrap } from './width.ts'

type Shown = EventOf<'publish-planned'> | EventOf<'publish-resumed'> | EventOf<'publish-noted'>

/** `Publish 01jd8q2x3k  prod  customers to crm` */
export function publishHeadline(event: EventOf<'run-started'>, style: Style): string {
  return `${style.bold(`Publish ${event.run_id}`)}  ${event.environment}  ${event.selector ?? ''}`
}

export function publishLines(event: Shown, style: Style): string[] {
  switch (event.type) {
    case 'publish-planned':
      return entry('·', event.target, 'sending', [plannedText(event)], style)
    case 'publish-noted':
      return entry(style.yellow('!'), event.target, 'note', [event.message], style)
    case 'publish-resumed':
      return wrap(stoppedText(event), style.width)
  }
}

/** `Publish 01jd8q2x3k stopped: it had 10 rows acknowledged and 5 in doubt, which are planned anew.` */
export function stoppedText(
  left: Omit<EventOf<'publish-resumed'>, 'type' | 'at' | 'asset' | 'target'>,
): string {
  const { stopped_run_id: id, acknowledged, in_doubt: doubt } = left
  const doubts =
    doubt === 0 ? '' : ` and ${formatCount(doubt)} in doubt, which ${doubt === 1 ? 'is' : 'are'} planned anew`
  return `Publish ${id} stopped: it had ${countOf(acknowledged, 'row')} acknowledged${doubts}.`
}

function plannedText({ inserts, updates, deletes, unchanged }: EventOf<'publish-planned'>): string {
  const counts = { 'to insert': inserts, 'to update': updates, 'to delete': deletes, unchanged }
  return countsText(counts) || 'nothing'
}
