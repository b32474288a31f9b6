import { headerFormat, webAddressFormat } from '../schema/formats.ts'
import { formatted, recordOf, text } from '../schema/shape.ts'
import type { NotifierKind } from './notifier-kind.ts'
import { secretKey, sharedKeys } from './shared-keys.ts'

export const webhook: NotifierKind = {
  variant: {
    value: 'webhook',
    doc: 'An address that takes a JSON object by POST.',
    keys: [
      {
        name: 'endpoint',
        doc: 'The address, or env:NAME.',
        shape: formatted(webAddressFormat),
        required: true,
      },
      {
        name: 'headers',
        doc: 'Request headers; a value may be env:NAME.',
        shape: recordOf('header', text, headerFormat),
        default: {},
      },
      secretKey('secret', 'Signs the body: X-Svc-Signature is sha256= and its HMAC'),
      ...sharedKeys,
    ],
  },
}
