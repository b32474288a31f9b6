import { secretKey, smtpFormat } from '../schema/formats.ts'
import type { Variant } from '../schema/shape.ts'
import { atLeastOneOf, choice, formatted, keysOf, text } from '../schema/shape.ts'
import { sharedKeys } from './shared-keys.ts'

export const email: Variant = {
  value: 'email',
  doc: 'E-mail by SMTP.',
  keys: [
    ...keysOf({
      endpoint: {
        names: 'address',
        doc: 'The server: smtp://host:587 (STARTTLS), smtps://host:465 (TLS from the start), or env:NAME.',
        shape: formatted(smtpFormat),
        required: true,
      },
      from: { names: 'text', doc: 'The address of the sender.', shape: text, required: true },
      to: { names: 'text', doc: 'The addresses that get it.', shape: atLeastOneOf(text), required: true },
      username: { names: 'text', doc: 'Who logs in; without it nobody does.', shape: text },
      password: secretKey('The password of username'),
      tls: {
        doc: 'Whether the connection must be encrypted.',
        default: 'required',
        shape: choice({
          required: 'A server without TLS gets nothing.',
          never: 'Plain text, for a server on the same machine; nobody logs in.',
        }),
      },
    }),
    ...sharedKeys,
  ],
}
