/** Defines the authentication of requests to a web service. */
import { credentialFormat, webAddressFormat } from '../schema/formats.ts'
import { choice, formatted, type Key, shorthand, text, type Variant } from '../schema/shape.ts'

const credential = (name: string, doc: string): Key => ({
  name,
  doc: `${doc}; env:NAME keeps it out of the file.`,
  shape: formatted(credentialFormat),
})

const staticKinds: readonly Variant[] = [
  { value: 'none', doc: 'Requests are not authenticated.', keys: [] },
  {
    value: 'bearer',
    doc: 'Authorization: Bearer, with the token or the credentials of the source.',
    keys: [credential('token', 'The token, where it is not the credentials')],
  },
  {
    value: 'basic',
    doc: 'Authorization: Basic.',
    keys: [
      { name: 'username', doc: 'Who asks.', shape: text, required: true },
      credential('password', 'The password, where it is not the credentials'),
    ],
  },
  {
    value: 'api_key',
    doc: 'A key in a header, in the query or in a cookie.',
    keys: [
      { name: 'name', doc: 'Name of the header, parameter or cookie.', shape: text, required: true },
      credential('value', 'The key, where it is not the credentials'),
      {
        name: 'in',
        doc: 'Where the key is sent.',
        default: 'header',
        shape: choice(
          { value: 'header', doc: 'A request header.' },
          { value: 'query', doc: 'A parameter of the address.' },
          { value: 'cookie', doc: 'A cookie.' },
        ),
      },
    ],
  },
]

const session: Variant = { value: 'session', doc: 'A token got by logging in.', keys: [], built: false }

const oauth2: Variant = {
  value: 'oauth2',
  doc: 'A token of an OAuth 2 server, fetched again when it expires.',
  keys: [
    {
      name: 'token_url',
      doc: 'The address that gives tokens.',
      shape: formatted(webAddressFormat),
      required: true,
    },
    { name: 'client_id', doc: 'Who asks for a token.', shape: text, required: true },
    credential('client_secret', 'The secret of the client, where it is not the credentials'),
    credential('refresh_token', 'A refresh token, in place of the rights of the client itself'),
    { name: 'scope', doc: 'What the token has to allow, such as orders.read.', shape: text },
    { name: 'audience', doc: 'What the token is for, where the server asks for it.', shape: text },
    {
      name: 'client',
      doc: 'How the client says who it is.',
      default: 'basic',
      shape: choice(
        { value: 'basic', doc: 'Authorization: Basic.' },
        { value: 'form', doc: 'In the form, with the other parameters.' },
      ),
    },
  ],
}

function authOf(variants: readonly Variant[]): Key {
  return {
    name: 'auth',
    doc: 'The authentication of requests.',
    default: 'none',
    shape: shorthand(['type'], { kind: 'variants', doc: 'The kind of authentication.', variants }),
  }
}

export const sourceAuth: Key = authOf([...staticKinds, oauth2, session])

/** Destinations take no token that expires yet. */
export const auth: Key = authOf([...staticKinds, { ...oauth2, keys: [], built: false }, session])
