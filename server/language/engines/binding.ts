/** The dialects of engines for the name binder, as far as they agree. */
import type { BinderDialect, FunctionFlow } from '../sql/binder/dialect.ts'
import { wordSet } from '../sql/grammar.ts'
import type { EngineFunctions, EngineStorage, EngineTypes } from './engine.ts'

type Given =
  | 'valueWords'
  | 'isVolatile'
  | 'effectOf'
  | 'isOfEngine'
  | 'flowOf'
  | 'givesOneType'
  | 'isComparison'
  | 'typeCalled'
  | 'typeOfLiteral'
  | 'elementOf'
  | 'hasFewValues'

interface OwnDialect extends Omit<BinderDialect, Given> {
  readonly functions: EngineFunctions
  readonly types: EngineTypes
  readonly storage: EngineStorage
  /** Functions by the flow of their values; all others give values away. */
  readonly flows: Partial<Readonly<Record<FunctionFlow, Iterable<string>>>>
  /** Operators beside those of all engines that return a boolean. */
  readonly comparisons: ReadonlySet<string>
  /** The type of short numbers: that of others depends on their size. */
  readonly integer: string
}

const usualComparisons: ReadonlySet<string> = new Set([
  ...wordSet('= <> != < <= > >= and or like ilike ~ !~ ~* !~* ~~ !~~ ~~* !~~* ^@ @> <@ && is'),
  ...['not like', 'not ilike', 'similar to', 'not similar to', 'is distinct from', 'is not distinct from'],
])

export function binderDialect({
  functions,
  types,
  storage,
  flows,
  comparisons,
  integer,
  ...own
}: OwnDialect): BinderDialect {
  const flowByName = new Map(
    Object.entries(flows).flatMap(([flow, names]) =>
      Array.from(names, name => [name, flow as FunctionFlow] as const),
    ),
  )
  const literalTypes: Readonly<Record<string, string | undefined>> = {
    string: types.usual.text,
    boolean: types.usual.boolean,
  }
  return {
    ...own,
    valueWords: functions.valueWords,
    isVolatile: functions.isVolatile,
    effectOf: functions.effectOf,
    isOfEngine(path) {
      const [name = '', schema] = [path.at(-1), path.at(-2)]
      if (schema !== undefined && storage.systemSchemas.test(schema)) return true
      const { names, schema: home } = storage.systemRelations
      return (schema === undefined || schema === home) && names.test(name)
    },
    flowOf: name => flowByName.get(name) ?? 'value',
    givesOneType: name => functions.ofOneType.has(name),
    isComparison: operator => usualComparisons.has(operator) || comparisons.has(operator),
    typeCalled(text) {
      const type = types.parse(text)
      return type.kind === 'unknown' ? undefined : type
    },
    typeOfLiteral(kind, text) {
      const name = kind === 'number' && /^\d{1,9}$/.test(text) ? integer : literalTypes[kind]
      return name === undefined ? undefined : types.parse(name)
    },
    elementOf: types.elementOf,
    hasFewValues: type => type.kind === 'enum' || types.family(type) === 'boolean',
  }
}
