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

/** Returns a short text: `text`, `duration such as 12h`, `one of …`. */
function typeText(shape: Shape): string {
  switch (shape.kind) {
    case 'text':
      return shape.sql === undefined ? 'text' : 'SQL'
    case 'boolean':
      return '`true` or `false`'
    case 'number':
      return shape.whole ? 'whole number' : 'number'
    case 'duration':
      return 'duration such as `90s`, `30m`, `12h`, `7d`'
    case 'rate':
      return 'rate such as `10/s`, `100/m`'
    case 'size':
      return 'size such as `512MB`, `2GB`'
    case 'percent':
      return 'percentage such as `50%`'
    case 'amount':
      return 'whole number or percentage'
    case 'step':
      return 'duration such as `7d`, or whole number'
    case 'threshold':
      return 'comparison such as `"> 10"`'
    case 'choice':
      return `one of ${shape.choices
        .filter(isBuilt)
        .map(each => asCode(each.value))
        .join(', ')}`
    case 'scalar':
      return 'single value'
    case 'bound':
      return 'number or text'
    case 'any':
      return 'any value'
    case 'rows':
      return 'rows, as mappings or as CSV'
    case 'list':
      return shape.orOne === true ? `${typeText(shape.of)}, or a list` : 'list'
    case 'record':
      return `mapping by ${shape.keyName}`
    case 'object':
    case 'variants':
      return 'mapping'
    case 'shorthand':
      return shape.of.kind === 'variants' ? 'a type, or a mapping' : 'a single value, or a mapping'
  }
}
