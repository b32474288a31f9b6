import { counted } from '../project/counted.ts'
import type { JsonValue, RestAuth, RestIngest } from '../schema/definition.ts'
import { headerFormat, hostFormat, statusFormat, webAddressFormat } from '../schema/formats.ts'
import {
  any,
  choice,
  formatted,
  type Key,
  keysOf,
  object,
  oneOrMore,
  otherWordsFor,
  recordOf,
  shorthand,
  text,
} from '../schema/shape.ts'
import { columnsRead } from '../source/parent-columns.ts'
import { addressText } from '../source/place-text.ts'
import { compareTexts } from '../text/compare.ts'
import { placeholder } from '../text/snippet.ts'
import { sourceAuth } from './auth-keys.ts'
import { restConflicts, restLimit } from './cursor-rules.ts'
import { datasetBelow } from './external-dataset.ts'
import { unlessSame } from './history-rules.ts'
import { paginators } from './paginators.ts'
import { sharedIdentity } from './shared-identity.ts'
import { sharedKeysWith } from './shared-keys.ts'
import type { SourceKind } from './source-kind.ts'

const keys: readonly Key[] = [
  ...keysOf({
    endpoint: {
      names: 'address',
      doc: 'Address of the API, or env:NAME.',
      shape: formatted(webAddressFormat),
      required: true,
    },
    resource: { names: 'address', doc: 'Path below the endpoint.', shape: text, required: true },
    method: {
      doc: 'HTTP method.',
      default: 'GET',
      shape: choice({ GET: 'Most APIs.', POST: 'APIs that take a query as body.' }),
    },
    params: {
      keysName: 'request name',
      doc: 'Parameters of the address.',
      shape: recordOf('parameter', any),
      default: {},
    },
    headers: {
      names: 'text',
      keysName: 'request name',
      doc: 'Request headers.',
      shape: recordOf('header', text, headerFormat),
      default: {},
    },
    body: { doc: 'JSON body of the request.', shape: any },
    auth: sourceAuth,
    records: { names: 'answer path', doc: 'Path to the list of records; detected when absent.', shape: text },
    paginate: {
      doc: 'How to get from one page to the next.',
      default: 'auto',
      shape: shorthand(['type'], { kind: 'variants', doc: 'The way of paging.', variants: paginators }),
    },
    for_each: {
      doc: 'One request for each row of another asset: {parent.id} in resource, params or body is the value of its column id.',
      shape: shorthand(
        ['asset'],
        object({
          asset: {
            names: 'asset',
            doc: 'The asset whose rows are gone through.',
            shape: text,
            required: true,
          },
          columns: {
            names: 'parent column',
            doc: 'Its columns that requests use; those that they name when absent.',
            shape: oneOrMore(text),
            default: [],
          },
          where: {
            names: 'text',
            doc: 'A condition in the SQL of the warehouse: only its rows are asked for.',
            shape: text,
          },
          carry: {
            names: 'parent column',
            doc: 'Its columns that each record gets, as columns named <asset>_<column>.',
            shape: oneOrMore(text),
            default: [],
          },
        }),
      ),
    },
    on_status: {
      keysName: 'status',
      doc: 'What to do about a status of the server.',
      default: {},
      shape: recordOf(
        'status',
        choice({
          retry: 'Try again.',
          skip: 'Go on without this response.',
          fail: 'The asset fails.',
          end: 'There are no more pages.',
        }),
        statusFormat,
      ),
    },
    allow_hosts: {
      names: 'host',
      doc: 'Further hosts that a next page or a redirect may lead to.',
      shape: oneOrMore(formatted(hostFormat)),
      default: [],
    },
  }),
  ...sharedKeysWith({ without: ['files', 'names'], why: 'a web service has pages and no files' }),
]

export const restApi: SourceKind<RestIngest> = {
  variant: {
    value: 'rest_api',
    doc: 'An HTTP API that answers with JSON.',
    keys,
    otherWords: otherWordsFor(
      ['url', 'uri', 'base_url', 'host', 'address', 'path'],
      'An address has two keys: endpoint, such as https://api.example.com/v1, and resource, the path below it.',
    ),
  },
  inWords: 'an API',
  summary: ({ type, endpoint, resource }) => `${type} ${endpoint} ${resource}`,
  dataset: ({ resource }, endpoint) => datasetBelow(endpoint, resource),
  identity: restIdentity,
  history: {
    endpoint: unlessSame('origin', value => addressText(String(value))),
    resource: unlessSame('origin', value => String(value).replace(/^\/+|\/+$/g, '')),
    params: unlessSame('origin', withoutCursors),
    body: unlessSame('origin', withoutCursors),
    forEach: 'origin',
    method: 'records',
    headers: unlessSame('records', withoutCursors),
    records: 'records',
    paginate: 'records',
    onStatus: 'records',
    auth: 'none',
    allowHosts: 'none',
  },
  cursorConflicts: restConflicts,
  limitedLoads: restLimit,
  rowRequests: ingest => ({ forEach: ingest.forEach, columns: columnsRead(ingest) }),
  skeleton: {
    label: 'API source',
    detail: 'an asset read from an HTTP API',
    ingest: name => [
      'ingest:',
      '  type: rest_api',
      `  endpoint: ${placeholder(3, 'https://api.example.com')}`,
      `  resource: ${placeholder(4, name)}`,
    ],
  },
}

/** What a request has of the cursor asks for the part that no load has, and not for other records. */
function withoutCursors(value: JsonValue | undefined): string {
  return JSON.stringify(value ?? null, (_key, inner: JsonValue) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    const kept = Object.entries(inner).filter(([, each]) => !/\{\s*cursor\b/.test(String(each)))
    return Object.fromEntries(kept.sort(([a], [b]) => compareTexts(a, b)))
  })
}

function restIdentity(ingest: RestIngest): JsonValue {
  const { type, endpoint, resource, method, params, headers, body, auth, records, ...others } = ingest
  const { paginate, onStatus, allowHosts, forEach, ...options } = others
  // What a run warns of makes no other content.
  const { claims: _claims, ...counting } = paginate
  return counted({
    ...{ type, endpoint, resource, method, params, headers, body, records, onStatus, allowHosts },
    paginate: counting,
    ...(forEach !== undefined && { forEach }),
    auth: authIdentity(auth),
    ...sharedIdentity(options),
  })
}

/** Returns the method of authentication without the secret: a new token gives the same data. */
function authIdentity(auth: RestAuth): JsonValue {
  switch (auth.type) {
    case 'basic':
      return { type: auth.type, username: auth.username }
    case 'api_key':
      return { type: auth.type, name: auth.name, in: auth.in }
    case 'oauth2': {
      const { tokenUrl, clientId, scope, audience } = auth
      return { type: auth.type, tokenUrl, clientId, scope: scope ?? null, audience: audience ?? null }
    }
    case 'session':
      // What the login says may be a secret, so who asks does not count.
      return { type: auth.type, loginUrl: auth.loginUrl }
    default:
      return { type: auth.type }
  }
}
