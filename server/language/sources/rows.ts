import { counted } from '../project/counted.ts'
import type { RowsIngest } from '../schema/definition.ts'
import { any, choice, type Key, listOf, recordOf } from '../schema/shape.ts'
import { placeholder } from '../text/snippet.ts'
import { sharedIdentity } from './shared-identity.ts'
import { limitKeys, sharedKeysWith } from './shared-keys.ts'
import type { SourceKind } from './source-kind.ts'

/** Rows that change are another definition, of which nothing was loaded before. */
const write: Key = {
  name: 'write',
  doc: 'What becomes of rows that are changed or removed here.',
  default: 'replace',
  shape: choice({
    replace: 'The table has the rows that stand here.',
    scd2: 'Every version of a row is kept, valid from _svc_valid_from until _svc_valid_to.',
  }),
}

/** Keys about a secret, and about a part of the records. */
const passedOver: readonly string[] = ['credentials', 'incremental']

const keys: readonly Key[] = [
  {
    name: 'rows',
    keysName: 'new name',
    doc: 'The rows, as mappings.',
    shape: listOf(recordOf('column', any)),
    required: true,
  },
  ...sharedKeysWith({
    without: limitKeys.map(({ name }) => name).filter(name => name !== 'max_rows'),
    why: 'the rows stand in the file',
  })
    .filter(({ name }) => !passedOver.includes(name))
    .map(key => (key.name === 'write' ? write : key)),
]

export const rows: SourceKind<RowsIngest> = {
  variant: {
    value: 'rows',
    doc: 'Rows written in the asset file itself.',
    keys,
    unwritten: () => ({ credentials: '' }),
    otherWords: {
      credentials: 'Rows that stand in the file need no secret.',
      incremental: 'The rows that stand in the file are all loaded, at every run.',
    },
  },
  inWords: 'rows in its file',
  summary: ({ type, rows }) => `${type} (${rows.length})`,
  identity: ({ type, rows, ...options }) => counted({ type, rows, ...sharedIdentity(options) }),
  // Rows that are no longer in the file end; their versions stay.
  history: { rows: 'none' },
  ownRecords: ({ rows }) => rows,
  skeleton: {
    label: 'rows',
    detail: 'an asset of a few rows written here',
    ingest: () => [
      'ingest:',
      '  type: rows',
      '  rows:',
      `    - {${placeholder(3, 'code')}: ${placeholder(4, 'a')}}`,
    ],
  },
}
