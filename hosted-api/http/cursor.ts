/**
 * The cursor of the next page: the sort values of the last item, signed so that clients cannot forge it, and
 * bound to its list.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { Problem } from './problems.ts'

export type SortValue = string | number

export type CursorSigner = ReturnType<typeof createCursorSigner>

const macBytes = 16

export function createCursorSigner(key: Buffer) {
  const macOf = (payload: string) => createHmac('sha256', key).update(payload).digest().subarray(0, macBytes)
  return {
    write(values: readonly SortValue[], list: string) {
      const payload = JSON.stringify([fingerprint(list), ...values])
      return Buffer.concat([macOf(payload), Buffer.from(payload)]).toString('base64url')
    },
    /** @throws Problem `invalid_cursor` */
    read(cursor: string, list: string) {
      const bytes = Buffer.from(cursor, 'base64url')
      const payload = bytes.subarray(macBytes).toString()
      const isOurs = bytes.length > macBytes && timingSafeEqual(bytes.subarray(0, macBytes), macOf(payload))
      if (!isOurs) throw invalidCursor()
      const [print, ...values] = JSON.parse(payload) as [string, ...SortValue[]]
      if (print !== fingerprint(list)) throw invalidCursor()
      return values
    },
  }
}

function fingerprint(list: string): string {
  return createHash('sha256').update(list).digest('base64url').slice(0, 16)
}

function invalidCursor(): Problem {
  return new Problem(
    'invalid_cursor',
    'The cursor is not one of this list: take it from the answer before, with the same filters.',
  )
}
