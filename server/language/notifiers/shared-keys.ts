/** Defines the keys that every kind of notifier has. */
import { variableFormat } from '../schema/formats.ts'
import type { Variant } from '../schema/shape.ts'
import {
  atLeastOneOf,
  choice,
  duration,
  formatted,
  type KeyParts,
  keysOf,
  object,
  oneOrMore,
  text,
  wholeNumber,
} from '../schema/shape.ts'

/** What is told and how often, in the order of the reference. */
export const sharedKeys = keysOf({
  on: {
    doc: 'What is reported.',
    default: ['failed', 'held_back', 'stale', 'drifted', 'recovered'],
    shape: atLeastOneOf(
      choice({
        failed: 'A run failed or was refused, or assets of it failed; they are not promoted.',
        held_back: 'Assets kept their live builds while the others were promoted.',
        stale: 'svc freshness found an asset older than warn_after or error_after.',
        drifted: 'A source has other columns or types than at its last load.',
        recovered: 'What was reported as failed, held back or stale is well again.',
      }),
    ),
  },
  environments: {
    names: 'environment',
    doc: 'The environments that are reported; all when absent.',
    shape: oneOrMore(text),
  },
  select: {
    names: 'selector',
    doc: 'The assets that are reported, as in svc run: names, +x, x+, tag:x, path:glob; all when absent.',
    shape: text,
  },
  repeat: {
    doc: 'How long after it was reported a problem that stays is reported again.',
    shape: duration,
    default: '24h',
    property: 'repeatMs',
  },
  limits: {
    doc: 'Limits on messages.',
    default: {},
    shape: object({
      per_hour: { doc: 'Messages in an hour at most.', shape: wholeNumber(1), default: 12 },
      timeout: {
        doc: 'How long one try may take; 30s count at most.',
        shape: duration,
        default: '10s',
        property: 'timeoutMs',
      },
      retries: { doc: 'How often a message is tried again.', shape: wholeNumber(0), default: 2 },
    }),
  },
})

/** Makes a kind that posts to an address which is a secret as a whole. */
export function webhookOfSecret(value: string, doc: string): Variant {
  const endpoint: KeyParts = {
    names: 'secret',
    doc: 'env:NAME of the variable with the address of the webhook, which is a secret.',
    shape: formatted(variableFormat),
    required: true,
  }
  return { value, doc, keys: [...keysOf({ endpoint }), ...sharedKeys] }
}
