/** Defines the key `contract.constraints`: keys of the table that a run builds, which hold before it is promoted. */
import { atLeastOneOf, type KeyParts, listOf, object, oneOrMore, text } from './shape.ts'

export const constraints: KeyParts = {
  doc: 'Keys of the built table: a run whose rows break one fails, and nothing is promoted.',
  shape: object({
    primary_key: {
      names: 'column',
      doc: 'The columns whose values identify a row: never missing, and each combination once.',
      shape: oneOrMore(text),
      default: [],
    },
    unique: {
      names: 'column',
      doc: 'Columns, or lists of columns, whose values come once; missing values may repeat.',
      shape: { kind: 'list', of: atLeastOneOf(text), orOne: true },
      default: [],
    },
    foreign_keys: {
      doc: 'Columns whose values are those of a key of another asset, or missing; the other asset is built first.',
      shape: listOf(
        object({
          columns: {
            names: 'column',
            doc: 'The columns, in order.',
            shape: atLeastOneOf(text),
            required: true,
          },
          references: {
            names: 'asset',
            doc: 'The asset whose rows they name; a table with a primary key or a unique one of these columns.',
            shape: text,
            required: true,
          },
          to: {
            names: 'referenced column',
            doc: 'Its columns, in the same order.',
            shape: oneOrMore(text),
            default: [],
            defaultDoc: 'its primary key',
          },
        }),
      ),
      default: [],
    },
  }),
}
