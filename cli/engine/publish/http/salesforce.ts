/**
 * Salesforce's collections: `…/composite/sobjects/<Object>/<ExternalId>` takes up to 200 records, each with the type of its
 * object, and answers with a list of outcomes in the same order.
 */
import type { RowOutcome } from '../destination.ts'
import { Refused } from '../destination.ts'
import { type Recipe, textOf, valueIn } from './recipe.ts'

export const salesforce: Recipe = {
  methods: { write: 'PATCH', remove: 'DELETE' },
  body({ target, rows }) {
    const type = JSON.stringify(objectOf(target.resource))
    const records = rows.map(({ payload }) => {
      const rest = payload === '{}' ? '}' : `,${payload.slice(1)}`
      return `{"attributes":{"type":${type}}${rest}`
    })
    return `{"allOrNone":false,"records":[${records.join(',')}]}`
  },
  outcomes({ body }, { rows }) {
    if (!Array.isArray(body) || body.length !== rows.length) {
      throw new Refused(`the answer has no list of ${rows.length} outcomes`)
    }
    return body.map((result): RowOutcome => {
      if (valueIn(result, 'success') === true) {
        const id = textOf(valueIn(result, 'id'))
        return { taken: true, ...(id !== undefined && { id }) }
      }
      const reason = textOf(valueIn(result, 'errors.0.message')) ?? textOf(valueIn(result, 'errors'))
      return { taken: false, reason: reason ?? 'refused' }
    })
  },
}

/** Returns `Contact` of `services/data/v61.0/composite/sobjects/Contact/Email__c`. */
function objectOf(resource: string): string {
  const steps =
    resource
      .split('?', 1)[0]
      ?.split('/')
      .filter(step => step !== '') ?? []
  return steps[steps.indexOf('sobjects') + 1] ?? ''
}
