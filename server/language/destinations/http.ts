import type { Destination } from '../schema/definition.ts'
import { headerFormat, webAddressFormat } from '../schema/formats.ts'
import {
  choice,
  formatted,
  type Key,
  keysOf,
  object,
  otherWordsFor,
  recordOf,
  text,
} from '../schema/shape.ts'
import { auth } from '../sources/auth-keys.ts'
import { datasetBelow } from '../sources/external-dataset.ts'
import type { DestinationKind } from './destination-kind.ts'
import { connectionKeys, rowKeys } from './shared-keys.ts'

const methods = choice({
  POST: 'Most services.',
  PUT: 'Services that replace what is there.',
  PATCH: 'Services that change what is there.',
  DELETE: 'For rows that are gone.',
})

/** The merged target decides whether there is authentication, so the key has no default here. */
const { default: _none, ...ownAuth } = auth

const keys: readonly Key[] = [
  ...keysOf({
    endpoint: {
      names: 'address',
      doc: 'Address of the service, or env:NAME.',
      shape: formatted(webAddressFormat),
    },
    resource: { names: 'address', doc: 'Path below the endpoint.', shape: text },
    recipe: {
      doc: 'The shape of requests and answers of well-known services.',
      shape: choice({
        rows: 'The rows as a JSON list, or as a list under `records`.',
        hubspot: 'HubSpot: batch upsert of CRM objects, up to 100 rows.',
        salesforce: 'Salesforce: collections of records, up to 200 rows.',
        sheets: 'Google Sheets: rows are appended to a range (mode: insert).',
      }),
      defaultDoc: 'rows',
    },
    method: { doc: 'HTTP method.', shape: methods, defaultDoc: 'POST; PATCH for salesforce' },
    headers: {
      names: 'text',
      keysName: 'request name',
      doc: 'Request headers.',
      shape: recordOf('header', text, headerFormat),
    },
    auth: ownAuth,
    records: {
      names: 'request name',
      doc: 'Name of the list of rows in the body; the body is the list when absent.',
      shape: text,
    },
    results: {
      names: 'answer path',
      doc: 'Path in the answer to a list with one outcome a row, in the order of the rows.',
      shape: text,
    },
    error_path: {
      names: 'answer path',
      doc: 'Path in an outcome to the reason why its row was refused.',
      shape: text,
    },
    id_path: {
      names: 'answer path',
      doc: "Path in an outcome to the row's id at the service, which is kept.",
      shape: text,
    },
    remove: {
      doc: 'The request that deletes rows (mode: mirror, on_delete: delete); its rows are their keys alone.',
      shape: object({
        method: { doc: 'HTTP method.', shape: methods, defaultDoc: 'POST; DELETE for salesforce' },
        resource: { names: 'address', doc: 'Path below the endpoint.', shape: text, required: true },
      }),
    },
    idempotency_header: {
      names: 'request name',
      doc: 'The header with the key by which the service knows a batch that comes again.',
      shape: text,
      defaultDoc: 'Idempotency-Key',
    },
  }),
  ...connectionKeys,
  ...rowKeys,
]

/** The most rows that a service takes in one request. */
const largestBatch: Readonly<Record<string, number>> = { hubspot: 100, salesforce: 200 }

export const http: DestinationKind = {
  variant: {
    value: 'http',
    doc: 'A web service that takes batches of rows as JSON.',
    keys,
    otherWords: otherWordsFor(
      ['url', 'uri', 'base_url', 'host', 'address', 'path'],
      'An address has two keys: endpoint, such as https://api.example.com/v1, and resource, the path below it.',
    ),
  },
  inWords: 'a web service',
  required: ['endpoint', 'resource'],
  modes: ({ recipe }) => (recipe === 'sheets' ? ['insert'] : ['upsert', 'insert', 'update', 'mirror']),
  batch: ({ recipe }) => largestBatch[recipe ?? ''] ?? 100,
  concurrency: 4,
  dataset: (resource, endpoint) => datasetBelow(endpoint, resource),
  obstacle: target => wrongBatch(target) ?? missingRemove(target),
}

function wrongBatch({ recipe, batch }: Destination) {
  const most = largestBatch[recipe ?? '']
  if (most === undefined || batch === undefined || batch <= most) return undefined
  return {
    message: `batch is ${batch}, and ${recipe} takes ${most} rows at most`,
    hint: `Write batch: ${most} or less.`,
  }
}

function missingRemove({ mode, onDelete, remove }: Destination) {
  if (onDelete !== 'delete' || remove !== undefined) return undefined
  return {
    message: `${mode === 'mirror' ? 'mode: mirror' : 'on_delete: delete'} over HTTP needs "remove": the request that deletes rows`,
    hint:
      mode === 'mirror'
        ? 'Write remove: {resource: contacts/batch/archive}, or mode: upsert.'
        : 'Write remove: {resource: contacts/batch/archive}, or on_delete: mark.',
  }
}
