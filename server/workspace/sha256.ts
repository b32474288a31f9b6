import { createHash } from 'node:crypto'

/** As lower-case hex: the `Hash` that the language takes as an argument. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
