import { choice, formatted, type Key, keysOf, otherWordsFor, type TextFormat, text } from '../schema/shape.ts'
import { fileDataset } from '../sources/external-dataset.ts'
import { s3Key, sftpKey } from '../sources/remote-access.ts'
import type { DestinationKind } from './destination-kind.ts'
import { connectionKeys, rowKeys } from './shared-keys.ts'

/** A folder, or the address of one elsewhere. */
const placeFormat: TextFormat = {
  pattern: /^((s3|sftp):\/\/[^\s/]|(?![a-z][a-z0-9+.-]*:\/\/))/i,
  rule: "the endpoint of a file destination is a folder, relative to the project's root, or s3://bucket/… or sftp://user@host/…",
  hint: 'A web service is type http; other storage often speaks S3, too: its address is s3.endpoint.',
}

const fileFormats = ['csv', 'ndjson', 'parquet'] as const

const keys: readonly Key[] = [
  ...keysOf({
    endpoint: {
      names: 'file',
      doc: "Folder, relative to the project's root, or an address: s3:// or sftp://.",
      shape: formatted(placeFormat),
    },
    resource: { names: 'file', doc: 'Name of the file below it.', shape: text },
    format: {
      doc: "How the file is written; its name's ending says it when absent.",
      shape: choice({
        csv: 'Text with commas and a header.',
        ndjson: 'One JSON value a line.',
        parquet: 'Apache Parquet.',
      }),
    },
  }),
  ...connectionKeys,
  ...keysOf({
    s3: s3Key,
    sftp: sftpKey,
  }),
  // A file is written whole.
  ...rowKeys.filter(({ name }) => name !== 'batch'),
]

export const file: DestinationKind = {
  variant: {
    value: 'file',
    doc: 'A CSV, NDJSON or Parquet file, written whole.',
    keys,
    otherWords: otherWordsFor(
      ['path', 'file', 'folder', 'directory', 'location', 'uri', 'url'],
      'A file has two keys: endpoint, its folder, and resource, its name.',
    ),
  },
  inWords: 'a file',
  required: ['endpoint', 'resource'],
  modes: () => ['replace'],
  batch: () => 50_000,
  concurrency: 1,
  dataset: fileDataset,
  obstacle({ format, resource = '' }) {
    if (format !== undefined || formatOfName(resource) !== undefined) return undefined
    return {
      message: `the name "${resource}" does not say how the file is written`,
      hint: `Add format: ${fileFormats.join(', ')}, or end the name in .csv, .ndjson or .parquet.`,
    }
  },
}

/** Returns the format that the ending of a file's name says. */
export function formatOfName(name: string): (typeof fileFormats)[number] | undefined {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase()
  if (ending === 'jsonl') return 'ndjson'
  return fileFormats.find(format => format === ending)
}
