/** Names what an SQL text does to the values of a column, in a word that fits on a card: `sum()`, `CAST`. Pure. */
import type { Expression } from '../tree.ts'
import type { Column } from './model.ts'

/** A column may be passed on so often before it is looked at no further. */
const furthest = 1_000

/** Returns undefined where no one word says it. */
export function transformOf(column: Column): string | undefined {
  let at: Column | undefined = column
  for (let step = 0; at !== undefined && step < furthest; step++) {
    const { maker }: Column = at
    switch (maker.kind) {
      case 'passed':
      case 'star':
      case 'numbered':
        at = maker.of
        break
      case 'named':
        if (maker.of === undefined) return wordOf(maker.item?.expression)
        at = maker.of
        break
      case 'expression':
        return wordOf(maker.item?.expression)
      default:
        return undefined
    }
  }
  return undefined
}

function wordOf(expression: Expression | undefined): string | undefined {
  switch (expression?.kind) {
    case 'call': {
      const name = expression.path.at(-1)?.text
      return name === undefined || name === '' ? undefined : `${name.toLowerCase()}()`
    }
    case 'cast':
      return 'CAST'
    case 'case':
      return 'CASE'
    default:
      return undefined
  }
}
