/** Describes a function: its call, its result, its purpose. */
import type { FunctionOverload, SqlFunction } from '../knowledge.ts'
import { sqlBlock } from '../markdown.ts'

/** Returns `round(x, precision)`: the overload with most parameters, optional ones in brackets. */
export function callLabel(described: SqlFunction): string {
  const sorted = [...described.overloads].sort((a, b) => b.parameters.length - a.parameters.length)
  const [longest] = sorted
  if (longest === undefined) return `${described.name}(…)`
  const needed = sorted.at(-1)?.parameters.length ?? 0
  const names = longest.parameters.map(({ name }, index) => (index < needed ? name : `[${name}]`))
  const shown = names.length > 6 ? [...names.slice(0, 6), '…'] : names
  return `${described.name}(${shown.join(', ')}${longest.varargs === undefined ? '' : ', …'})`
}

/** Returns the result type; undefined if it depends on the arguments or is not known. */
export function returnsOf(described: SqlFunction): string | undefined {
  const types = new Set(described.overloads.map(form => form.returns))
  const [only] = types
  return types.size === 1 ? only : undefined
}

/** Returns `date_trunc(part VARCHAR, timestamp DATE) → TIMESTAMP`. */
export function formLabel(name: string, form: FunctionOverload): string {
  const parameters = form.parameters.map(parameterLabel)
  if (form.varargs !== undefined) parameters.push('…')
  return `${name}(${parameters.join(', ')})${form.returns === undefined ? '' : ` → ${form.returns}`}`
}

export function parameterLabel({ name, type }: FunctionOverload['parameters'][number]): string {
  return type === '' ? name : `${name} ${type}`
}

const shownForms = 6

/** Returns the overloads, the meaning and examples as Markdown. */
export function functionDocumentation(described: SqlFunction): string {
  const labels = [...new Set(described.overloads.map(form => formLabel(described.name, form)))]
  const shown = labels.slice(0, shownForms)
  const more = labels.length - shown.length
  const forms = labels.length === 0 ? [`${described.name}(…)`] : shown
  return [
    sqlBlock([...forms, ...(more > 0 ? [`-- and ${more} more for other types`] : [])].join('\n')),
    // The warehouse's descriptions are Markdown already.
    described.description === '' ? undefined : described.description,
    described.needsOver ? 'A window function: `OVER (…)` follows it.' : undefined,
    described.examples.length === 0 ? undefined : sqlBlock(described.examples.slice(0, 3).join('\n')),
  ]
    .filter(part => part !== undefined)
    .join('\n\n')
}
