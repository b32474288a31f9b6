/** Google Sheets: `…/values/<range>:append` takes rows as lists of values, in the order of the fields. */
import { memberTexts } from '../row-text.ts'
import type { Recipe } from './recipe.ts'

export const sheets: Recipe = {
  methods: { write: 'POST', remove: 'POST' },
  body({ rows }) {
    const values = rows.map(({ payload }) => `[${memberTexts(payload).map(cell).join(',')}]`)
    return `{"majorDimension":"ROWS","values":[${values.join(',')}]}`
  },
  outcomes: () => undefined,
}

/** A cell is a text, a number or a boolean; an empty text leaves it empty. */
function cell(json: string): string {
  if (json === 'null') return '""'
  return /^[[{]/.test(json) ? JSON.stringify(json) : json
}
