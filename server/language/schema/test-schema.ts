/** Defines a test in a file: one kind (`server/language/tests`) and the options of all kinds. */
import { dataTestKinds, testKinds } from '../tests/index.ts'
import {
  choice,
  type Key,
  keysOf,
  type ObjectShape,
  oneOrMore,
  type Shape,
  sqlExpression,
  text,
  threshold,
  unbuilt,
} from './shape.ts'

const unit = testKinds.filter(kind => !dataTestKinds.includes(kind))

const kinds: readonly Key[] = [
  ...dataTestKinds.map(({ key }) => key),
  ...keysOf({
    anomaly: unbuilt('A metric stays within what its history makes likely.'),
    same_as: unbuilt('The asset holds the same rows as another.'),
  }),
  ...unit.map(({ key }) => key),
]

const options = keysOf({
  name: { names: 'new name', doc: 'Name of the test; made from kind and column when absent.', shape: text },
  description: { names: 'text', doc: 'What the test protects.', shape: text },
  severity: {
    doc: 'What a failure does.',
    default: 'error',
    shape: choice({ error: 'Nothing is promoted.', warn: 'It is reported, and the run goes on.' }),
  },
  where: { doc: 'SQL condition: only these rows are tested.', shape: sqlExpression },
  warn_if: { doc: 'Failures that are a warning, such as "> 10".', shape: threshold },
  error_if: { doc: 'Failures that are an error, such as "> 10".', shape: threshold },
  tags: { names: 'new name', doc: 'Labels.', shape: oneOrMore(text), default: [] },
})

const optionNames: readonly string[] = options.map(option => option.name)

const names: readonly string[] = kinds.map(kind => kind.name)

/** The keys of a test whose value is SQL: a query with tags, or a condition on rows. */
export const sqlKeysOfTests: ReadonlyMap<string, 'query' | 'condition'> = new Map(
  [...kinds, ...options].flatMap(({ name, shape }) => {
    const sql = shape.kind === 'text' ? shape.sql : undefined
    return sql === undefined ? [] : [[name, sql === 'template' ? 'query' : 'condition'] as const]
  }),
)

/** The tests of one's own that a project has, as far as their keys are concerned. */
export type OwnTestKeys = ReadonlyMap<string, { readonly key: Key }>

export const testShape: ObjectShape = {
  kind: 'object',
  keys: [...kinds.map(inDefinition), ...options],
  hasOthers: true,
  example: '- unique: id, or - accepted_values: {column: status, values: [open, paid]}',
  exactlyOne: { keys: names, what: 'kind of test', two: 'are two kinds of test', hint: 'Write two items.' },
}

/** Returns whether svc itself has such a key for tests. */
export function isTestKey(name: string): boolean {
  return ownKeys.has(name)
}

const ownKeys: ReadonlySet<string> = new Set(testShape.keys.map(({ name }) => name))

/** Returns the shape of a test in a project with tests of its own. */
export function testShapeWith(own: OwnTestKeys): ObjectShape {
  if (own.size === 0) return testShape
  const ownKeys = Array.from(own.values(), ({ key }) => ({ ...key, shape: withOptionsBeside(key.shape) }))
  const { exactlyOne } = testShape
  return {
    ...testShape,
    keys: [...kinds.map(inDefinition), ...ownKeys, ...options],
    ...(exactlyOne !== undefined && {
      exactlyOne: { ...exactlyOne, keys: [...exactlyOne.keys, ...own.keys()] },
    }),
  }
}

/** A kind keeps its name in the definition, where it is a value. */
function inDefinition(kind: Key): Key {
  return { ...kind, property: kind.name, shape: withOptionsBeside(kind.shape) }
}

/** Returns whether a key is one of those that all tests have. */
export function isTestOption(name: string): boolean {
  return optionNames.includes(name)
}

/** Who writes an option into what a kind takes is told where it belongs. */
function withOptionsBeside(shape: Shape): Shape {
  if (shape.kind === 'object') return { ...shape, beside: optionNames }
  if (shape.kind === 'record') return { ...shape, beside: optionNames, of: withOptionsBeside(shape.of) }
  return shape.kind === 'shorthand' ? { ...shape, of: withOptionsBeside(shape.of) as typeof shape.of } : shape
}
