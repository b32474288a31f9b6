/** Hints about files that are loaded. */
import { renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fromFiles, orders } from '../../support/hints/projects.ts'
import type { ErrorTable, Scenario, Stage, WarningTable } from '../../support/hints/stage.ts'

const one = [{ id: 1 }]
const two = [{ id: 1 }, { id: 2 }]
const ids = 'SELECT id FROM {{ source }}'
const added = 'only_new: true, write: append'
const merged = 'only_new: true, write: merge, primary_key: id'

/** A project with one file, and an asset that reads it. */
const csv = (text: string | Uint8Array, ingest = '', sql?: string, more?: string) => ({
  [orders]: fromFiles(ingest, sql, more),
  'data/a.csv': text,
})
const json = (text: string, ingest = '', more = '') => ({
  [orders]: fromFiles(`resource: "*.json"${ingest}`, 'SELECT * FROM {{ source }}', more),
  'data/a.json': text,
})
const withOptions = (options: string) => (p: Stage) =>
  p.edit(orders, '"*.csv"', `"*.csv", options: {${options}}`)
const withContract = (contract: string) => (p: Stage) =>
  p.edit(orders, 'transform:', `contract: {${contract}}\ntransform:`)
const rewrite =
  (text: string, path = 'data/a.csv') =>
  (p: Stage) =>
    p.write(path, text)
const loadedOnce = (p: Stage) => p.works('run')

const unreadable: readonly Scenario[] = [
  {
    hint: 'Say how it is written with ingest.options.encoding: windows-1252 for Excel in Western Europe and America',
    files: csv(Buffer.from('id,name\n1,Zürich\n', 'latin1')),
    follow: withOptions('encoding: windows-1252'),
    rows: { orders: [{ id: 1, name: 'Zürich' }] },
  },
  {
    hint: 'Repair the lines, or keep them in svc_rejects with contract: {evolution: {types: discard_row}}. options: {null_padding: true} fills lines that end early.',
    files: csv('id,v\n1,a\n2\n'),
    follow: withOptions('null_padding: true'),
    rows: {
      orders: [
        { id: 1, v: 'a' },
        { id: 2, v: null },
      ],
    },
  },
  {
    hint: 'keep them in svc_rejects with contract: {evolution: {types: discard_row}}',
    files: csv('id,v\n1,a\n2\n'),
    follow: async p => {
      withContract('evolution: {types: discard_row}')(p)
      await p.works('run')
    },
    works: 'rejects',
    shows: 'line 3 is no record',
    rows: { orders: [{ id: 1, v: 'a' }] },
  },
  {
    hint: 'Close the quote, or say how values are quoted with ingest.options.quote.',
    files: csv('id,v\n1,"a\n2,b\n'),
    follow: rewrite('id,v\n1,"a"\n2,b\n'),
    rows: {
      orders: [
        { id: 1, v: 'a' },
        { id: 2, v: 'b' },
      ],
    },
  },
  {
    hint: 'Raise ingest.limits.record if that is right; a quote that is not closed makes one record of many lines.',
    files: csv(`id,v\n1,"${'x'.repeat(2000)}"\n`, 'limits: {record: 1KB}', ids),
    follow: p => p.edit(orders, '1KB', '1MB'),
    rows: { orders: one },
  },
  {
    hint: 'Name the columns in ingest.options.columns, all of them and in their order, or change the header.',
    files: csv('Id,ID\n1,2\n', '', 'SELECT id, other FROM {{ source }}'),
    follow: withOptions('columns: [id, other], header: true'),
    rows: { orders: [{ id: 1, other: 2 }] },
  },
  {
    hint: 'Name as many columns as there are, or write null_padding: true for lines that end early.',
    files: csv('1\n2\n', 'options: {columns: [id, v], header: false}', ids),
    follow: p => p.edit(orders, '[id, v]', '[id]'),
    rows: { orders: two },
  },
  {
    hint: 'Unpack it, or pack it with gzip and give it a name that ends in .gz.',
    files: csv(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 4, 20, 0, 0, 0, 8, 0, 1, 2, 3, 4]), '', ids),
    follow: rewrite('id\n1\n'),
    rows: { orders: one },
  },
  {
    hint: 'Say where the records are with options: {records: path.to.the.list}.',
    files: json('{"a": {"b": [{"id": 1}]}}', ', options: {records: a.c}'),
    follow: p => p.edit(orders, 'a.c', 'a.b'),
    rows: { orders: one },
  },
  {
    hint: 'Write a narrower pattern, or raise the limit in ingest.limits.',
    files: {
      [orders]: fromFiles('limits: {files: 1}', ids),
      'data/a.csv': 'id\n1\n',
      'data/b.csv': 'id\n2\n',
    },
    follow: p => p.edit(orders, 'files: 1', 'files: 2'),
    rows: { orders: two },
  },
]

export const errors: ErrorTable = {
  'source-empty-glob': [
    {
      hint: 'Check ingest.resource; * stands for part of a name, ** for any folders.',
      files: { [orders]: fromFiles('', ids), 'data/2026/a.csv': 'id\n1\n' },
      follow: p => p.edit(orders, '*.csv', '**/*.csv'),
      rows: { orders: one },
    },
    {
      hint: "ingest.endpoint is a folder, looked for from the project's root.",
      files: { [orders]: fromFiles('endpoint: ../data', ids), 'data/a.csv': 'id\n1\n' },
      follow: p => p.edit(orders, '../data', 'data'),
      rows: { orders: one },
    },
  ],
  'source-unreadable': unreadable,
  'source-empty': [
    {
      hint: 'If no records are right, write contract: {allow_empty: true}.',
      files: csv('id\n1\n', '', ids),
      before: async p => {
        await p.works('run')
        p.write('data/a.csv', 'id\n')
      },
      follow: withContract('allow_empty: true'),
      rows: { orders: [] },
    },
  ],
  'layout-changed': [
    {
      hint: 'If it is right, say so with ingest.options, or take the layouts of "orders" out of schemas.lock.json.',
      files: csv('id,v\n1,a\n', '', ids, 'contract: {columns: {id: bigint}}\n'),
      before: async p => {
        await p.works('run')
        p.write('data/a.csv', 'id;v\n1;a\n2;b\n')
      },
      follow: withOptions('delimiter: ";"'),
      rows: { orders: two },
    },
    {
      hint: 'take the layouts of "orders" out of schemas.lock.json.',
      files: csv('id,v\n1,a\n', '', ids, 'contract: {columns: {id: bigint}}\n'),
      before: async p => {
        await p.works('run')
        p.write('data/a.csv', 'id;v\n1;a\n2;b\n')
      },
      follow: p => {
        const lock = JSON.parse(p.read('schemas.lock.json'))
        delete lock.layouts.orders
        p.write('schemas.lock.json', JSON.stringify(lock))
      },
      rows: { orders: two },
    },
  ],
  'file-changed': [
    {
      hint: 'Deliver what changes in a new file, or use write: merge; svc run orders --full-refresh reads all files again.',
      files: csv('id\n1\n', added, ids),
      before: async p => {
        await p.works('run')
        p.write('data/a.csv', 'id\n1\n2\n')
      },
      follow: p => p.works('run orders --full-refresh'),
      rows: { orders: two },
    },
    {
      hint: 'Deliver what changes in a new file',
      files: csv('id\n1\n', added, ids),
      before: async p => {
        await p.works('run')
        p.write('data/a.csv', 'id\n1\n2\n')
      },
      follow: p => {
        p.write('data/a.csv', 'id\n1\n')
        p.write('data/b.csv', 'id\n2\n')
      },
      rows: { orders: two },
    },
  ],
  'type-changed': [
    {
      hint: 'If the source is right, say so: contract: {columns: {v: varchar}}, or contract: {evolution: evolve} for all columns.',
      files: csv('id,v\n1,1\n2,2\n'),
      before: async p => {
        await p.works('run')
        p.write('data/a.csv', 'id,v\n1,many\n2,few\n')
      },
      follow: withContract('columns: {v: varchar}'),
      rows: {
        orders: [
          { id: 1, v: 'many' },
          { id: 2, v: 'few' },
        ],
      },
    },
    {
      hint: 'contract: {evolution: evolve} for all columns.',
      files: csv('id,v\n1,1\n'),
      before: async p => {
        await p.works('run')
        p.write('data/a.csv', 'id,v\n1,many\n')
      },
      follow: withContract('evolution: evolve'),
      rows: { orders: [{ id: 1, v: 'many' }] },
    },
  ],
}

const layout: WarningTable = {
  'empty-lines': [
    {
      hint: 'A value with a line end in it must stand in quotes; take other empty lines out of the file.',
      files: csv('id,v\n1,a\n\n2,b\n', '', ids),
      follow: rewrite('id,v\n1,a\n2,b\n'),
      rows: { orders: two },
    },
  ],
  'skipped-lines': [
    {
      hint: 'Say how many lines to skip with ingest.options.skip: 0 if they are records.',
      files: csv('Report of Monday\n\nid,v\n1,a\n2,b\n', '', ids),
      follow: withOptions('skip: 2'),
      rows: { orders: two },
    },
  ],
  'guessed-header': [
    {
      hint: 'Say it with ingest.options.header: true, or false; of a comment, with ingest.options.comment too.',
      files: csv('1,a\n2,b\n', '', 'SELECT _1 AS id FROM {{ source }}'),
      follow: p => {
        withOptions('header: false')(p)
        p.edit(orders, '_1', 'column0')
      },
      rows: { orders: two },
    },
    {
      hint: 'Name the columns with ingest.options.columns, or say ingest.options.header: true.',
      files: csv('1,5\n2,6\n'),
      follow: withOptions('columns: [id, v]'),
      rows: {
        orders: [
          { id: 1, v: 5 },
          { id: 2, v: 6 },
        ],
      },
    },
  ],
  'repeated-header': [
    {
      hint: 'Take such lines out of the file. contract: {evolution: {types: discard_row}} rejects them where a column is not text.',
      files: csv('id,v\n1,a\nid,v\n2,b\n', '', ids),
      follow: rewrite('id,v\n1,a\n2,b\n'),
      rows: { orders: two },
    },
  ],
  'layout-changed': [
    {
      hint: 'If it is right, commit schemas.lock.json: the promotion adds this layout.',
      files: csv('id,v\n1,a\n', '', ids),
      before: async p => {
        await p.works('run')
        p.write('data/a.csv', 'id;v\n1;a\n2;b\n')
      },
      follow: () => undefined,
      rows: { orders: two },
    },
    {
      hint: 'Otherwise say how the files are written with ingest.options.',
      files: csv('id,v\n1,a\n', '', ids),
      before: async p => {
        await p.works('run')
        p.write('data/a.csv', 'id;v\n1;a\n2;b\n')
      },
      follow: withOptions('delimiter: ";"'),
      rows: { orders: two },
    },
  ],
}

const found: WarningTable = {
  'empty-files': [
    {
      hint: 'A delivery that was cut off looks so: get it again, or remove the file.',
      files: { ...csv('id\n1\n', '', ids), 'data/b.csv': '' },
      follow: rewrite('id\n2\n', 'data/b.csv'),
      rows: { orders: two },
    },
  ],
  'unreachable-link': [
    {
      hint: 'Put the file back that it leads to, or remove the link.',
      files: csv('id\n1\n', '', ids),
      before: p => symlinkSync(join(p.root, 'elsewhere.csv'), join(p.root, 'data/b.csv')),
      follow: rewrite('id\n2\n', 'elsewhere.csv'),
      rows: { orders: two },
    },
  ],
  'changed-files': [
    {
      hint: 'The records replace those with the same key; records that are no longer there stay.',
      files: csv('id,v\n1,a\n2,b\n', merged, 'SELECT * FROM {{ source }} ORDER BY id'),
      before: async p => {
        await p.works('run')
        p.write('data/a.csv', 'id,v\n1,z\n')
      },
      follow: () => undefined,
      rows: {
        orders: [
          { id: 1, v: 'z' },
          { id: 2, v: 'b' },
        ],
      },
    },
  ],
  'renamed-files': [
    {
      hint: 'If it is a delivery of its own with the very same bytes, add it once more under another name: beside this file, that is loaded.',
      files: csv('id\n1\n', added, ids),
      before: async p => {
        await p.works('run')
        renameSync(join(p.root, 'data/a.csv'), join(p.root, 'data/b.csv'))
      },
      follow: p => {
        p.write('data/c.csv', 'id\n1\n')
      },
      rows: { orders: [...one, ...one] },
    },
  ],
  'unmatched-pattern': [
    {
      hint: 'Write the name as the source or the table spells it, or take it out.',
      files: csv('Order Id,v\n1,a\n', 'exclude: [vv]', 'SELECT * FROM {{ source }}'),
      before: loadedOnce,
      follow: p => p.edit(orders, '[vv]', '[v]'),
      rows: { orders: [{ order_id: 1 }] },
    },
  ],
  'absent-column': [
    {
      hint: 'If it has another name there, write it as from in contract.columns; if it must be there, name it in contract.required_columns.',
      files: csv(
        'id,Amount EUR\n1,5\n',
        '',
        'SELECT id, amount FROM {{ source }}',
        'contract: {columns: {amount: {type: bigint}}}\n',
      ),
      follow: p => p.edit(orders, 'type: bigint', 'type: bigint, from: Amount EUR'),
      rows: { orders: [{ id: 1, amount: 5 }] },
    },
  ],
}

const values: WarningTable = {
  'equal-records': [
    {
      hint: 'They are equal in every column. If each of them counts, primary_key is not what makes a record one.',
      files: csv('id\n1\n1\n', 'primary_key: id', ids),
      follow: p => p.edit(orders, ', primary_key: id', ''),
      rows: { orders: [...one, ...one] },
    },
  ],
  'null-records': [
    {
      hint: 'Name a column that a record must have in contract.required_columns, and say with contract.max_rejects how many may be rejected for it: 1%, for example.',
      files: json('[{"id": 1}, null]'),
      follow: withContract('required_columns: [id], max_rejects: 50%'),
      rows: { orders: one },
    },
  ],
  'rounded-numbers': [
    {
      hint: 'Promise a type that holds them in contract.columns: decimal(38,10), or varchar for any number of digits.',
      files: json('[{"v": 0.12345678901234567890123}, {"v": 1e300}]'),
      follow: withContract('columns: {v: varchar}'),
      rows: { orders: [{ v: '0.12345678901234567890123' }, { v: '1e+300' }] },
    },
  ],
  'numbers-as-text': [
    {
      hint: 'Promise a type that holds them in contract.columns: decimal(38,10), or varchar for any number of digits.',
      files: json('[{"v": 0.5}, {"v": 1e400}]'),
      follow: withContract('columns: {v: varchar}'),
    },
  ],
  'replaced-characters': [
    {
      hint: 'The source cuts texts between the halves of a character; what was there cannot be known.',
      files: json('[{"v": "a\\ud83d"}]'),
      follow: rewrite('[{"v": "a\\ud83d\\ude00"}]', 'data/a.json'),
      rows: { orders: [{ v: 'a😀' }] },
    },
  ],
}

export const warnings: WarningTable = { ...layout, ...found, ...values }
