import { hash } from 'node:crypto'

/** Hashes a text as lower-case hex: the `Hash` that the language takes as an argument. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}
