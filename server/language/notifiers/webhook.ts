import { headerFormat, secretKey, webAddressFormat } from '../schema/formats.ts'
import type { Variant } from '../schema/shape.ts'
import { formatted, keysOf, recordOf, text } from '../schema/shape.ts'
import { sharedKeys } from './shared-keys.ts'

export const webhook: Variant = {
  value: 'webhook',
  doc: 'An address that takes a JSON object by POST.',
  keys: [
    ...keysOf({
      endpoint: {
        names: 'address',
        doc: 'The address, or env:NAME.',
        shape: formatted(webAddressFormat),
        required: true,
      },
      headers: {
        names: 'text',
        keysName: 'request name',
        doc: 'Request headers; a value may be env:NAME.',
        shape: recordOf('header', text, headerFormat),
        default: {},
      },
      secret: secretKey('Signs the body: X-Svc-Signature is sha256= and its HMAC'),
    }),
    ...sharedKeys,
  ],
}
