/**
 * Files that `npm run test:long` alone runs, though they are no suites of their own in test/long: together they take as long as
 * half of all others. `npm test` has something of each kind elsewhere, which stands beside it.
 */
const inFolder = (folder: string, names: string): readonly string[] =>
  names.split(/\s+/).map(name => `test/${folder}/${name}.test.ts`)

interface LongKind {
  readonly what: string
  /** Of the same kind, in `npm test`. */
  readonly sample: readonly string[]
  readonly files: readonly string[]
}

export const longKinds: readonly LongKind[] = [
  {
    what: 'the whole command with wrong options, damaged files, closed streams, full disks',
    sample: [...inFolder('cli/bad-input', 'wrong-types secrets'), 'test/bad-days/files.test.ts'],
    files: inFolder(
      'cli/bad-input',
      'bad-files bad-servers bad-warehouse damaged-files endless-files flags selectors terminals',
    ),
  },
  {
    what: 'processes that are killed or hang',
    sample: [...inFolder('engine/run', 'crash interrupt'), 'test/catalog/worker-process.test.ts'],
    files: [
      ...inFolder('catalog', 'unit-lost'),
      ...inFolder('cli', 'killed-windows publish/killed-files'),
      ...inFolder('engine/ai/patch', 'killed'),
      ...inFolder(
        'hosted',
        'operation/process questions/bad-processes questions/processes storage/full-disk',
      ),
    ],
  },
  {
    what: 'limits of memory, size and time, with as much as they have to hold',
    sample: [...inFolder('hosted/limits', 'json-guard token-bucket'), 'test/engine/ingest/limits.test.ts'],
    files: [
      ...inFolder('catalog', 'budget large-statements'),
      ...inFolder('cli', 'too-expensive'),
      ...inFolder('engine', 'ingest/memory ingest/file-memory publish/memory'),
      ...inFolder('hosted', 'metadata/large-pack security/limits security/sizes'),
      ...inFolder('lsp', 'mass-change unit-test-timing first-typing'),
    ],
  },
  {
    what: 'any text at any place, and the corpora',
    sample: [
      ...inFolder('language', 'fuzz personal-data-fuzz'),
      ...inFolder('language/features', 'specs editor-specs'),
    ],
    files: [
      ...inFolder('language', 'checks-after-edits'),
      ...inFolder('language/features', 'any-text broken-texts completion-property'),
      ...inFolder('language/sql', 'reader-any-text'),
      ...inFolder('language/corpus', 'completions mistakes tpc/tpc'),
      ...inFolder('lsp', 'fuzz parity'),
    ],
  },
  {
    what: 'each kind of database with each type of column, each right of a role, each way to write an address',
    sample: [
      ...inFolder('engine/run', 'incremental'),
      ...inFolder('cli', 'postgres postgres-deploy own-tests'),
    ],
    files: [
      ...inFolder('engine/run', 'incremental-databases'),
      ...inFolder('cli', 'postgres-address postgres-own-tests postgres-rights'),
    ],
  },
  {
    what: 'what every adapter of a warehouse must do, of one that is none',
    sample: inFolder('engine/warehouse', 'duckdb postgres'),
    files: inFolder('engine/warehouse', 'stub'),
  },
  {
    what: 'pages drawn in a browser, piece by piece; the journeys of test/dashboard are in npm test',
    sample: [...inFolder('webview/app', 'pure store'), ...inFolder('webview/graph', 'drawing layout')],
    files: [...inFolder('webview/app', 'browser views'), ...inFolder('webview/graph', 'moving browser')],
  },
  {
    what: 'the benchmarks themselves, and an editor that has to be installed',
    sample: [...inFolder('bench', 'measure measurement options'), ...inFolder('lsp', 'session')],
    files: [...inFolder('bench', 'flavours peer-flavours same-results'), ...inFolder('lsp', 'neovim')],
  },
]

export const longFiles: readonly string[] = longKinds.flatMap(({ files }) => files)
