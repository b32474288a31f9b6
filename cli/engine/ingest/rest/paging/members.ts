/** Everything that an answer says beside its records, in its body and its headers, as a list of members with their paths. */
import type { Headers } from '../http-client.ts'
import type { PageSeen } from '../paginate.ts'
import { jsonIn, relationsOf } from '../value-at.ts'
import { containerKind, plainHeader, plainName, saysOfPages } from './names.ts'

export interface Member {
  /** As `paginate` names it: `meta.next`, `header:X-Next-Page`. */
  readonly path: string
  /** The last step of the path, as the service spells it. */
  readonly name: string
  /** The name as it is compared with the words of paging. */
  readonly plain: string
  readonly value: unknown
  /** The path of what it is in, without a dot at its end; empty for the answer itself. */
  readonly container: string
  /** Whether it stands where services speak of pages: beside the records, in `meta` and the like, in a header. */
  readonly isOfPage: boolean
}

const mostLevels = 6
const mostMembers = 2000

export function membersOf({ envelope, headers, recordsAt }: PageSeen): readonly Member[] {
  const found: Member[] = []
  collect(envelope, { path: [], isOfPage: true, recordsAt: recordsAt ?? [], found })
  return [...found, ...headerMembers(headers)]
}

interface Place {
  readonly path: readonly string[]
  readonly isOfPage: boolean
  readonly recordsAt: readonly string[]
  readonly found: Member[]
}

function collect(value: unknown, place: Place): void {
  if (typeof value !== 'object' || value === null || place.path.length > mostLevels) return
  if (Array.isArray(value)) collectList(value, place)
  else collectObject(value, place)
}

function collectObject(value: object, place: Place): void {
  for (const [key, inner] of Object.entries(value)) {
    if (place.found.length >= mostMembers) break
    add(key, inner, place)
    collect(inner, inside(key, place))
  }
}

/** Of a list, what counts are links; and the parts of an answer that is a list of two, of which one has the records. */
function collectList(list: readonly unknown[], place: Place): void {
  const isAnswer = place.path.length === 0 && place.recordsAt.length > 0
  for (const [index, item] of list.slice(0, 50).entries()) {
    if (isAnswer) collect(item, { ...place, path: [String(index)] })
    else for (const relation of relationsOf(item)) add(relation, item, place)
  }
}

function add(name: string, value: unknown, { path, isOfPage, found }: Place): void {
  const container = path.join('.')
  const whole = container === '' ? name : `${container}.${name}`
  found.push({ path: whole, name, plain: plainName(name), value, container, isOfPage })
}

function inside(key: string, { path, isOfPage, recordsAt, found }: Place): Place {
  const inner = [...path, key]
  const isOnTheWay = inner.every((step, index) => step === recordsAt[index])
  const kind = containerKind(key)
  return {
    path: inner,
    recordsAt,
    found,
    isOfPage: isOfPage && (isOnTheWay || kind === 'pager') && kind !== 'other',
  }
}

function headerMembers(headers: Headers): readonly Member[] {
  return Object.entries(headers).flatMap(([name, value]): readonly Member[] => {
    if (value === undefined || !saysOfPages(name)) return []
    const path = `header:${name}`
    const own = { path, name, plain: plainHeader(name), value, container: 'header', isOfPage: true }
    const inner = jsonIn(value)
    if (typeof inner !== 'object' || inner === null) return [own]
    const found: Member[] = []
    collect(inner, { path: [path], isOfPage: true, recordsAt: [], found })
    return found
  })
}
