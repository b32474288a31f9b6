/** The plain recipe: a JSON list of the rows, and where the service says so, a list of outcomes in the same order. */
import type { RowOutcome } from '../destination.ts'
import { Refused } from '../destination.ts'
import { type Recipe, textOf, valueIn } from './recipe.ts'

export const rowsRecipe: Recipe = {
  methods: { write: 'POST', remove: 'POST' },
  body({ target, rows }) {
    const list = `[${rows.map(({ payload }) => payload).join(',')}]`
    return target.records === undefined ? list : `{${JSON.stringify(target.records)}:${list}}`
  },
  outcomes({ body }, { target, rows }) {
    if (target.results === undefined) return undefined
    const results = valueIn(body, target.results)
    if (!Array.isArray(results) || results.length !== rows.length) {
      const count = Array.isArray(results) ? `${results.length} outcomes` : 'no list of outcomes'
      throw new Refused(`the answer has ${count} at "${target.results}" for ${rows.length} rows`)
    }
    return results.map((result): RowOutcome => {
      const reason = target.errorPath === undefined ? undefined : textOf(valueIn(result, target.errorPath))
      if (reason !== undefined) return { taken: false, reason }
      const id = target.idPath === undefined ? undefined : textOf(valueIn(result, target.idPath))
      return { taken: true, ...(id !== undefined && { id }) }
    })
  },
}
