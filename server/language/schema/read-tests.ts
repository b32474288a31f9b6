/**
 * Turns the items of `tests` into single tests: one per column for kinds that take columns, each with a
 * unique name.
 */
import type { OwnTest, OwnTests } from '../own-tests/own-test.ts'
import { testKinds } from '../tests/index.ts'
import type { JsonScalar, TestDefinition, TestOptions } from './definition.ts'
import type { Value, Values } from './read-value.ts'

/** Makes the tests. `items` are the schema's values, undefined for wrong items. */
export function readTests(items: readonly (Values | undefined)[], ownTests: OwnTests): TestDefinition[] {
  const names: Names = { taken: new Set(), numbers: new Map() }
  return items.flatMap((item, index) => (item === undefined ? [] : testsOf(item, index, names, ownTests)))
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

function testsOf(item: Values, index: number, names: Names, ownTests: OwnTests): TestDefinition[] {
  const parts = partsOf(item, ownTests)
  return parts.map(part => {
    const given = item['name'] as string | undefined
    const wanted =
      given === undefined ? madeName(part) : parts.length > 1 ? `${given}_${part.column ?? ''}` : given
    return { ...part, ...optionsOf(item), name: freeName(wanted, names), index } as unknown as TestDefinition
  })
}

function partsOf(item: Values, ownTests: OwnTests): readonly TestPart[] {
  const testKind = testKinds.find(({ key }) => key.name in item)
  if (testKind === undefined) {
    const own = [...ownTests.byName.values()].find(({ name }) => name in item)
    if (own === undefined) return []
    const part = ownPart(own, item[own.name] as Values)
    return part === undefined ? [] : [part]
  }
  const kind = testKind.key.name
  return testKind.read(item[kind] as Value).map(part => ({ ...part, kind }) as unknown as TestPart)
}

/**
 * A parameter that is not given has its default. Returns undefined if a column or an asset is missing, which is reported
 * already.
 */
function ownPart({ name, parameters }: OwnTest, given: Values): TestPart | undefined {
  const isMissing = (parameter: OwnTest['parameters'][number]) =>
    (given[parameter.name] ?? parameter.fallback ?? '') === '' && parameter.type.isName === true
  if (parameters.some(isMissing)) return undefined
  const values = parameters.flatMap(parameter => {
    const value = given[parameter.name] ?? parameter.fallback
    return value === undefined ? [] : [[parameter.name, value] as const]
  })
  const isGivenColumn = ({ name: key, type }: OwnTest['parameters'][number]) =>
    type.isColumn === true && given[key] !== undefined
  return {
    kind: 'own',
    test: name,
    columns: parameters.filter(isGivenColumn).map(parameter => given[parameter.name] as string),
    parameters: Object.fromEntries(values),
  }
}

type TestOptionValues = Omit<TestOptions, 'name' | 'index'>

const optionNames = ['description', 'severity', 'where', 'warnIf', 'errorIf', 'tags'] as const

function optionsOf(item: Values): TestOptionValues {
  const present = optionNames.filter(name => name in item).map(name => [name, item[name]])
  return Object.fromEntries(present) as unknown as TestOptionValues
}

function madeName(part: TestPart): string {
  const columns =
    part.column === undefined ? ((part['columns'] as JsonScalar[] | undefined) ?? []) : [part.column]
  return [part['test'] ?? part.kind, ...columns].join('_')
}

function freeName(wanted: string, { taken, numbers }: Names): string {
  let number = numbers.get(wanted) ?? 1
  let name = wanted
  while (taken.has(name)) name = `${wanted}_${++number}`
  numbers.set(wanted, number)
  taken.add(name)
  return name
}
