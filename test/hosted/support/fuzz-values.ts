/** Values for a schema: such as fit, such as just fit, and such as do not. */
import type { Json, JsonObject, OpenApi } from '../../../hosted-api/openapi/index.ts'
import type { Random } from '../../support/random.ts'

export interface Maker {
  readonly random: Random
  readonly document: OpenApi
  /** Record numbers that were seen in answers, by collection, so that requests are about something. */
  readonly ids: ReadonlyMap<string, readonly number[]>
}

const words = [
  'a',
  'Kunde',
  'net sales',
  'x'.repeat(255),
  'ä€😀',
  "'; drop table term; --",
  '%',
  '_',
  '\\',
  '{{ ref("a") }}',
  '0',
]
const oddTexts = [
  '',
  ' ',
  'x'.repeat(256),
  'x'.repeat(5000),
  '\u0000',
  '\ud800',
  '\u0007',
  '../..',
  '%00',
  '1e9',
  '\n\t',
  '=1+1',
]
const oddNumbers = [0, -1, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53, 1e308, -0]
const oddValues: readonly Json[] = [null, true, '', 'x', 0, -1, [], {}, [[]], { a: { b: [1] } }]

/** A value that fits; of optional members some are left out. */
export function fitting(schema: JsonObject, maker: Maker, depth = 0, name = ''): Json {
  const { random, document } = maker
  const { $ref: reference, enum: values, const: value, anyOf, allOf, type } = schema
  if (typeof reference === 'string') {
    return fitting(
      (document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {}) as JsonObject,
      maker,
      depth,
    )
  }
  if (value !== undefined) return value
  if (Array.isArray(values)) return random.pick(values as readonly Json[])
  if (Array.isArray(anyOf)) return fitting(random.pick(anyOf as readonly JsonObject[]), maker, depth)
  if (Array.isArray(allOf))
    return Object.assign({}, ...allOf.map(each => fitting(each as JsonObject, maker, depth)))
  switch (type) {
    case 'object':
      return fittingObject(schema, maker, depth)
    case 'array': {
      const least = Number(schema['minItems'] ?? 0)
      const most = Math.min(Number(schema['maxItems'] ?? 3), least + 2)
      const length = depth > 4 ? least : least + random.below(most - least + 1)
      const items = Array.from({ length }, () =>
        fitting((schema['items'] ?? {}) as JsonObject, maker, depth + 1),
      )
      return schema['uniqueItems'] === true ? distinct(items) : items
    }
    case 'integer':
      return fittingInteger(schema, maker, name)
    case 'number':
      return random.pick([0, 1.5, -3, 1e10])
    case 'boolean':
      return random.below(2) === 0
    case 'null':
      return null
    case 'string':
      return fittingText(schema, random)
    default:
      return random.pick(oddValues)
  }
}

/** The same value with one thing in it that does not fit, or only just. */
export function twisted(value: Json, random: Random): Json {
  if (Array.isArray(value)) {
    const ways = [
      () => [...value, random.pick(oddValues)],
      () => value.map((item, index) => (index === 0 ? twisted(item, random) : item)),
      () => Array.from({ length: 1100 }, () => value[0] ?? null),
    ]
    return random.pick(ways)()
  }
  if (typeof value === 'object' && value !== null) return twistedObject(value as JsonObject, random)
  if (typeof value === 'string') return random.pick<Json>([...oddTexts, 5, null, [value]])
  if (typeof value === 'number') return random.pick<Json>([...oddNumbers, String(value), null])
  return random.pick(oddValues)
}

function twistedObject(value: JsonObject, random: Random): Json {
  const names = Object.keys(value)
  const name = names.length === 0 ? 'x' : random.pick(names)
  const { [name]: member = null, ...rest } = value
  const ways: readonly (() => Json)[] = [
    () => rest,
    () => ({ ...value, [name]: random.pick(oddValues) }),
    () => ({ ...value, [name]: twisted(member, random) }),
    () => ({ ...value, [name]: twisted(member, random) }),
    () => ({
      ...value,
      [random.pick(['nmae', 'created_at', 'version', 'constructor', 'deleted_at', ''])]: 1,
    }),
    () => random.pick(oddValues),
  ]
  return random.pick(ways)()
}

function fittingObject(schema: JsonObject, maker: Maker, depth: number): Json {
  const required = (schema['required'] ?? []) as readonly string[]
  const members = Object.entries((schema['properties'] ?? {}) as JsonObject).filter(
    ([name]) => required.includes(name) || (depth < 4 && maker.random.below(3) === 0),
  )
  return Object.fromEntries(
    members.map(([name, member]) => [name, fitting(member as JsonObject, maker, depth + 1, name)]),
  )
}

function fittingInteger(schema: JsonObject, maker: Maker, name: string): number {
  const { random } = maker
  const least = Number(schema['minimum'] ?? 0)
  const most = Number(schema['maximum'] ?? 1000)
  if (most === 2_147_483_647 && random.below(5) > 0) return knownId(maker, name)
  return random.pick([least, most, Math.min(most, least + random.below(10))])
}

/** The number of a record that a member or parameter of this name means. */
export function knownId({ random, ids }: Maker, name: string): number {
  const collection = [...ids.keys()].find(each => name.startsWith(each.replace(/s$/, '')))
  const known = (collection === undefined ? undefined : ids.get(collection)) ?? [...ids.values()].flat()
  return known.length === 0 ? 1 : random.pick(known)
}

function fittingText(schema: JsonObject, random: Random): string {
  if (schema['format'] === 'date-time')
    return random.pick(['2026-11-01T00:00:00.000Z', '2030-01-01T12:00:00+01:00'])
  const most = Number(schema['maxLength'] ?? 10_000)
  const least = Number(schema['minLength'] ?? 0)
  const text = random.pick(words).slice(0, most)
  const pattern = schema['pattern'] === undefined ? undefined : new RegExp(String(schema['pattern']), 'u')
  if (pattern !== undefined && !pattern.test(text)) {
    return ['term.a', 'a', '1', `x${random.below(1000)}`, 'abc'].find(each => pattern.test(each)) ?? text
  }
  return text.length < least ? 'x'.repeat(least) : text
}

function distinct(items: readonly Json[]): readonly Json[] {
  const seen = new Map(items.map(item => [JSON.stringify(item), item]))
  return [...seen.values()]
}
