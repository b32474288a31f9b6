/** Turns the items of `tests` into single tests: one a column where a kind takes columns, each with a name of its own. */
import type { JsonScalar, TestDefinition, TestSeverity, Threshold } from './definition.ts'
import type { Value, Values } from './read-value.ts'
import { testKinds } from './test-schema.ts'

/** `items` as the schema read them, with holes where an item was wrong. */
export function readTests(items: readonly (Values | undefined)[]): TestDefinition[] {
  const names: Names = { taken: new Set(), numbers: new Map() }
  return items.flatMap((item, index) => (item === undefined ? [] : testsOf(item, index, names)))
}

/** Names that are taken, and by wanted name the number that was given last. */
interface Names {
  readonly taken: Set<string>
  readonly numbers: Map<string, number>
}

interface TestPart {
  readonly kind: TestDefinition['kind']
  readonly column?: string
  readonly [property: string]: Value | undefined
}

function testsOf(item: Values, index: number, names: Names): TestDefinition[] {
  const kind = testKinds.find(each => each in item)
  if (kind === undefined) return []
  const parts = partsOf(kind, item[kind] as Value)
  return parts.map(part => {
    const given = item['name'] as string | undefined
    const wanted =
      given === undefined ? madeName(part) : parts.length > 1 ? `${given}_${part.column ?? ''}` : given
    return { ...part, ...optionsOf(item), name: freeName(wanted, names), index } as unknown as TestDefinition
  })
}

function partsOf(kind: string, value: Value): TestPart[] {
  const byColumn = () => Object.entries(value as Values)
  switch (kind) {
    case 'unique':
      return [{ kind, columns: value }]
    case 'not_null':
      return (value as string[]).map(column => ({ kind, column }))
    case 'accepted_values':
      return byColumn().map(([column, values]) => ({ kind, column, values }))
    case 'relationships':
      return byColumn().map(([column, target]) => ({ kind, column, ...targetOf(target as string) }))
    case 'range':
      return byColumn().map(([column, bounds]) => ({ ...(bounds as Values), kind, column }))
    case 'matches':
      return byColumn().map(([column, pattern]) => ({ kind, column, pattern }))
    case 'row_count':
      return [{ ...(value as Values), kind }]
    case 'fresh':
      return freshness(value as Values)
    case 'expression':
      return [{ kind, expression: value }]
    case 'sql':
      return [{ kind }]
    case 'unit':
      return [{ ...(value as Values), kind }]
    default:
      throw new Error(`the schema has a kind of test "${kind}" that nothing reads`)
  }
}

/** Without a column or an age, which is reported as missing, there is nothing to test. */
function freshness({ column, withinMs }: Values): TestPart[] {
  if (typeof column !== 'string' || withinMs === undefined) return []
  return [{ kind: 'fresh', column, withinMs }]
}

/** `customers.id`: names of assets have no dots, those of columns may. */
function targetOf(target: string): { toAsset: string; toColumn: string } {
  const dot = target.indexOf('.')
  return { toAsset: target.slice(0, dot), toColumn: target.slice(dot + 1) }
}

interface TestOptionValues {
  readonly description?: string
  readonly severity: TestSeverity
  readonly where?: string
  readonly warnIf?: Threshold
  readonly errorIf?: Threshold
  readonly tags: readonly string[]
}

const optionNames = ['description', 'severity', 'where', 'warnIf', 'errorIf', 'tags'] as const

function optionsOf(item: Values): TestOptionValues {
  const present = optionNames.filter(name => name in item).map(name => [name, item[name]])
  return Object.fromEntries(present) as unknown as TestOptionValues
}

function madeName(part: TestPart): string {
  const columns =
    part.column === undefined ? ((part['columns'] as JsonScalar[] | undefined) ?? []) : [part.column]
  return [part.kind, ...columns].join('_')
}

function freeName(wanted: string, { taken, numbers }: Names): string {
  let number = numbers.get(wanted) ?? 1
  let name = wanted
  while (taken.has(name)) name = `${wanted}_${++number}`
  numbers.set(wanted, number)
  taken.add(name)
  return name
}
