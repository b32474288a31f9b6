/** Google Sheets: `…/values/<range>:append` takes rows as lists of values, in the order of the fields. */
import type { Recipe } from './recipe.ts'

export const sheets: Recipe = {
  methods: { write: 'POST', remove: 'POST' },
  body({ rows }) {
    const values = rows.map(({ payload }) =>
      Object.values(JSON.parse(payload) as Readonly<Record<string, unknown>>).map(cell),
    )
    return JSON.stringify({ majorDimension: 'ROWS', values })
  },
  outcomes: () => undefined,
}

/** A cell is a text, a number or a boolean; an empty text leaves it empty. */
function cell(value: unknown): unknown {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : value
}
