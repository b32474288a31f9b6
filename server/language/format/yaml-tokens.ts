/** Functions on the tokens of the `yaml` package that the YAML writers share. */
import type { CST } from 'yaml'

/** Thrown for text that is valid but too unusual to be formatted. */
export class UnusualYaml extends Error {}

export function isComment(token: CST.SourceToken): boolean {
  return token.type === 'comment'
}

/** Returns whether the token is an anchor (`&name`) or a tag (`!tag`). */
export function isProp(token: CST.SourceToken): boolean {
  return token.type === 'anchor' || token.type === 'tag'
}
