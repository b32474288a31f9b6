/** Defines the keys of a `unit` test (decisions 1, "tests"). */
import { timeFormat } from './formats.ts'
import {
  boolean,
  formatted,
  keysOf,
  type ObjectShape,
  recordOf,
  rows,
  scalar,
  text,
  unbuilt,
} from './shape.ts'

export const unitShape: ObjectShape = {
  kind: 'object',
  exactlyOne: {
    keys: ['expect', 'error'],
    what: 'kind of result',
    two: 'are two kinds of result',
    hint: 'Write two unit tests.',
  },
  keys: keysOf({
    given: {
      keysName: 'input',
      doc: "Rows of each input: an asset by its name, `source`, `source('child')`. What is not given is empty, a column that a row leaves out is NULL.",
      shape: recordOf('input', rows),
      default: {},
    },
    vars: {
      keysName: 'variable',
      doc: 'Values of variables, instead of those of the project.',
      shape: recordOf('variable', scalar),
      default: {},
    },
    now: {
      names: 'text',
      doc: 'What now(), current_date and the like are, such as 2024-01-31 09:30:00; in UTC unless it has an offset.',
      shape: formatted(timeFormat),
    },
    window: unbuilt('The start and end of the window of an incremental asset.'),
    expect: {
      doc: 'Rows that come out, in any order; columns that a row leaves out are not compared.',
      shape: rows,
    },
    error: { names: 'text', doc: 'A part of the message with which the SQL is to fail.', shape: text },
    cte: {
      names: 'cte',
      doc: 'Name of a CTE whose rows are expected instead of those of the whole query.',
      shape: text,
    },
    ordered: {
      doc: 'The rows must come in the order in which they are expected.',
      shape: boolean,
      default: false,
    },
    contains: { doc: 'There may be more rows than those expected.', shape: boolean, default: false },
    tolerance: {
      doc: 'How far numbers may be from those expected.',
      shape: { kind: 'number', whole: false, min: 0 },
    },
  }),
}
