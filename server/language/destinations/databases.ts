/** What the kinds of destination that are databases share. */

import { formatted, type Key, otherWordsFor, type TextFormat, text } from '../schema/shape.ts'
import { tableOfDatabase } from '../sources/sql.ts'
import type { DestinationKind } from './destination-kind.ts'
import { connectionKeys, connectionKeysWith, rowKeys } from './shared-keys.ts'

interface DatabaseKind {
  readonly value: string
  readonly doc: string
  readonly inWords: string
  /** How its address begins, for the message. */
  readonly form: string
  readonly pattern: RegExp
  readonly batch: number
  /** Limits that mean nothing to it, and why. */
  readonly idle?: { readonly without: readonly string[]; readonly why: string }
}

export function databaseKind(kind: DatabaseKind): DestinationKind {
  const { value, doc, inWords, form, pattern, batch, idle } = kind
  const address: TextFormat = { pattern, rule: `the address is ${form}, or env:NAME` }
  const keys: readonly Key[] = [
    {
      name: 'endpoint',
      names: 'address',
      doc: `Address of the database (${form}), or env:NAME.`,
      shape: formatted(address),
      defaultDoc: 'the address in DESTINATION__<TARGET>__CREDENTIALS',
    },
    {
      name: 'resource',
      names: 'table',
      doc: 'Table: schema.table. Where it is not there, it is created.',
      shape: text,
    },
    ...(idle === undefined ? connectionKeys : connectionKeysWith(idle)),
    ...rowKeys,
  ]
  return {
    variant: {
      value,
      doc,
      keys,
      otherWords: otherWordsFor(
        ['url', 'uri', 'dsn', 'connection', 'connection_string', 'host', 'database', 'table', 'schema'],
        `A database has the keys endpoint, such as ${form}, and resource, its schema.table.`,
      ),
    },
    inWords,
    required: ['resource'],
    addressInCredentials: true,
    modes: () => ['upsert', 'insert', 'update', 'mirror'],
    batch: () => batch,
    concurrency: 1,
    dataset: (resource, endpoint) => tableOfDatabase(endpoint, resource.replaceAll(/["`]/g, '')),
  }
}
