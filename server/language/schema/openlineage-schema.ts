/** Defines `openlineage` of `svc.yaml`: where the events of runs go. */
import { credentialFormat, webAddressFormat } from './formats.ts'
import { formatted, type Key, type KeyParts, oneOrMore, text } from './shape.ts'

const shared: readonly Key[] = [
  {
    name: 'namespace',
    names: 'text',
    doc: 'The namespace of the jobs; <project>.<environment> when absent.',
    shape: text,
  },
  {
    name: 'environments',
    names: 'environment',
    doc: 'The environments whose runs are reported; all when absent.',
    shape: oneOrMore(text),
  },
]

export const openlineage: KeyParts = {
  doc: 'Where OpenLineage events of every run and preview go.',
  shape: {
    kind: 'variants',
    doc: 'How they get there.',
    variants: [
      {
        value: 'http',
        doc: 'Each event by POST to a server.',
        keys: [
          {
            name: 'endpoint',
            names: 'address',
            doc: 'The address that takes events, often …/api/v1/lineage, or env:NAME.',
            shape: formatted(webAddressFormat),
            required: true,
          },
          {
            name: 'credentials',
            names: 'secret',
            doc: 'Sent as a bearer token; env:NAME keeps it out of the file.',
            shape: formatted(credentialFormat),
          },
          ...shared,
        ],
      },
      {
        value: 'file',
        doc: 'Appended to a file, one event a line.',
        keys: [
          {
            name: 'path',
            names: 'file',
            doc: "The file, relative to the project's root.",
            shape: text,
            required: true,
          },
          ...shared,
        ],
      },
    ],
  },
}
