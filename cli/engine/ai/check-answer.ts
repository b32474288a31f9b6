/** Compares an answer with the JSON Schema of the form that was asked for: the few keywords that such forms use. Pure. */

interface Form {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Form>>
  readonly required?: readonly string[]
  readonly items?: Form
  readonly enum?: readonly unknown[]
}

/** Returns what is wrong, each with its place: `/review/0/severity: …`. */
export function problemsIn(value: unknown, schema: object, place = ''): readonly string[] {
  const form = schema as Form
  const at = place === '' ? '/' : place
  if (form.enum !== undefined)
    return form.enum.includes(value) ? [] : [`${at}: must be one of ${form.enum.map(String).join(', ')}`]
  if (form.type === 'array') {
    if (!Array.isArray(value)) return [`${at}: must be a list`]
    return value.flatMap((item, index) => problemsIn(item, form.items ?? {}, `${place}/${index}`))
  }
  if (form.type === 'object') return objectProblems(value, form, place)
  if (form.type === 'string' && typeof value !== 'string') return [`${at}: must be a text`]
  return []
}

function objectProblems(
  value: unknown,
  { properties = {}, required = [] }: Form,
  place: string,
): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [`${place === '' ? '/' : place}: must be an object`]
  const given = value as Readonly<Record<string, unknown>>
  const missing = required.filter(key => !Object.hasOwn(given, key)).map(key => `${place}/${key}: is missing`)
  const inner = Object.entries(given).flatMap(([key, each]) => {
    const form = Object.hasOwn(properties, key) ? properties[key] : undefined
    return form === undefined
      ? [`${place}/${key}: was not asked for`]
      : problemsIn(each, form, `${place}/${key}`)
  })
  return [...missing, ...inner]
}
