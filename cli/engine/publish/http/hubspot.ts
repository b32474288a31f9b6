/**
 * HubSpot's batches of CRM objects: `…/batch/upsert` with `inputs` of an id and properties. Some of a batch may fail
 * (207): then `errors` name the ids, and where they do not, the batch is halved until each row answers for itself.
 */
import type { RowOutcome } from '../destination.ts'
import { Refused } from '../destination.ts'
import { jsonTexts } from '../row-text.ts'
import { type Recipe, textOf, valueIn } from './recipe.ts'

export const hubspot: Recipe = {
  methods: { write: 'POST', remove: 'POST' },
  body({ operation, rows }) {
    const inputs = rows.map(({ key, payload }) => {
      const [id = ''] = jsonTexts(key)
      const [name = ''] = Object.keys(JSON.parse(key) as object)
      if (operation === 'delete') return JSON.stringify({ id })
      return `{"idProperty":${JSON.stringify(name)},"id":${JSON.stringify(id)},"properties":${payload}}`
    })
    return `{"inputs":[${inputs.join(',')}]}`
  },
  outcomes({ body }, { rows }) {
    const errors = valueIn(body, 'errors')
    if (!Array.isArray(errors) || errors.length === 0) return undefined
    const failed = new Map<string, string>()
    for (const error of errors) {
      const ids = [valueIn(error, 'context.id'), valueIn(error, 'context.ids')].flat(2)
      const message = textOf(valueIn(error, 'message')) ?? 'refused'
      for (const id of ids) if (id !== undefined) failed.set(String(id), message)
    }
    if (failed.size === 0) throw new Refused(textOf(valueIn(errors[0], 'message')) ?? 'refused')
    return rows.map(({ key }): RowOutcome => {
      const reason = failed.get(String(jsonTexts(key)[0]))
      return reason === undefined ? { taken: true } : { taken: false, reason }
    })
  },
}
