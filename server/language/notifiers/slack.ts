import { variableFormat } from '../schema/formats.ts'
import { formatted } from '../schema/shape.ts'
import type { NotifierKind } from './notifier-kind.ts'
import { sharedKeys } from './shared-keys.ts'

export const slack: NotifierKind = {
  variant: {
    value: 'slack',
    doc: 'A channel of Slack, by an incoming webhook.',
    keys: [
      {
        name: 'endpoint',
        doc: 'env:NAME of the variable with the address of the webhook, which is a secret.',
        shape: formatted(variableFormat),
        required: true,
      },
      ...sharedKeys,
    ],
  },
}
