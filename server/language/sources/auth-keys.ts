/** Defines the authentication of requests to a web service. */
import { credentialFormat } from '../schema/formats.ts'
import { choice, formatted, type Key, shorthand, text } from '../schema/shape.ts'

const credential = (name: string, doc: string): Key => ({
  name,
  doc: `${doc}; env:NAME keeps it out of the file.`,
  shape: formatted(credentialFormat),
})

export const auth: Key = {
  name: 'auth',
  doc: 'The authentication of requests.',
  default: 'none',
  shape: shorthand(['type'], {
    kind: 'variants',
    doc: 'The kind of authentication.',
    variants: [
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
      { value: 'oauth2', doc: 'A token fetched from an OAuth 2 server.', keys: [], built: false },
      { value: 'session', doc: 'A token got by logging in.', keys: [], built: false },
    ],
  }),
}
