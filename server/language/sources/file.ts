import { counted } from '../project/counted.ts'
import type { FileIngest } from '../schema/definition.ts'
import { folderFormat, hostFormat } from '../schema/formats.ts'
import {
  any,
  boolean,
  choice,
  formatted,
  type Key,
  keysOf,
  oneOrMore,
  otherWordsFor,
  recordOf,
  text,
} from '../schema/shape.ts'
import { fileOptionRules, formatOf, readFileOptions } from '../source/file-options.ts'
import { addressText, fileText, folderText } from '../source/place-text.ts'
import { placeholder } from '../text/snippet.ts'
import { fileDataset } from './external-dataset.ts'
import { unlessSame } from './history-rules.ts'
import { remoteScheme, s3Key, sftpKey } from './remote-access.ts'
import { sharedIdentity } from './shared-identity.ts'
import { sharedKeysWith } from './shared-keys.ts'
import type { SourceKind } from './source-kind.ts'

const keys: readonly Key[] = [
  ...keysOf({
    endpoint: {
      names: 'file',
      doc: "Folder, relative to the project's root, or an address: https://, s3:// or sftp://.",
      shape: formatted(folderFormat),
      required: true,
    },
    resource: {
      names: 'file',
      doc: 'File name below it; * and ** match many in a folder.',
      shape: text,
      required: true,
    },
    format: {
      doc: "How the files are written; the name's ending says it when absent.",
      shape: choice({
        csv: 'Text with a separator.',
        json: 'One JSON value, or a list.',
        ndjson: 'One JSON value a line.',
        parquet: 'Apache Parquet.',
      }),
    },
    options: {
      keysName: 'option',
      doc: `Options of the reader: ${fileOptionRules.map(({ name }) => name).join(', ')}.`,
      shape: recordOf('option', any),
      default: {},
    },
    only_new: {
      doc: 'Reads the files that no load has, by name, size and change, and joins them with the last load as write says.',
      shape: boolean,
      default: false,
    },
    partitions: {
      doc: 'Whether folders named key=value, such as year=2024/month=05, are columns.',
      default: 'auto',
      shape: choice({
        auto: 'They are, where all files are in folders with the same keys.',
        none: 'Names of folders mean nothing.',
      }),
    },
  }),
  ...sharedKeysWith({
    without: ['pages'],
    why: 'files have no pages',
    isRead: 'files are read whole, and only_new reads each once',
  }),
  ...keysOf({
    allow_hosts: {
      names: 'host',
      doc: 'Further hosts that a redirect may lead to.',
      onlyFor: { key: 'endpoint', pattern: /^https?:/i, what: 'an endpoint https://…' },
      shape: oneOrMore(formatted(hostFormat)),
      default: [],
    },
    s3: s3Key,
    sftp: sftpKey,
  }),
]

export const file: SourceKind<FileIngest> = {
  variant: {
    value: 'file',
    doc: 'CSV, JSON, NDJSON or Parquet files.',
    keys,
    otherWords: otherWordsFor(
      ['path', 'paths', 'file', 'files', 'folder', 'directory', 'location', 'uri', 'url', 'glob', 'pattern'],
      'A file has two keys: endpoint, its folder, and resource, its name or a pattern.',
    ),
  },
  inWords: 'files',
  summary: ({ type, endpoint, resource }) => `${type} ${endpoint} ${resource}`,
  dataset: ({ resource }, endpoint) => fileDataset(resource, endpoint),
  // How the files are reached does not change what they hold, but where they are does.
  identity({ type, endpoint, resource, format, options, onlyNew, partitions, s3, ...others }) {
    const { allowHosts: _allowHosts, sftp: _sftp, ...shared } = others
    const place = s3?.endpoint === undefined ? {} : { service: s3.endpoint }
    const folders = partitions === 'none' ? { partitions } : {}
    const how = { ...place, ...(onlyNew && { onlyNew }), ...folders }
    const files = { endpoint: folderText(endpoint), resource: fileText(resource) }
    // A format that the name says already is the same with and without the key.
    const written = format === formatOf(resource) ? undefined : format
    return counted({ type, ...files, format: written, options, ...how, ...sharedIdentity(shared) })
  },
  history: {
    endpoint: unlessSame('origin', value => addressText(String(value))),
    resource: unlessSame('origin', value => fileText(String(value))),
    format: ({ before, after, later }) =>
      (before ?? formatOf(String(later['resource']))) === (after ?? formatOf(String(later['resource'])))
        ? 'none'
        : 'records',
    options: 'records',
    // All files are read again, and those that are loaded stay known.
    onlyNew: 'records',
    partitions: 'columns',
    allowHosts: 'none',
    s3: 'origin',
    sftp: 'none',
  },
  options({ format, resource }) {
    const known = format ?? formatOf(resource)
    return fileOptionRules.filter(({ formats }) => known === undefined || formats.includes(known))
  },
  textOptions: ingest =>
    (ingest.format ?? formatOf(ingest.resource)) === 'csv' ? readFileOptions(ingest).options : undefined,
  localFiles: ingest => (remoteScheme(ingest.endpoint) === undefined ? ingest : undefined),
  loadsOnlyNew: ({ onlyNew }) => onlyNew,
  skeleton: {
    label: 'file source',
    detail: 'an asset read from CSV, JSON or Parquet files',
    ingest: name => [
      `ingest: {type: file, endpoint: ${placeholder(3, './data')}, resource: ${placeholder(4, `${name}.csv`)}}`,
    ],
  },
}
