/**
 * Masks of values that a load has stored already, as SQL that every warehouse reads: the same that `mask.ts` makes of values on
 * their way in. There is none for hashes, because a text of a query may not have their key.
 */
import type { MaskKind } from '@svc/server/language'

type AfterwardsKind = Exclude<MaskKind, 'hash'>

const stars = '***'

const sqlOf: Readonly<Record<AfterwardsKind, (text: string) => string>> = {
  redact: text => `CASE WHEN ${text} IS NOT NULL THEN '${stars}' END`,
  partial: text => `'*${stars}' || right(${text}, CAST(least(4, floor(length(${text}) / 4.0)) AS INTEGER))`,
  email: text => `CASE WHEN strpos(${text}, '@') > 0
    THEN replace(left(${text}, 1), '@', '') || '${stars}@' || reverse(split_part(reverse(${text}), '@', 1))
    WHEN ${text} IS NOT NULL THEN '${stars}' END`,
}

/** Returns SQL of the hidden value from SQL of the stored one. */
export function maskedAfterwards(kind: AfterwardsKind, value: string): string {
  return sqlOf[kind](`CAST(${value} AS VARCHAR)`)
}
