/**
 * Turns the items of `tests` into single tests: one per column for kinds that take columns, each with a
 * unique name.
 */
import { testKinds } from '../tests/index.ts'
import type { JsonScalar, TestDefinition, TestSeverity, Threshold } from './definition.ts'
import type { Value, Values } from './read-value.ts'

/** Makes the tests. `items` are the schema's values, undefined for wrong items. */
export function readTests(items: readonly (Values | undefined)[]): TestDefinition[] {
  const names: Names = { taken: new Set(), numbers: new Map() }
  return items.flatMap((item, index) => (item === undefined ? [] : testsOf(item, index, names)))
}

/** The names that are taken, and for each wanted name the last number that was appended. */
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
  const testKind = testKinds.find(({ key }) => key.name in item)
  if (testKind === undefined) return []
  const kind = testKind.key.name
  const parts = testKind.read(item[kind] as Value).map(part => ({ ...part, kind }) as unknown as TestPart)
  return parts.map(part => {
    const given = item['name'] as string | undefined
    const wanted =
      given === undefined ? madeName(part) : parts.length > 1 ? `${given}_${part.column ?? ''}` : given
    return { ...part, ...optionsOf(item), name: freeName(wanted, names), index } as unknown as TestDefinition
  })
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
