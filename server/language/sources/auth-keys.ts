/** Defines the authentication of requests to a web service. */
import { headerFormat, secretKey, statusFormat, webAddressFormat } from '../schema/formats.ts'
import {
  any,
  choice,
  formatted,
  type KeyParts,
  keysOf,
  oneOrMore,
  recordOf,
  shorthand,
  text,
  type Variant,
} from '../schema/shape.ts'

const sentIn = (doc: string): KeyParts => ({
  doc,
  default: 'header',
  shape: choice({
    header: 'A request header.',
    query: 'A parameter of the address.',
    cookie: 'A cookie.',
  }),
})

const staticKinds: readonly Variant[] = [
  { value: 'none', doc: 'Requests are not authenticated.', keys: [] },
  {
    value: 'bearer',
    doc: 'Authorization: Bearer, with the token or the credentials of the source.',
    keys: keysOf({ token: secretKey('The token, where it is not the credentials') }),
  },
  {
    value: 'basic',
    doc: 'Authorization: Basic.',
    keys: keysOf({
      username: { names: 'text', doc: 'Who asks.', shape: text, required: true },
      password: secretKey('The password, where it is not the credentials'),
    }),
  },
  {
    value: 'api_key',
    doc: 'A key in a header, in the query or in a cookie.',
    keys: keysOf({
      name: {
        names: 'request name',
        doc: 'Name of the header, parameter or cookie.',
        shape: text,
        required: true,
      },
      value: secretKey('The key, where it is not the credentials'),
      in: sentIn('Where the key is sent.'),
    }),
  },
]

const session: Variant = {
  value: 'session',
  doc: 'A token or cookies got by logging in, and got again when the service refuses them.',
  keys: keysOf({
    login_url: {
      names: 'address',
      doc: 'The address that takes the login.',
      shape: formatted(webAddressFormat),
      required: true,
    },
    method: {
      doc: 'HTTP method of the login.',
      default: 'POST',
      shape: choice({ POST: 'Most services.', GET: 'Services that take the login from headers.' }),
    },
    headers: {
      names: 'text',
      keysName: 'request name',
      doc: 'Headers of the login; a value may be env:NAME.',
      shape: recordOf('header', text, headerFormat),
      default: {},
    },
    body: {
      doc: 'Body of the login; texts in it may be env:NAME, which keeps secrets out of the file.',
      shape: any,
    },
    format: {
      doc: 'How the body of the login is written.',
      default: 'json',
      shape: choice({ json: 'As JSON.', form: 'As a form of the web.' }),
    },
    token_path: {
      names: 'answer path',
      doc: 'Path of the token in the answer, such as data.token; without it the cookies of the answer are sent.',
      shape: text,
    },
    name: {
      names: 'request name',
      doc: 'Name of the header, parameter or cookie that carries the token.',
      default: 'Authorization',
      shape: text,
    },
    in: sentIn('Where the token is sent.'),
    prefix: {
      names: 'text',
      doc: 'What stands before the token.',
      defaultDoc: '"Bearer " in the header Authorization',
      shape: text,
    },
    expires_path: {
      names: 'answer path',
      doc: 'Path of the seconds that the token lives, so that it is renewed before.',
      shape: text,
    },
    renew_on: {
      names: 'status',
      doc: 'Statuses by which the service says that the session has ended.',
      default: ['401'],
      shape: oneOrMore(formatted(statusFormat)),
    },
  }),
}

const oauth2: Variant = {
  value: 'oauth2',
  doc: 'A token of an OAuth 2 server, fetched again when it expires.',
  keys: keysOf({
    token_url: {
      names: 'address',
      doc: 'The address that gives tokens.',
      shape: formatted(webAddressFormat),
      required: true,
    },
    client_id: { names: 'text', doc: 'Who asks for a token.', shape: text, required: true },
    client_secret: secretKey('The secret of the client, where it is not the credentials'),
    refresh_token: secretKey('A refresh token, in place of the rights of the client itself'),
    scope: { names: 'text', doc: 'What the token has to allow, such as orders.read.', shape: text },
    audience: { names: 'text', doc: 'What the token is for, where the server asks for it.', shape: text },
    client: {
      doc: 'How the client says who it is.',
      default: 'basic',
      shape: choice({ basic: 'Authorization: Basic.', form: 'In the form, with the other parameters.' }),
    },
  }),
}

function authOf(variants: readonly Variant[]): KeyParts {
  return {
    doc: 'The authentication of requests.',
    default: 'none',
    shape: shorthand(['type'], { kind: 'variants', doc: 'The kind of authentication.', variants }),
  }
}

export const sourceAuth: KeyParts = authOf([...staticKinds, oauth2, session])

/** The authentication of destinations, which want no login yet. */
export const auth: KeyParts = authOf([...staticKinds, oauth2, { ...session, keys: [], built: false }])
