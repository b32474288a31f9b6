/** The documentation of keys and values from the schema, as Markdown. */
import { firstVersion, isBuilt, type Key, type Shape } from '../schema/shape.ts'
import { asCode, withCode } from './markdown.ts'

/** Returns meaning, allowed values, default and version. */
export function keyDocumentation(key: Key): string {
  const facts = [
    key.required === true ? 'required' : undefined,
    typeText(key.shape),
    defaultText(key),
    key.since === undefined || key.since === firstVersion ? undefined : `since ${asCode(key.since)}`,
  ]
  return `${withCode(key.doc)}\n\n*${facts.filter(fact => fact !== undefined).join(' · ')}*`
}

function defaultText(key: Key): string | undefined {
  if (key.defaultDoc !== undefined) return `default ${asCode(key.defaultDoc)}`
  const { default: value } = key
  const isPlain = value !== undefined && (typeof value !== 'object' || value === null)
  return isPlain ? `default ${asCode(String(value))}` : undefined
}

const words: Readonly<Partial<Record<Shape['kind'], string>>> = {
  boolean: '`true` or `false`',
  duration: 'duration such as `90s`, `30m`, `12h`, `7d`',
  rate: 'rate such as `10/s`, `100/m`',
  size: 'size such as `512MB`, `2GB`',
  percent: 'percentage such as `50%`',
  amount: 'whole number or percentage',
  step: 'duration such as `7d`, or whole number',
  threshold: 'comparison such as `"> 10"`',
  scalar: 'single value',
  bound: 'number or text',
  any: 'any value',
  rows: 'rows, as mappings or as CSV',
}

/** Returns a short text: `text`, `duration such as 12h`, `one of …`. */
function typeText(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
      if (shape.words !== undefined)
        return `${shape.words.map(each => asCode(each.value)).join(', ')}, or a name`
      return shape.sql === undefined ? 'text' : 'SQL'
    case 'number':
      return shape.whole ? 'whole number' : 'number'
    case 'choice':
      return `one of ${shape.choices
        .filter(isBuilt)
        .map(each => asCode(each.value))
        .join(', ')}`
    case 'list':
      return shape.orOne === true ? `${typeText(shape.of)}, or a list` : 'list'
    case 'record':
      return `mapping by ${shape.keyName}`
    case 'shorthand':
      return shape.of.kind === 'variants' ? 'a type, or a mapping' : 'a single value, or a mapping'
    default:
      return words[shape.kind] ?? 'mapping'
  }
}
