/** What the writers of YAML ask of the tokens of the `yaml` package. */
import type { CST } from 'yaml'

/** A text that is right and that nobody writes: its layout is left alone. */
export class UnusualYaml extends Error {}

export function isComment(token: CST.SourceToken): boolean {
  return token.type === 'comment'
}

/** `&name` or `!tag`. */
export function isProp(token: CST.SourceToken): boolean {
  return token.type === 'anchor' || token.type === 'tag'
}
