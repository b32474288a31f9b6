/** The five kinds (interface.md 2.2-2.6), with what the contract leaves open as decided in hosted.md 5.2. */
import { Type } from '@sinclair/typebox'
import { oneOf, RecordId } from '../http/index.ts'
import type { Field, Kind, KindName } from './kind.ts'

const mostItems = 1000
const Line = Type.String({ minLength: 1, maxLength: 255 })
const Lines = Type.Array(Line, { maxItems: mostItems })
const Sql = Type.String({ minLength: 1, maxLength: 256 * 1024 })

export const longestText = 64 * 1024
export const identifierPattern = '^\\p{L}[\\p{L}\\p{N}_.:-]{0,254}$'

const owner: Field = {
  name: 'owner',
  schema: Type.String({ minLength: 1, maxLength: 320 }),
  store: 'text',
  searched: true,
  filter: true,
  doc: 'Contact, usually an e-mail address.',
}

const tags: Field = {
  name: 'tags',
  schema: Lines,
  store: 'json',
  default: [],
  searched: true,
  doc: 'Words to group records by.',
}

const metadata: Field = {
  name: 'metadata',
  schema: Type.Object({}, { additionalProperties: true, maxProperties: 100 }),
  store: 'json',
  default: {},
  doc: 'Members of your own; kept as they are.',
}

export const termStatuses = ['draft', 'in_review', 'approved', 'deprecated', 'rejected'] as const
export const termRelations = ['related', 'broader', 'narrower', 'replaced_by', 'antonym', 'see_also'] as const

const term: Kind = {
  name: 'term',
  plural: 'terms',
  prefix: 'term',
  named: true,
  takesId: true,
  fields: [
    {
      name: 'synonyms',
      schema: Lines,
      store: 'json',
      default: [],
      searched: true,
      doc: 'Alternative names.',
    },
    owner,
    {
      name: 'status',
      schema: oneOf(termStatuses),
      store: 'text',
      default: 'draft',
      filter: true,
      doc: 'How far the definition is agreed on.',
    },
    { name: 'reviewers', schema: Lines, store: 'json', default: [], doc: 'Who has to agree.' },
    {
      name: 'related',
      schema: Type.Array(
        Type.Object(
          { type: oneOf(termRelations), term: Type.String({ pattern: identifierPattern }) },
          { additionalProperties: false },
        ),
        { maxItems: mostItems },
      ),
      store: 'json',
      default: [],
      doc: 'Other terms, by identifier, and what they are to this one.',
    },
    tags,
    metadata,
  ],
}

export const timeGrains = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const

const metric: Kind = {
  name: 'metric',
  plural: 'metrics',
  prefix: 'metric',
  named: true,
  takesId: true,
  fields: [
    {
      name: 'sql_definition',
      schema: Sql,
      store: 'text',
      required: true,
      searched: true,
      doc: "SQL, with {{ ref('<asset>') }} for tables; never executed here.",
    },
    {
      name: 'time_grain',
      schema: oneOf(timeGrains),
      store: 'text',
      filter: true,
      doc: 'Time granularity.',
    },
    {
      name: 'source_assets',
      schema: Lines,
      store: 'json',
      default: [],
      searched: true,
      doc: 'Names of the assets that it draws on; completed from the ref() tags of the SQL.',
    },
    owner,
    {
      name: 'unit',
      schema: Type.String({ minLength: 1, maxLength: 64 }),
      store: 'text',
      filter: true,
      doc: 'Unit of the value: EUR, %, orders.',
    },
    tags,
    metadata,
  ],
}

export const dimensionTypes = [
  'categorical',
  'numerical',
  'boolean',
  'temporal',
  'geographic',
  'hierarchical',
] as const

const dimension: Kind = {
  name: 'dimension',
  plural: 'dimensions',
  prefix: 'dim',
  named: true,
  takesId: true,
  fields: [
    {
      name: 'type',
      schema: oneOf(dimensionTypes),
      store: 'text',
      default: 'categorical',
      filter: true,
      doc: 'What its values are.',
    },
    {
      name: 'values',
      schema: Lines,
      store: 'json',
      default: [],
      searched: true,
      doc: 'Allowed category values; of categorical and hierarchical dimensions only.',
    },
    owner,
    tags,
    metadata,
  ],
}

export const enforcements = ['strict', 'warn', 'off'] as const

const policy: Kind = {
  name: 'policy',
  plural: 'policies',
  prefix: 'policy',
  named: true,
  takesId: false,
  fields: [
    {
      name: 'rule',
      schema: Type.String({ minLength: 1, maxLength: longestText }),
      store: 'text',
      required: true,
      searched: true,
      doc: 'The rule in words.',
    },
    {
      name: 'pii_columns',
      schema: Lines,
      store: 'json',
      default: [],
      searched: true,
      doc: 'Names of columns that hold personal data.',
    },
    {
      name: 'applies_to',
      schema: Lines,
      store: 'json',
      default: [],
      searched: true,
      doc: 'Patterns of asset names: exact, <schema>.*, with * and ?. Empty: all assets.',
    },
    {
      name: 'enforcement',
      schema: oneOf(enforcements),
      store: 'text',
      default: 'strict',
      filter: true,
      doc: 'What a breach is.',
    },
    owner,
    tags,
    metadata,
  ],
}

export const linkRoles = ['primary_key', 'foreign_key', 'attribute'] as const

const link: Kind = {
  name: 'link',
  plural: 'links',
  prefix: 'link',
  named: false,
  takesId: false,
  fields: [
    {
      name: 'term',
      schema: RecordId,
      store: 'integer',
      required: true,
      filter: true,
      fixed: true,
      doc: 'Record number of the term.',
    },
    {
      name: 'asset',
      schema: RecordId,
      store: 'integer',
      required: true,
      filter: true,
      fixed: true,
      doc: 'Record number of the asset.',
    },
    {
      name: 'column',
      schema: Line,
      store: 'text',
      filter: true,
      doc: 'Column of the asset; the whole asset without it.',
    },
    {
      name: 'role',
      schema: oneOf(linkRoles),
      store: 'text',
      default: 'attribute',
      filter: true,
      doc: 'What the column is; a key needs a column.',
    },
  ],
  joined: {
    columns: {
      term_identifier: 'linked_term.identifier',
      term_name: 'linked_term.name',
      asset_name: 'linked_asset.name',
    },
    joins: `join term as linked_term on linked_term.id = link.term
      join asset as linked_asset on linked_asset.id = link.asset`,
    searched: 'linked_term.search_key',
  },
}

export const kinds: Readonly<Record<KindName, Kind>> = { term, metric, dimension, policy, link }
export const allKinds: readonly Kind[] = Object.values(kinds)
export const entryKinds: readonly Kind[] = allKinds.filter(kind => kind.named)
