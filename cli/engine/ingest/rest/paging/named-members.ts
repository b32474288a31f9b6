/**
 * Holds `paginate` to the answers: a path or header that is in none of them would end every fetch at its first page. A member that
 * services leave out on their last page may be missing where nothing else says that there is more.
 */
import { SvcError } from '../../../errors.ts'
import type { PageSeen, Paginate } from '../paginate.ts'
import { headerOf, saidAt } from '../value-at.ts'
import { claimsOf } from './claims.ts'
import { saysAll, saysThereIsMore } from './compare-claims.ts'
import { lastNames, moreNames, nextNames, plainHeader, plainName } from './names.ts'

type Key = 'path' | 'header' | 'total' | 'count' | 'more' | 'last'

const keys: readonly Key[] = ['path', 'header', 'total', 'count', 'more', 'last']
/** The members that lead to the next page. */
const leading: readonly Key[] = ['path', 'header']

export type NamedMembers = ReturnType<typeof namedMembers>

/** Judges all pages of a fetch, also those of several lists of pages. */
export function namedMembers(paginate: Paginate) {
  const missing = new Map<Key, string>(
    keys.flatMap(key => {
      const named = paginate[key]
      return named === undefined ? [] : [[key, named] as const]
    }),
  )
  let example: PageSeen | undefined
  return {
    see(page: PageSeen): void {
      if (missing.size === 0 || page.envelope === undefined) return
      for (const [key, named] of missing) if (isIn(page, key, named)) missing.delete(key)
      if (page.records > 0) example ??= page
    },
    /** Throws for what the first page has not, and has under another name; for what leads on also if the page says that there is more. */
    refuseAfter(page: PageSeen): void {
      if (page.records === 0) return
      for (const [key, named] of missing) {
        const isWrong = leading.includes(key) ? saysThereIsMore(page) : othersIn(page, key).length > 0
        if (isWrong) throw isMissing(key, named, page)
      }
    },
    /** Throws for what no page had. */
    refuseMissing({ size }: Pick<Paginate, 'size'>): void {
      if (example === undefined) return
      for (const [key, named] of missing)
        if (!mayBeLeftOut(key, named, example, size)) throw isMissing(key, named, example)
    },
  }
}

function isIn(page: PageSeen, key: Key, named: string): boolean {
  return saidAt(page, key === 'header' ? `header:${named}` : named) !== undefined
}

/** The last page of many services has no `nextPageToken`, and one that is not full is the last. */
function mayBeLeftOut(key: Key, named: string, page: PageSeen, size: number | undefined): boolean {
  const header = key === 'header' ? named : headerOf(named)
  const plain = header === undefined ? plainName(named.split('.').at(-1) ?? '') : plainHeader(header)
  const steps = header === undefined ? named.split('.').map(plainName) : [plain]
  if (leading.includes(key))
    return (
      steps.some(step => nextNames.has(step) || step === 'offset') ||
      saysAll(page) ||
      (size !== undefined && page.records < size)
    )
  return (key === 'more' && moreNames.has(plain)) || (key === 'last' && lastNames.has(plain))
}

function isMissing(key: Key, named: string, page: PageSeen): SvcError {
  const others = [...new Set(othersIn(page, key))].slice(0, 6).map(path => `"${path}"`)
  const what = key === 'header' ? `the header ${named}` : `"${named}"`
  const seen = others.length === 0 ? '' : ` The answer has ${others.join(', ')}.`
  return new SvcError('paginate-missing', `paginate.${key} names ${what}, which is in no answer`, {
    hint: `Correct it, or take it out.${seen} ${
      leading.includes(key)
        ? 'If the last page leaves it out, say with paginate.size how many records a full page has.'
        : ''
    }`.trim(),
    facts: { key, named },
  })
}

function othersIn(page: PageSeen, key: Key): readonly string[] {
  const { next, flag, total, pages } = claimsOf(page)
  if (leading.includes(key)) return next.map(({ path }) => path)
  if (key === 'more' || key === 'last') return flag === undefined ? [] : [flag.path]
  return [total, pages].flatMap(each => (each === undefined ? [] : [each.path]))
}
