/**
 * Renders the message about a run whose process died: where it stopped, the state of production, and what is
 * complete.
 */

import type { EventOf } from '@svc/server/contract'
import { svcIn } from '@svc/server/language'
import { countOf, formatAge, formatCount } from './numbers.ts'
import type { Style } from './style.ts'
import { wrap } from './width.ts'

type Recovered = EventOf<'recovered'>

/** `The last run (01jd8q) stopped at "build", 2 minutes ago; prod was not touched.` */
export function recoveredLines(event: Recovered, style: Style): string[] {
  const { kind, environment } = event
  const production =
    event.production === 'promoted'
      ? `${environment} is as that ${kind} made it`
      : `${environment} was not touched`
  const first = `The last ${kind} (${event.stopped_run_id}) stopped at "${event.stopped_at}", ${formatAge(event.seconds_ago)}; ${production}.`
  const sentences = event.next === 'nothing' ? [first] : [first, goingOn(event)]
  return sentences.flatMap(sentence => wrap(sentence, style.width))
}

function goingOn({ next, sources, builds, environment }: Recovered): string {
  const svc = svcIn(environment)
  const facts = [partOf(sources, 'source'), partOf(builds, 'table')].filter(fact => fact !== undefined)
  const complete = sources.complete + builds.complete
  if (complete === 0)
    return next === 'now' ? 'Nothing of it is complete: starting over.' : `${svc('run')} starts over.`
  const isOne = complete === 1 && facts.length === 1
  const what = `${facts.join(' and ')} ${isOne ? 'is' : 'are'} complete.`
  return `${next === 'now' ? 'Going on from it' : `${svc('run')} goes on from it`}: ${what}`
}

/** Returns `3 of 4 sources`; undefined if there were none. */
function partOf(part: Recovered['sources'], noun: string): string | undefined {
  const { complete, all } = part
  if (all === null) return complete === 0 ? undefined : countOf(complete, noun)
  return all === 0 ? undefined : `${formatCount(complete)} of ${countOf(all, noun)}`
}
