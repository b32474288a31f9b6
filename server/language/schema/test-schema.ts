/** The kinds of data test and their options (decisions 1, "tests"). */
import { relationFormat } from './formats.ts'
import {
  atLeastOneIn,
  atLeastOneOf,
  boolean,
  bound,
  choice,
  duration,
  formatted,
  type Key,
  listOf,
  needs,
  type ObjectShape,
  object,
  oneOrMore,
  percent,
  scalar,
  sqlExpression,
  sqlTemplate,
  text,
  threshold,
  unbuilt,
  wholeNumber,
} from './shape.ts'
import { unitShape } from './unit-schema.ts'

const kinds: readonly Key[] = [
  { name: 'unique', doc: 'No value, or no combination of values, occurs twice.', shape: atLeastOneOf(text) },
  { name: 'not_null', doc: 'No value is missing; a list is one test a column.', shape: atLeastOneOf(text) },
  {
    name: 'accepted_values',
    doc: 'Every value is one of a list.',
    shape: atLeastOneIn('column', { ...listOf(scalar), notEmpty: true }),
  },
  {
    name: 'relationships',
    doc: 'Every value is in a column of another asset: {customer_id: customers.id}.',
    shape: atLeastOneIn('column', formatted(relationFormat)),
  },
  {
    name: 'range',
    doc: 'Every value lies between bounds: {amount: {min: 0}}.',
    shape: atLeastOneIn(
      'column',
      needs(
        ['min', 'max'],
        { name: 'min', doc: 'Smallest value allowed.', shape: bound },
        { name: 'max', doc: 'Largest value allowed.', shape: bound },
        { name: 'strict', doc: 'The bounds themselves are not allowed.', shape: boolean, default: false },
      ),
    ),
  },
  {
    name: 'matches',
    doc: 'Every value matches a regular expression: {email: ".+@.+"}.',
    shape: atLeastOneIn('column', text),
  },
  {
    name: 'row_count',
    doc: 'The number of rows lies between bounds.',
    shape: needs(
      ['min', 'max', 'change'],
      { name: 'min', doc: 'Fewest rows allowed.', shape: wholeNumber(0) },
      { name: 'max', doc: 'Most rows allowed.', shape: wholeNumber(0) },
      {
        name: 'change',
        doc: 'Largest change against the live version, such as 50%.',
        shape: percent,
        property: 'changePercent',
      },
    ),
  },
  {
    name: 'fresh',
    doc: 'The newest value of a column is not too old: {column: updated_at, within: 24h}.',
    shape: object(
      { name: 'column', doc: 'A date or timestamp.', shape: text, required: true },
      { name: 'within', doc: 'How old it may be.', shape: duration, required: true, property: 'withinMs' },
    ),
  },
  { name: 'expression', doc: 'An SQL condition that holds for every row.', shape: sqlExpression },
  { name: 'sql', doc: 'An SQL query whose rows are the failures.', shape: sqlTemplate },
  unbuilt('anomaly', 'A metric stays within what its history makes likely.'),
  unbuilt('same_as', 'The asset holds the same rows as another.'),
  {
    name: 'unit',
    doc: 'The SQL gives the expected rows for given rows; runs in memory, without the warehouse.',
    shape: unitShape,
  },
]

const options: readonly Key[] = [
  { name: 'name', doc: 'Name of the test; made from kind and column when absent.', shape: text },
  { name: 'description', doc: 'What the test protects.', shape: text },
  {
    name: 'severity',
    doc: 'What a failure does.',
    default: 'error',
    shape: choice(
      { value: 'error', doc: 'Nothing is promoted.' },
      { value: 'warn', doc: 'It is reported, and the run goes on.' },
    ),
  },
  { name: 'where', doc: 'SQL condition: only these rows are looked at.', shape: sqlExpression },
  { name: 'warn_if', doc: 'Failures that are a warning, such as "> 10".', shape: threshold },
  { name: 'error_if', doc: 'Failures that are an error, such as "> 10".', shape: threshold },
  { name: 'tags', doc: 'Labels.', shape: oneOrMore(text), default: [] },
]

export const testKinds: readonly string[] = kinds.map(kind => kind.name)

export const testShape: ObjectShape = {
  kind: 'object',
  // A kind keeps its name in the definition, where it is a value.
  keys: [...kinds.map(kind => ({ ...kind, property: kind.name })), ...options],
  exactlyOne: { keys: testKinds, what: 'kind of test' },
}
