/** Offers types. */
import type { Engine } from '../../../engines/engine.ts'
import { snippetOf } from '../../../text/snippet.ts'
import { sortKey } from '../completion.ts'
import type { SqlItem } from './sql-offer.ts'

export function typeItems({ types, help }: Engine): readonly SqlItem[] {
  return types.commonNames.map((name, index): SqlItem => {
    const words = help.types.get(name)
    return {
      label: name.toUpperCase(),
      kind: 'type',
      ...(words !== undefined && { detail: words.description }),
      insert: words?.written === undefined ? name.toUpperCase() : `${snippetOf(words.written)}$0`,
      ...(words?.written !== undefined && { isSnippet: true }),
      sort: sortKey(words === undefined ? 'b' : 'a', index),
    }
  })
}
