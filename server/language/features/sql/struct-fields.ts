/** The fields of a STRUCT as a type's text tells them: `STRUCT(a INTEGER, "b c" VARCHAR)`. */

import { sqlTokens } from '../../syntax/sql-tokens.ts'
import { nameOf, splitAtCommas, tokenTree } from './token-tree.ts'

export interface StructField {
  readonly name: string
  readonly type: string
}

/** Empty for every other type. */
export function structFields(type: string | undefined): readonly StructField[] {
  if (type === undefined || !/^struct ?\(.*\)$/is.test(type)) return []
  const group = tokenTree(type, sqlTokens(type)).find(piece => piece.kind === 'group')
  if (group === undefined) return []
  return splitAtCommas(type, group.pieces).flatMap(([first, second, ...rest]) => {
    const name = nameOf(type, first)
    if (name === undefined || second === undefined) return []
    return [{ name, type: type.slice(second.start, (rest.at(-1) ?? second).end) }]
  })
}
