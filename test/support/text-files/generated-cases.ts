/** Tables as known programs export them, written in every dialect that these programs have. */
import { type TextCase, type Writing, writtenTable } from './text-case.ts'

interface Table {
  readonly name: string
  /** The header first. */
  readonly lines: readonly (readonly string[])[]
  readonly columns: readonly string[]
}

const countries = [
  'Aruba',
  'Åland',
  "Côte d'Ivoire",
  'Yemen, Rep.',
  'São Tomé; Príncipe',
  'Korea "South"',
  'A|B\tC',
]

const worldBank: Table = {
  name: 'World Bank',
  lines: [
    ['Country Name', 'Country Code', '2019', '2020', '2021'],
    ...countries.map((name, index) => [name, `C${index}`, String(index * 10.5), '', String(index)]),
  ],
  columns: ['country_name', 'country_code', '_2019', '_2020', '_2021'],
}

const months: Table = {
  name: 'a column a month',
  lines: [
    ['store', ...Array.from({ length: 12 }, (_, index) => String(index + 1))],
    ...countries.map((name, row) => [name, ...Array.from({ length: 12 }, (_, index) => String(row * index))]),
  ],
  columns: ['store', ...Array.from({ length: 12 }, (_, index) => `_${index + 1}`)],
}

const crm: Table = {
  name: 'an export of a CRM',
  lines: [
    ['Id', 'Account Name', 'Notes', 'Amount', 'Close Date'],
    ['1', 'Müller & Söhne', 'first line\nsecond line', '1.5', '2024-01-31'],
    ['2', '#hash', '# not a comment', '-3', '2024-02-29'],
    ['3', 'x', 'a, b; c | d', '', ''],
    ['4', '', '"quoted" and \'single\'', '0', '2024-12-31'],
  ],
  columns: ['id', 'account_name', 'notes', 'amount', 'close_date'],
}

const texts: Table = {
  name: 'texts alone',
  lines: [
    ['first', 'second'],
    ['alpha', 'beta'],
    ['gamma', 'delta, epsilon'],
    ['#eta', 'theta;iota'],
    ['null', 'true story'],
  ],
  columns: ['first', 'second'],
}

const delimiters = [',', ';', '\t', '|'] as const
const ends = ['\n', '\r\n', '\r'] as const
const encodings: readonly Writing['encoding'][] = [
  'utf-8',
  'utf-8-mark',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'latin-1',
]

/** Every table in every dialect with one encoding, and in every encoding with some dialects. */
export const generatedCases: readonly TextCase[] = [
  ...[worldBank, months, crm, texts].flatMap(table =>
    delimiters.flatMap(delimiter =>
      ends.flatMap(end =>
        (['all', 'needed', 'texts'] as const).map((quoted, index) =>
          caseOf(table, { delimiter, quote: '"', quoted, end, isEnded: index !== 1, encoding: 'utf-8' }),
        ),
      ),
    ),
  ),
  ...[worldBank, months, crm, texts].flatMap(table =>
    encodings.flatMap(encoding =>
      (
        [
          [';', '\r\n'],
          ['\t', '\r\n'],
          [',', '\n'],
        ] as const
      ).map(([delimiter, end]) =>
        caseOf(table, { delimiter, quote: '"', quoted: 'needed', end, isEnded: true, encoding }),
      ),
    ),
  ),
  ...[worldBank, crm].flatMap(table =>
    delimiters.map(delimiter =>
      caseOf(table, { delimiter, quote: "'", quoted: 'all', end: '\n', isEnded: true, encoding: 'utf-8' }),
    ),
  ),
]

function caseOf(table: Table, writing: Writing): TextCase {
  const { delimiter, quoted, end, encoding, quote } = writing
  // A carriage return ends the lines of a classic Mac, whose texts have no line feed either.
  const lines = table.lines.map(line => line.map(text => (end === '\r' ? text.replaceAll('\n', '\r') : text)))
  const isNamed = encoding === 'windows-1252' || encoding === 'latin-1'
  return {
    name: `${table.name}: ${JSON.stringify([delimiter, quote, quoted, end, encoding])}`,
    bytes: writtenTable(lines, writing),
    ...(isNamed && { options: `encoding: ${encoding}` }),
    columns: table.columns,
    rows: lines.slice(1),
    warnings: [],
  }
}
