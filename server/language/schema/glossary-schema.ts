/** Defines every key of `glossary.yaml` (interface.md 2.2 to 2.6, decisions 4). */
import { nameFormat } from './formats.ts'
import {
  choice,
  columnRole,
  formatted,
  type KeyParts,
  type ObjectShape,
  object,
  oneOrMore,
  type Shape,
  scalar,
  sqlTemplate,
  text,
} from './shape.ts'

const name: KeyParts = { names: 'new name', doc: 'What people call it.', shape: text, required: true }
const description: KeyParts = { names: 'text', doc: 'What it means.', shape: text }
const owner: KeyParts = { names: 'text', doc: 'Who answers for it.', shape: text }

function idLike(prefix: string): KeyParts {
  return {
    names: 'new name',
    doc: 'Its identifier; links and other programs use it.',
    shape: text,
    defaultDoc: `${prefix}.<name in snake_case>`,
  }
}

const term = object({
  name,
  id: idLike('term'),
  description,
  synonyms: { names: 'text', doc: 'Other names for it.', shape: oneOrMore(text), default: [] },
  owner,
})

const grains = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']
const timeGrain = choice(Object.fromEntries(grains.map(grain => [grain, `By the ${grain}.`])))

const metric = object({
  name,
  id: idLike('metric'),
  description,
  sql_definition: { doc: "How it is computed; {{ ref('asset') }} names what it reads.", shape: sqlTemplate },
  time_grain: { doc: 'The period that one value covers.', shape: timeGrain },
  source_assets: { names: 'asset', doc: 'Assets that it draws on.', shape: oneOrMore(text), default: [] },
  owner,
})

const dimension = object({
  name,
  id: idLike('dim'),
  description,
  values: { doc: 'The values that it may have.', shape: oneOrMore(scalar), default: [] },
  type: {
    doc: 'What kind of values it has.',
    default: 'categorical',
    shape: choice({
      categorical: 'One of a few names.',
      numerical: 'Numbers.',
      boolean: 'Yes or no.',
      temporal: 'Points in time.',
      geographic: 'Places.',
      hierarchical: 'Names with others below them.',
    }),
  },
})

const policy = object({
  name,
  rule: { names: 'text', doc: 'The rule in plain words.', shape: text },
  pii_columns: {
    names: 'source pattern',
    doc: 'Columns that are personal data, by name or as asset.column, with * and ?; without it all that are marked pii.',
    shape: oneOrMore(text),
    default: [],
  },
  applies_to: {
    names: 'asset pattern',
    doc: 'Assets that must not have them: names with * and ?, <schema>.* for a schema or folder (also finance.eu.*), tag:<tag>; all without it.',
    shape: oneOrMore(text),
    default: [],
  },
  enforcement: {
    doc: 'What a breach is.',
    default: 'strict',
    shape: choice({
      strict: 'An error: the asset is not built.',
      warn: 'A warning.',
      off: 'Nothing: the policy is only written down.',
    }),
  },
  derived: {
    doc: 'Whether it covers columns that are only derived from personal data, by conditions, comparisons and counts.',
    default: 'allow',
    shape: choice({ allow: 'They are allowed.', deny: 'They are a breach too.' }),
  },
})

const link = object({
  term: { names: 'term', doc: 'Identifier or name of the term.', shape: text, required: true },
  asset: {
    names: 'asset',
    doc: 'The asset that the term describes.',
    shape: formatted(nameFormat),
    required: true,
  },
  column: { names: 'column', doc: 'The column of the asset; the asset itself without it.', shape: text },
  role: { doc: 'The part of the column in the asset.', shape: columnRole },
})

/** Makes a list whose wrong items stay as undefined, so that the others keep their index in the file. */
function entries(of: Shape): Shape {
  return { kind: 'list', of, keepsIndex: true }
}

export const glossaryShape: ObjectShape = object({
  terms: { doc: 'Words of the business and what they mean.', shape: entries(term), default: [] },
  metrics: { doc: 'Figures and how they are computed.', shape: entries(metric), default: [] },
  dimensions: { doc: 'What figures are broken down by.', shape: entries(dimension), default: [] },
  policies: { doc: 'What must not become of personal data.', shape: entries(policy), default: [] },
  links: { doc: 'Links from terms to the columns that they describe.', shape: entries(link), default: [] },
})
