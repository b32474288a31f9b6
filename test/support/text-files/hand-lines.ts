/** Odd lines, quotes and encodings of text files, with the rows that are in them, written by hand. */
import { gzipSync } from 'node:zlib'
import { ab, type Expected, text } from './hand-case.ts'
import { encoded, type TextCase } from './text-case.ts'

const lines: readonly TextCase[] = [
  text('both kinds of line end', 'a,b\r\n1,2\n3,4\r\n5,6\n', {
    rows: [
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ],
  }),
  text('both the other way', 'a,b\n1,2\r\n3,4\n', {
    rows: [
      ['1', '2'],
      ['3', '4'],
    ],
  }),
  text('a carriage return in a value', 'a,b\n1,x\ry\n', { rows: [['1', 'x\ry']] }),
  text('a carriage return between quotes', 'a,b\r\n1,"x\ry"\r\n', { rows: [['1', 'x\ry']] }),
  text('line feeds between quotes', 'a,b\r\n1,"x\ny"\r\n2,"z\r\nw"\r\n', {
    rows: [
      ['1', 'x\ny'],
      ['2', 'z\r\nw'],
    ],
  }),
  text('only carriage returns', 'a,b\r1,2\r3,4\r', {
    rows: [
      ['1', '2'],
      ['3', '4'],
    ],
  }),
  text('no end of the last line', 'a,b\n1,2', { rows: [['1', '2']] }),
  text('empty lines at the end', 'a,b\n1,2\n\n\n', { rows: [['1', '2']] }),
  text('empty lines between records', 'a,b\n1,2\n\n\n3,4\n', {
    rows: [
      ['1', '2'],
      ['3', '4'],
    ],
    warnings: ['empty-lines'],
  }),
  text('a line of delimiters', 'a,b\n,\n1,2\n', {
    rows: [
      ['', ''],
      ['1', '2'],
    ],
  }),
  text('a line of spaces', 'a,b\n  \n1,2\n', { error: /line 2: 1 value, where the header has 2/ }),
  text('too many values', 'a,b\n1,2\n1,2,3\n', { error: /line 3: 3 values, where the header has 2/ }),
  text('too few values', 'a,b,c\n1,2,3\n4\n', { error: /line 3: 1 value, where the header has 3/ }),
  text('a line with more values than all above', `a,b\n${'1,2\n'.repeat(2000)}3,4,5\n`, {
    error: /line 2002: 3 values/,
  }),
  text('a total at the end', 'a,b\n1,2\nTotal: 1 row\n', { error: /line 3: 1 value/ }),
  text('lines that end early, which the user allows', 'a,b,c\n1,2,3\n4\n"5\n6",7\n', {
    options: 'null_padding: true',
    rows: [
      ['1', '2', '3'],
      ['4', '', ''],
      ['5\n6', '7', ''],
    ],
  }),
  text('bad lines that the contract discards', 'a,b\n1,2\n1,2,3\n4\n"x"y,5\n6,7\n', {
    contract: '{evolution: {types: discard_row}}',
    rows: [
      ['1', '2'],
      ['6', '7'],
    ],
    rejects: [3, 4, 5],
  }),
  text('a header again', 'a,b\nx,y\na,b\nz,w\n', {
    rows: [
      ['x', 'y'],
      ['a', 'b'],
      ['z', 'w'],
    ],
    warnings: ['repeated-header'],
  }),
  text('a header again in quotes', 'a,b\nx,y\n"a","b"\n', {
    rows: [
      ['x', 'y'],
      ['a', 'b'],
    ],
    warnings: ['repeated-header'],
  }),
  text('a long line', `a,b\n1,x\n2,${'y'.repeat(3_000_000)}\n3,z\n`, {
    rows: [
      ['1', 'x'],
      ['2', 'y'.repeat(3_000_000)],
      ['3', 'z'],
    ],
  }),
  text('nothing', '', { error: /is empty/ }),
  text('a mark of UTF-8 alone', '\ufeff', { error: /is empty/ }),
]

const quotes: readonly TextCase[] = [
  text('quotes inside', 'a,b\n5" pipe,x\n', { rows: [['5" pipe', 'x']] }),
  text('doubled quotes', 'a,b\n"say ""hi""",x\n', { rows: [['say "hi"', 'x']] }),
  text('backslashes before quotes', 'a,b\n"say \\"hi\\"",x\n"y, z",w\n', {
    rows: [
      ['say "hi"', 'x'],
      ['y, z', 'w'],
    ],
  }),
  text('backslashes before letters', 'a,b\n"c:\\\\new",x\n"\\"q\\"",C:\\dir\n', {
    options: 'escape: "\\\\"',
    rows: [
      ['c:\\new', 'x'],
      ['"q"', 'C:\\dir'],
    ],
  }),
  text('a backslash that escapes nothing', 'a,b\n"x\\ny \\"q\\"",z\n', { rows: [['x\\ny "q"', 'z']] }),
  text('single quotes', "'a','b'\n'x, y','it''s'\n", { columns: ab, rows: [['x, y', "it's"]] }),
  text('single quotes around values alone', "a,b\n1,'x, y'\n2,'z, w'\n", {
    rows: [
      ['1', 'x, y'],
      ['2', 'z, w'],
    ],
  }),
  text('apostrophes', "a,b\n'tis,rock 'n' roll\nit's,x\n", {
    rows: [
      ["'tis", "rock 'n' roll"],
      ["it's", 'x'],
    ],
  }),
  text('no quotes, as the user says', 'a,b\n"x,"y\n', { options: 'quote: ""', rows: [['"x', '"y']] }),
  text('spaces around quotes', 'a,b\n "x" , "y, z"\n', { rows: [['x', 'y, z']] }),
  text('spaces around values', 'a,b\n x , y \n', { rows: [[' x ', ' y ']] }),
  text('an open quote', 'a,b\n1,"x\n2,y\n3,z\n', { error: /line 2: a quote is not closed/ }),
  text('text behind a quote', 'a,b\n"x"y,1\n', { error: /line 2: a quote is in the wrong place/ }),
  text('empty quotes', 'a,b\n"",x\n', { rows: [['', 'x']] }),
  text('words for NULL', 'a,b\nNULL,1\nNA,2\n', {
    options: 'null_string: ["NULL", NA]',
    rows: [
      ['', '1'],
      ['', '2'],
    ],
  }),
  text('NULL without a word', 'a,b\nNULL,1\nx,2\n', {
    rows: [
      ['NULL', '1'],
      ['x', '2'],
    ],
  }),
  text('PostgreSQL', 'id\tname\n1\t\\N\n2\tx\n', {
    options: 'null_string: "\\\\N"',
    rows: [
      ['1', ''],
      ['2', 'x'],
    ],
  }),
  text('two signs as a delimiter', 'a||b\n1||x|y\n', {
    options: 'delimiter: "||"',
    columns: ab,
    rows: [['1', 'x|y']],
  }),
  text('a tilde as a delimiter', 'a~b\n1~x\n', {
    options: 'delimiter: "~"',
    columns: ab,
    rows: [['1', 'x']],
  }),
  text('commas of decimals', 'a;b\n1,5;x\n2,5;y\n', {
    rows: [
      ['1,5', 'x'],
      ['2,5', 'y'],
    ],
  }),
  text('a tab between sentences', 'a\tb\nx, y\tz, w\nu, v\tt, s\n', {
    columns: ab,
    rows: [
      ['x, y', 'z, w'],
      ['u, v', 't, s'],
    ],
  }),
]

const bytes = (name: string, content: Buffer, expected: Expected): TextCase => ({
  name,
  bytes: content,
  warnings: [],
  ...expected,
})

const encodings: readonly TextCase[] = [
  bytes('Windows-1252, unsaid', encoded('a,b\n1,5 €\n', 'windows-1252'), {
    error: /line 2: .*byte 80, which is "€" in windows-1252/,
  }),
  bytes('ISO 8859-1, unsaid', encoded('a,b\n1,café\n', 'latin-1'), {
    error: /line 2: .*byte E9, which is "é"/,
  }),
  bytes('Windows-1252, said to be latin-1', encoded('a,b\n1,5 €\n', 'windows-1252'), {
    options: 'encoding: latin-1',
    error: /line 2: byte 80 is no character of latin-1/,
  }),
  bytes('UTF-16 without a mark', Buffer.from('name,n\nann,1\n', 'utf16le'), {
    columns: ['name', 'n'],
    rows: [['ann', '1']],
  }),
  bytes('UTF-16, said', encoded('a,b\n1,ß\n', 'utf-16be'), {
    options: 'encoding: utf-16',
    rows: [['1', 'ß']],
  }),
  bytes(
    'a late byte that is not UTF-8',
    Buffer.concat([Buffer.from(`a,b\n${'1,x\n'.repeat(400_000)}`), Buffer.from([50, 44, 0xfc, 10])]),
    {
      error: /line 400002: the text is not UTF-8/,
    },
  ),
  bytes('Cyrillic', Buffer.from([...Buffer.from('a,b\n1,'), 0xc4, 0xe0, 10]), {
    options: 'encoding: cp1251',
    rows: [['1', 'Да']],
  }),
  bytes('Japanese', Buffer.from([...Buffer.from('a,b\n1,'), 0x93, 0xfa, 0x96, 0x7b, 10]), {
    options: 'encoding: shift_jis',
    rows: [['1', '日本']],
  }),
  text('two marks', '\ufeff\ufeffa,b\n1,2\n', { rows: [['1', '2']] }),
  text('a mark before a quote', '\ufeff"a","b"\n"1","2"\n', { columns: ab, rows: [['1', '2']] }),
  bytes('packed', gzipSync('a,b\r\n1,"x\ny"\r\n'), { file: 'data.csv.gz', rows: [['1', 'x\ny']] }),
  bytes('packed in two parts', Buffer.concat([gzipSync('a,b\n1,2\n'), gzipSync('3,4\n')]), {
    file: 'data.csv.gz',
    rows: [
      ['1', '2'],
      ['3', '4'],
    ],
  }),
  bytes('packed UTF-16 of Excel', gzipSync(encoded('a\tb\r\n1\tß\r\n', 'utf-16le')), {
    file: 'data.txt.gz',
    rows: [['1', 'ß']],
  }),
  bytes('packed and cut off', gzipSync(`a,b\n${'1,2\n'.repeat(9000)}`).subarray(0, 60), {
    file: 'data.csv.gz',
    error: /unexpected end of file|cannot read/,
  }),
]

const jsonLines: readonly TextCase[] = [
  text('a line that is no JSON', '{"a":1}\nx\n{"a":2}\n', { file: 'data.ndjson', error: /record 2/ }),
  text('a last line that is cut off', '{"a":1}\n{"a":', { file: 'data.ndjson', error: /record 2/ }),
  text('no end of the last record', '{"a":1}\n{"a":2}', {
    file: 'data.ndjson',
    columns: ['a'],
    rows: [['1'], ['2']],
  }),
  text('empty lines between records of JSON', '{"a":1}\n\n\r\n{"a":2}\n\n', {
    file: 'data.ndjson',
    columns: ['a'],
    rows: [['1'], ['2']],
  }),
  bytes('JSON lines packed in two parts', Buffer.concat([gzipSync('{"a":1}\n'), gzipSync('{"a":2}\n')]), {
    file: 'data.ndjson.gz',
    columns: ['a'],
    rows: [['1'], ['2']],
  }),
  text('a mark before JSON', '\ufeff{"a":1}\n', { file: 'data.ndjson', columns: ['a'], rows: [['1']] }),
]

export const lineCases: readonly TextCase[] = [...lines, ...quotes, ...encodings, ...jsonLines]
