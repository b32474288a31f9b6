/**
 * Whether what a target acknowledged was acknowledged by what is there now. A table that somebody dropped, and another one of its
 * name, have none of these rows: what tells them apart is kept with the place of each attempt.
 */
import type { PublishRecord } from '../state/state.ts'
import type { OpenDestination } from './destination.ts'

type Asked = Pick<OpenDestination, 'place' | 'identity'>
type Earlier = Pick<PublishRecord, 'place' | 'counts'>

/**
 * Returns the places of earlier attempts at the same address and name, whatever was there: first that of the last one that
 * something acknowledged, and the address alone, which an older svc kept, also where its attempts are too long ago to be read.
 */
export function placesOf({ place }: Asked, earlier: readonly Earlier[]): readonly string[] {
  const here = earlier.filter(each => isAt({ place }, each.place))
  const acknowledged = here.filter(({ counts }) => counts !== null)
  const found = [...acknowledged, ...here].map(each => each.place)
  return found.length === 0 ? [] : [...new Set([...found, place])]
}

/** Returns whether the place of an attempt is at the address and name of a destination, whatever is there now. */
export function isAt({ place }: Pick<OpenDestination, 'place'>, attempted: string): boolean {
  return attempted === place || attempted.startsWith(withIdentity(place, ''))
}

export interface VeryPlace {
  /** With what tells it from a later one of the same name; undefined where nothing is there. */
  readonly place: string | undefined
  /** Whether it is what acknowledged rows the last time. */
  readonly isSame: boolean
}

/** `places`: those of earlier attempts, newest first. */
export async function placeNow(destination: Asked, places: readonly string[]): Promise<VeryPlace> {
  const { place: bare } = destination
  const [last] = places
  if (destination.identity === undefined) return { place: bare, isSame: (last ?? bare) === bare }
  const identity = await destination.identity()
  if (identity === undefined) return { place: undefined, isSame: false }
  const place = identity === '' ? bare : withIdentity(bare, identity)
  // An older svc kept the address alone.
  return { place, isSame: last === undefined || last === place || last === bare }
}

function withIdentity(place: string, identity: string): string {
  return `${place} #${identity}`
}
