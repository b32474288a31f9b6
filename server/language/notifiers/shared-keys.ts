/** Defines the keys that every kind of notifier has. */
import {
  atLeastOneOf,
  choice,
  duration,
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
      choice(
        {
          value: 'failed',
          doc: 'A run failed or was refused, or assets of it failed; they are not promoted.',
        },
        { value: 'held_back', doc: 'Assets kept their live builds while the others were promoted.' },
        { value: 'stale', doc: 'svc freshness found an asset older than warn_after or error_after.' },
        { value: 'drifted', doc: 'A source has other columns or types than at its last load.' },
        { value: 'recovered', doc: 'What was reported as failed, held back or stale is well again.' },
      ),
    ),
  },
  environments: { doc: 'The environments that are reported; all when absent.', shape: oneOrMore(text) },
  select: {
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
