/** The rule for text (`http/text-rule.ts`) as JSON Schema, for every text of the document that has no other rule. */
import type { Json, JsonObject } from './document.ts'

/** Control characters except tab and line breaks. */
const refused = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f'
const textPattern = `^[^${refused}]*$`
const namePattern = `^(?!__proto__$)[^${refused}]*$`
/** In place of `\\S`: with something else than white space. */
const visiblePattern = `^[^${refused}]*[^${refused}\\\\s][^${refused}]*$`

/** Any JSON whose texts keep the rule. */
export const jsonValueName = 'JsonValue'
const reference = { $ref: `#/components/schemas/${jsonValueName}` }
export const jsonValue: JsonObject = {
  description: 'Any JSON.',
  anyOf: [
    { type: ['null', 'boolean', 'number'] },
    { type: 'string', pattern: textPattern },
    { type: 'array', items: reference },
    { type: 'object', propertyNames: { pattern: namePattern }, additionalProperties: reference },
  ],
}

/** These quote what a caller wrote, in whatever form it came. */
const quoting = ['detail', 'pointer', 'instance']

/** Adds the rule to a schema, at its depth only; `name` is the member that it describes. */
export function withTextRule(schema: JsonObject, name: string | undefined): JsonObject {
  if (isOf(schema, 'string')) {
    if (schema['pattern'] === '\\S') return { ...schema, pattern: visiblePattern }
    const hasRule = ['pattern', 'enum', 'const', 'format'].some(key => schema[key] !== undefined)
    return hasRule || quoting.includes(name ?? '') ? schema : { ...schema, pattern: textPattern }
  }
  if (isOf(schema, 'object') && isOpen(schema['additionalProperties'])) {
    const further = schema['additionalProperties'] === true ? reference : schema['additionalProperties']
    return { ...schema, propertyNames: { pattern: namePattern }, additionalProperties: further as Json }
  }
  // A member of any type.
  const { description, ...rest } = schema
  return Object.keys(rest).length === 0 && name !== undefined ? { ...reference, ...schema } : schema
}

/** `orNull` makes a list of types. */
function isOf({ type }: JsonObject, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name))
}

function isOpen(further: Json | undefined): boolean {
  return further === true || (typeof further === 'object' && further !== null)
}
