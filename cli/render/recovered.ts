/**
 * Renders the message about a run whose process died: where it was, the state of production, and what is
 * complete.
 */

import type { EventOf } from '@svc/server/contract'
import { svcIn } from '@svc/server/language'
import { countOf, formatAge, formatCount } from './numbers.ts'
import type { Style } from './style.ts'
import { wrap } from './width.ts'

type Recovered = EventOf<'recovered'>

/** `The last run (01jd8q) was killed at "build", 2 minutes ago; prod was not touched.` */
export function recoveredLines(event: Recovered, style: Style): string[] {
  const { kind, environment } = event
  const production =
    event.production === 'promoted'
      ? `${environment} is as that ${kind} made it`
      : `${environment} was not touched`
  const first = `The last ${kind} (${event.stopped_run_id}) was killed at "${event.stopped_at}", ${formatAge(event.seconds_ago)}; ${production}.`
  const sentences = event.next === 'nothing' ? [first] : [first, goingOn(event)]
  return sentences.flatMap(sentence => wrap(sentence, style.width))
}

/** A source that is complete counts for a retry alone; a run that goes on has no such source any more. */
function goingOn({ next, sources, begun, builds, environment }: Recovered): string {
  const svc = svcIn(environment)
  const complete = completeText(sources, builds)
  const broken = begun === 0 ? '' : `the fetch of ${countOf(begun, 'source')} goes on where it broke off.`
  if (complete === '' && broken === '')
    return next === 'now' ? 'Starting over: every source is fetched.' : `${svc('run')} starts over.`
  if (next === 'now') return `Going on from it: ${complete || broken}`
  if (sources.complete === 0) return `${svc('run')} goes on from it: ${complete || broken}`
  return `${svc('retry')} goes on from it: ${complete} ${svc('run')} fetches every source again.`
}

function completeText(sources: Recovered['sources'], builds: Recovered['builds']): string {
  const complete = sources.complete + builds.complete
  if (complete === 0) return ''
  const facts = [
    ...(sources.complete === 0 ? [] : [partOf(sources, 'source')]),
    ...(builds.all === 0 ? [] : [partOf(builds, 'table')]),
  ].filter(fact => fact !== undefined)
  const isOne = complete === 1 && facts.length === 1
  return `${facts.join(' and ')} ${isOne ? 'is' : 'are'} complete.`
}

/** Returns `3 of 4 sources`; undefined if there were none. */
function partOf(part: Recovered['sources'], noun: string): string | undefined {
  const { complete, all } = part
  if (all === null) return complete === 0 ? undefined : countOf(complete, noun)
  return all === 0 ? undefined : `${formatCount(complete)} of ${countOf(all, noun)}`
}
