/** Describes a function: its call, its result, its purpose. */
import type { Range } from '../../text/range.ts'
import type { FunctionOverload, SqlFunction } from '../knowledge.ts'
import { paragraphs, sqlBlock } from '../markdown.ts'

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

/** Returns `date_trunc(part VARCHAR, timestamp DATE) → TIMESTAMP`, with the places of the parameters in it. */
export function formLabel(name: string, form: FunctionOverload): CallLabel {
  const parameters = form.parameters.map(parameter =>
    parameter.type === '' ? parameter.name : `${parameter.name} ${parameter.type}`,
  )
  if (form.varargs !== undefined) parameters.push('…')
  const { label, parameters: places } = labelOfCall(name, parameters)
  return { label: form.returns === undefined ? label : `${label} → ${form.returns}`, parameters: places }
}

export interface CallLabel {
  readonly label: string
  /** The ranges of the parameters in the label. */
  readonly parameters: readonly Range[]
}

export function labelOfCall(name: string, parameters: readonly string[]): CallLabel {
  let at = name.length + 1
  const places = parameters.map(parameter => {
    const start = at
    at += parameter.length + ', '.length
    return { start, end: start + parameter.length }
  })
  return { label: `${name}(${parameters.join(', ')})`, parameters: places }
}

const shownForms = 6

/** Returns the overloads, the meaning and examples as Markdown. */
export function functionDocumentation(described: SqlFunction): string {
  const labels = [...new Set(described.overloads.map(form => formLabel(described.name, form).label))]
  const shown = labels.slice(0, shownForms)
  const more = labels.length - shown.length
  const forms = labels.length === 0 ? [`${described.name}(…)`] : shown
  return paragraphs([
    sqlBlock([...forms, ...(more > 0 ? [`-- and ${more} more for other types`] : [])].join('\n')),
    // The warehouse's descriptions are Markdown already.
    described.description,
    described.needsOver ? 'A window function: `OVER (…)` follows it.' : undefined,
    described.examples.length === 0 ? undefined : sqlBlock(described.examples.slice(0, 3).join('\n')),
  ])
}
