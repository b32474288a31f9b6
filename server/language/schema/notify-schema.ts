/** Defines `notify` of `svc.yaml` from the kinds of notifier. */
import { notifierKinds } from '../notifiers/index.ts'
import { notifierFormat } from './formats.ts'
import { type KeyParts, recordOf } from './shape.ts'

export const notify: KeyParts = {
  keysName: 'new name',
  doc: 'Who is notified when a run fails or data are late (svc notify test tries it), by name.',
  default: {},
  shape: recordOf(
    'notifier',
    { kind: 'variants', doc: 'The kind of notifier.', variants: notifierKinds },
    notifierFormat,
  ),
}
