/** Odd text files with the rows that are in them, written by hand. */
import { ab, text } from './hand-case.ts'
import { lineCases } from './hand-lines.ts'
import type { TextCase } from './text-case.ts'

const headers: readonly TextCase[] = [
  text('years below names', '"Country Name","Country Code","2020","2021"\n"Aruba","ABW","1.5","2"\n', {
    columns: ['country_name', 'country_code', '_2020', '_2021'],
    rows: [['Aruba', 'ABW', '1.5', '2']],
  }),
  text('months', 'store,1,2,3,4,5,6,7,8,9,10,11,12\nx,1,1,1,1,1,1,1,1,1,1,1,1\n', {
    rows: [['x', ...Array.from({ length: 12 }, () => '1')]],
  }),
  text('a fraction as a name', 'a,0.5\nx,1.5\ny,2.5\n', {
    rows: [
      ['x', '1.5'],
      ['y', '2.5'],
    ],
    warnings: ['guessed-header'],
  }),
  text('a boolean as a name', 'name,true\nx,false\n', {
    rows: [['x', 'false']],
    warnings: ['guessed-header'],
  }),
  text('a boolean above numbers', 'name,true\nx,5\n', { rows: [['x', '5']] }),
  text('a header alone', 'a,b\n', { columns: ab, rows: [] }),
  text('a header without a line end', 'a,b', { columns: ab, rows: [] }),
  text('numbers alone', '1,2\n3,4\n', {
    columns: ['column0', 'column1'],
    rows: [
      ['1', '2'],
      ['3', '4'],
    ],
    warnings: ['guessed-header'],
  }),
  text('dates and numbers alone', '2024-01-01,5\n2024-01-02,6\n', {
    rows: [
      ['2024-01-01', '5'],
      ['2024-01-02', '6'],
    ],
    warnings: ['guessed-header'],
  }),
  text('no header, as the user says', 'x,1\ny,2\n', {
    options: 'header: false',
    rows: [
      ['x', '1'],
      ['y', '2'],
    ],
  }),
  text('a header of numbers, as the user says', '1,2\n3,4\n', {
    options: 'header: true',
    columns: ['_1', '_2'],
    rows: [['3', '4']],
  }),
  text('names of the user', 'x,1\ny,2\n', {
    options: 'columns: [a, b]',
    columns: ab,
    rows: [
      ['x', '1'],
      ['y', '2'],
    ],
  }),
  text('names of the user above texts', 'x,y\nz,w\n', {
    options: 'columns: [a, b]',
    columns: ab,
    rows: [
      ['x', 'y'],
      ['z', 'w'],
    ],
  }),
  text('names of the user in place of a header', 'k,n\nx,1\ny,2\n', {
    options: 'columns: [a, b], header: true',
    columns: ab,
    rows: [
      ['x', '1'],
      ['y', '2'],
    ],
  }),
  text('more names than columns', 'x,1\n', {
    options: 'columns: [a, b, c]',
    error: /names 3 columns.* has 2/,
  }),
  text('an index without a name', ',name,n\n0,x,1\n1,y,2\n', {
    columns: ['column0', 'name', 'n'],
    rows: [
      ['0', 'x', '1'],
      ['1', 'y', '2'],
    ],
  }),
  text('spaces around names', ' a , b \n1,2\n', { columns: ab, rows: [['1', '2']] }),
  text('a name over two lines', '"a\nb",c\n1,2\n', { columns: ['a_b', 'c'], rows: [['1', '2']] }),
  text('names with quotes in them', '"a ""x""",b\n1,2\n', { rows: [['1', '2']] }),
  text('people without a header', 'ann,30\nbob,40\n', {
    columns: ['ann', '_30'],
    rows: [['bob', '40']],
    warnings: ['guessed-header'],
  }),
  text('an address in the first line', '1,bob@example.com\n2,ann@example.com\n', {
    rows: [
      ['1', 'bob@example.com'],
      ['2', 'ann@example.com'],
    ],
    warnings: ['guessed-header'],
  }),
]

const names: readonly TextCase[] = [
  text('a name twice', 'name,name\n1,2\n', { columns: ['name', 'name_1'], rows: [['1', '2']] }),
  text('a name three times', 'n,x,n,n\n1,2,3,4\n', {
    columns: ['n', 'x', 'n_1', 'n_2'],
    rows: [['1', '2', '3', '4']],
  }),
  text('a name twice and its number', 'name,name,name_1\n1,2,3\n', {
    error: /"name" \(column 2, called "name_1"\) and "name_1" \(column 3\) are one column/,
  }),
  text('names that differ in their letters', 'Id,ID,id\n1,2,3\n', {
    error: /"Id" \(column 1\) and "ID" \(column 2\)/,
  }),
  text('names that meet in the warehouse', 'User Id,user_id\n1,2\n', { error: /"User Id" and "user_id"/ }),
  text('names that meet, named by the user', 'Id,ID\n1,2\n', {
    options: 'columns: [a, b], header: true',
    columns: ab,
    rows: [['1', '2']],
  }),
  text('several columns without names', 'a,,\n1,2,3\n', {
    columns: ['a', 'column1', 'column2'],
    rows: [['1', '2', '3']],
  }),
]

const onceSkipped = { warnings: ['skipped-lines'] }

const above: readonly TextCase[] = [
  text(
    'World Bank',
    '\ufeff"Data Source","World Development Indicators",\r\n\r\n"Last Updated Date","2024-06-28",\r\n\r\n"Country Name","Country Code","1960","1961",\r\n"Aruba","ABW","","54608",\r\n"Yemen, Rep.","YEM","5542459","5646668",\r\n',
    {
      columns: ['country_name', 'country_code', '_1960', '_1961', 'column4'],
      rows: [
        ['Aruba', 'ABW', '', '54608', ''],
        ['Yemen, Rep.', 'YEM', '5542459', '5646668', ''],
      ],
      ...onceSkipped,
    },
  ),
  text('Eurostat', 'freq,unit,geo\\TIME_PERIOD\t2020 \t2021 \nA,PC,AT\t1.5 \t2.5 p\nA,PC,BE\t: \t3 \n', {
    rows: [
      ['A,PC,AT', '1.5 ', '2.5 p'],
      ['A,PC,BE', ': ', '3 '],
    ],
  }),
  text('a title and an empty line', 'Sales of May\n\nsku,n\ntea,1\nrum,2\n', {
    columns: ['sku', 'n'],
    rows: [
      ['tea', '1'],
      ['rum', '2'],
    ],
    ...onceSkipped,
  }),
  text('a title and numbers below', 'Sales of May\nsku,shop,n\ntea,x,1\nrum,y,2\n', {
    columns: ['sku', 'shop', 'n'],
    rows: [
      ['tea', 'x', '1'],
      ['rum', 'y', '2'],
    ],
    ...onceSkipped,
  }),
  text('a block of comments', '# made by hand\n# on Monday\ncode,name\n#ff0000,red\n#00ff00,green\n', {
    columns: ['code', 'name'],
    rows: [
      ['#ff0000', 'red'],
      ['#00ff00', 'green'],
    ],
    ...onceSkipped,
  }),
  text('a comment that the user names', '# made by hand\ncode,name\n1,red\n# later\n2,green\n', {
    options: 'comment: "#"',
    columns: ['code', 'name'],
    rows: [
      ['1', 'red'],
      ['2', 'green'],
    ],
  }),
  text('the sign of comments in a value', 'a,b\n1,x # y\n#2,z\n', {
    options: 'comment: "#"',
    columns: ab,
    rows: [['1', 'x # y']],
  }),
  text('a header with a sign before it', '#chrom\tpos\nchr1\t5\n', {
    rows: [['chr1', '5']],
    warnings: ['guessed-header'],
  }),
  text('a header, or a comment above values', '# c1\n1\n2\n', {
    rows: [['1'], ['2']],
    warnings: ['guessed-header'],
  }),
  text('a header with a sign before it, as the user says', '# c1\n1\n', {
    options: 'header: true',
    rows: [['1']],
  }),
  text('a comment above values, as the user says', '# c1\n1\n2\n', {
    options: 'header: false, comment: "#"',
    rows: [['1'], ['2']],
  }),
  text('a sign as the name of a column', '#,name\n1,a\n', { rows: [['1', 'a']] }),
  text('lines that the user skips', 'x\ny,z\na,b\n1,2\n', {
    options: 'skip: 2',
    columns: ab,
    rows: [['1', '2']],
  }),
  text('empty lines above the header', '\n\na,b\n1,2\n', { columns: ab, rows: [['1', '2']] }),
  text('a quote over lines above the header', '"notes\nof two lines"\n\na,b,c\nx,1,2\ny,3,4\n', {
    columns: ['a', 'b', 'c'],
    rows: [
      ['x', '1', '2'],
      ['y', '3', '4'],
    ],
    ...onceSkipped,
  }),
  text('rows that begin with a sign among numbers', `n,m\n${'1,2\n'.repeat(50)}#3,4\n${'5,6\n'.repeat(50)}`, {
    rows: [
      ...Array.from({ length: 50 }, () => ['1', '2']),
      ['', '4'],
      ...Array.from({ length: 50 }, () => ['5', '6']),
    ],
    rejects: [51],
  }),
  text('Excel says its delimiter', 'sep=;\r\na;b\r\n1,5;2\r\n', {
    options: 'decimal: ","',
    columns: ab,
    rows: [['1.5', '2']],
  }),
  text('Excel says it in quotes', '"sep=|"\na|b\n1|2\n', { columns: ab, rows: [['1', '2']] }),
  text('Excel says a tab', 'SEP=\t\na\tb\n1\t2\n', { columns: ab, rows: [['1', '2']] }),
]

const columnsOfText: readonly TextCase[] = [',', ';', '|', '\t'].flatMap(mark => [
  text(`a column of text with ${JSON.stringify(mark)}`, `text\nhello${mark} world\nfoo${mark} bar\n`, {
    columns: ['text'],
    rows: [[`hello${mark} world`], [`foo${mark} bar`]],
  }),
  text(
    `a column of text, whose late lines have ${JSON.stringify(mark)}`,
    `text\n${'plain words\n'.repeat(1000)}${`a${mark}b\n`.repeat(50)}`,
    {
      columns: ['text'],
      rows: [
        ...Array.from({ length: 1000 }, () => ['plain words']),
        ...Array.from({ length: 50 }, () => [`a${mark}b`]),
      ],
    },
  ),
])

const single: readonly TextCase[] = [
  text('one column of numbers', 'n\n1\n2\n', { columns: ['n'], rows: [['1'], ['2']] }),
  text('one column with empty lines', 'n\n1\n\n2\n\n\n', { columns: ['n'], rows: [['1'], [''], ['2']] }),
  text('one column in quotes', '"t"\n"a, b"\n"c ""d"""\n', { columns: ['t'], rows: [['a, b'], ['c "d"']] }),
  text('one column below a comment', '# colours\n#ff0000\n#00ff00\n', {
    rows: [['#ff0000'], ['#00ff00']],
    warnings: ['guessed-header'],
  }),
  text('a sentence as a name', 'last, first\nann\nbob\n', { rows: [['ann'], ['bob']] }),
]

export const handCases: readonly TextCase[] = [
  ...headers,
  ...names,
  ...above,
  ...columnsOfText,
  ...single,
  ...lineCases,
]
