/** Defines `publish` of an asset and `destinations` of `svc.yaml` from the kinds of destination. */
import { destinationKeys, destinationKinds } from '../destinations/index.ts'
import { targetFormat } from './formats.ts'
import { choice, type KeyParts, recordOf } from './shape.ts'

/** Which kind it is may stand in `svc.yaml` alone, so the asset may have the keys of every kind. */
export const publish: KeyParts = {
  keysName: 'destination',
  doc: 'Where the asset is sent to by svc publish, by the name of the destination; what is not written here svc.yaml says.',
  default: {},
  shape: recordOf(
    'target',
    {
      kind: 'object',
      keys: [
        {
          name: 'type',
          doc: 'The kind of destination.',
          shape: choice(
            Object.fromEntries(destinationKinds.map(({ variant: { value, doc } }) => [value, doc])),
          ),
          defaultDoc: 'that of destinations in svc.yaml',
        },
        ...destinationKeys,
      ],
    },
    targetFormat,
  ),
}

export const destinations: KeyParts = {
  keysName: 'new name',
  doc: 'Systems that assets are published to (svc publish), by name.',
  default: {},
  shape: recordOf(
    'destination',
    {
      kind: 'variants',
      doc: 'The kind of destination.',
      variants: destinationKinds.map(({ variant }) => variant),
    },
    targetFormat,
  ),
}
