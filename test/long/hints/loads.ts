/** Hints about loads: contracts, keys, masks, and rows that were gathered. */
import { fromFiles, fromService, model, orders } from '../../support/hints/projects.ts'
import type { ErrorTable, Scenario, Stage, WarningTable } from '../../support/hints/stage.ts'
import { type RestHandler, sendJson } from '../../support/rest-server.ts'

const one = [{ id: 1 }]
const two = [{ id: 1 }, { id: 2 }]
const ids = 'SELECT id FROM {{ source }}'
const ordered = 'SELECT * FROM {{ source }} ORDER BY id'
const csv = (text: string, ingest = '', sql = ids, more = '') => ({
  [orders]: fromFiles(ingest, sql, more),
  'data/a.csv': text,
})
const edit = (from: string, to: string) => (p: Stage) => p.edit(orders, from, to)
const rewrite =
  (text: string, path = 'data/a.csv') =>
  (p: Stage) =>
    p.write(path, text)
const contract = (text: string) => `contract: {${text}}\n`
const added = 'only_new: true, write: append'
/** A run with one file, and another file or an edit behind it. */
const after = (act: (p: Stage) => unknown) => async (p: Stage) => {
  await p.works('run')
  await act(p)
}

const contracts: readonly Scenario[] = [
  {
    hint: 'The contract says freeze: name what is new in contract.columns or contract.tables, or change contract.evolution.',
    files: csv('id,n\n1,1\n', '', ids, contract('evolution: freeze, columns: {id: bigint, n: bigint}')),
    before: after(rewrite('id,n,v\n1,1,a\n')),
    follow: edit('n: bigint}', 'n: bigint, v: varchar}'),
    rows: { orders: one },
  },
  {
    hint: 'or change contract.evolution.',
    files: csv('id,n\n1,1\n', '', ids, contract('evolution: freeze, columns: {id: bigint, n: bigint}')),
    before: after(rewrite('id,n,v\n1,1,a\n')),
    follow: edit('evolution: freeze', 'evolution: evolve'),
    rows: { orders: one },
  },
  {
    hint: 'Fix the source or the contract, or allow some rejected records with contract.max_rejects; svc rejects shows the record.',
    files: csv('id\n1\nmany\n', '', ids, contract('columns: {id: bigint}, enforce_types: true')),
    follow: edit('enforce_types: true', 'enforce_types: true, max_rejects: 1'),
    rows: { orders: one },
  },
  {
    hint: 'svc rejects shows the record.',
    files: csv('id\n1\nmany\n', '', ids, contract('columns: {id: bigint}, enforce_types: true')),
    follow: nothing,
    works: 'rejects',
    shows: 'many',
  },
  {
    hint: 'It has: nr. Not in the contract: nr. If nr is the new name, write it in the contract, and "nr AS id" in the SQL.',
    files: csv('nr\n1\n', '', ids, contract('columns: {id: bigint}, required_columns: [id]')),
    follow: p => {
      p.edit(
        orders,
        'columns: {id: bigint}, required_columns: [id]',
        'columns: {nr: bigint}, required_columns: [nr]',
      )
      p.edit(orders, 'SELECT id', 'SELECT nr AS id')
    },
    rows: { orders: one },
  },
]

const shapes: readonly Scenario[] = [
  {
    hint: 'Check include and exclude.',
    files: csv('id\n1\n', 'exclude: [id]', 'SELECT 1 AS id FROM {{ source }}'),
    follow: edit('exclude: [id]', 'exclude: []'),
    rows: { orders: one },
  },
  {
    hint: 'Name its columns in contract.columns.',
    files: { [orders]: fromFiles('resource: "*.json"', 'SELECT * FROM {{ source }}'), 'data/a.json': '[]' },
    follow: p =>
      p.edit(orders, 'transform:', `${contract('allow_empty: true, columns: {id: bigint}')}transform:`),
    rows: { orders: [] },
  },
  {
    hint: 'Did you mean "changed"?',
    files: csv('id,changed\n1,2026-01-01\n', 'write: append, incremental: {cursor: chnaged}'),
    follow: edit('chnaged', 'changed'),
    rows: { orders: one },
  },
  {
    hint: 'Name a column that every record has, or leave such records out at the source.',
    files: csv('id,v,changed\n1,a,2026-01-01\n2,b,\n', 'write: append, incremental: {cursor: changed}'),
    follow: edit('cursor: changed', 'cursor: id'),
    rows: { orders: two },
  },
  {
    hint: 'Leave that column out of for_each.carry, if the record says the same.',
    files: {
      'models/shops.svc': model('shops', 'SELECT 1 AS id'),
      [orders]: fromService('resource: "/orders/{{ parent.id }}", for_each: {asset: shops, carry: id}', ids),
    },
    answers: { '/orders/1': [{ id: 1, shops_id: 1 }] },
    follow: edit(', carry: id', ''),
    rows: { orders: one },
  },
  {
    hint: 'Leave it out with ingest.exclude.',
    files: {
      [orders]: fromFiles('resource: "**/*.json", mask: {year: hash}'),
      'data/year=2024/a.json': '[{"id": 1}]',
    },
    env: { SVC_MASK_KEY: '0123456789abcdef0123456789abcdef' },
    follow: edit('mask: {year: hash}', 'exclude: [year]'),
    rows: { orders: one },
  },
  {
    hint: 'Ask the service for that order, such as with params: {sort: …}, or take incremental.order out: then all pages are read.',
    files: {
      [orders]: fromService(
        'params: {since: "{{ cursor }}"}, write: append, incremental: {cursor: id, order: asc}',
        `${ids} ORDER BY id`,
      ),
    },
    answers: { '/orders': [{ id: 2 }, { id: 1 }] },
    follow: edit(', order: asc', ''),
    rows: { orders: two },
  },
]

const lost: ErrorTable = {
  'history-lost': [
    {
      hint: 'Take the change back, ingest.on_change: forward keeps them and counts from now on, or let them go: svc run orders --full-refresh.',
      files: csv('id\n1\n', added),
      before: after(p => {
        p.remove('data/a.csv')
        p.write('later/b.csv', 'id\n2\n')
        p.edit(orders, 'endpoint: data', 'endpoint: later')
      }),
      follow: edit(added, `${added}, on_change: forward`),
      rows: { orders: two },
    },
    {
      hint: 'or let them go: svc run orders --full-refresh.',
      files: csv('id\n1\n', added),
      before: after(p => {
        p.remove('data/a.csv')
        p.write('later/b.csv', 'id\n2\n')
        p.edit(orders, 'endpoint: data', 'endpoint: later')
      }),
      follow: nothing,
      works: 'run orders --full-refresh',
      rows: { orders: [{ id: 2 }] },
    },
    {
      hint: 'Declare a type that holds both, or let the rows go: svc run orders --full-refresh loads what the source has now.',
      files: csv('id,v\n1,many\n', added, ordered),
      before: after(p => {
        p.write('data/b.csv', 'id,v\n2,5\n')
        p.edit(orders, 'transform:', `${contract('columns: {v: bigint}')}transform:`)
      }),
      follow: edit('v: bigint', 'v: varchar'),
      rows: {
        orders: [
          { id: 1, v: 'many' },
          { id: 2, v: '5' },
        ],
      },
    },
  ],
  'mask-key-changed': [
    {
      hint: 'Set the key of before, or load everything anew: svc run orders --full-refresh',
      files: csv('id,email\n1,a@example.com\n', `${added}, mask: {email: hash}`),
      env: { SVC_MASK_KEY: '0123456789abcdef0123456789abcdef' },
      before: after(p => {
        p.env['SVC_MASK_KEY'] = 'another-key-another-key-another-'
        p.write('data/b.csv', 'id,email\n2,b@example.com\n')
      }),
      follow: nothing,
      works: 'run orders --full-refresh',
      rows: { orders: two },
    },
    {
      hint: 'Set the key of before',
      files: csv('id,email\n1,a@example.com\n', `${added}, mask: {email: hash}`),
      env: { SVC_MASK_KEY: '0123456789abcdef0123456789abcdef' },
      before: after(p => {
        p.env['SVC_MASK_KEY'] = 'another-key-another-key-another-'
        p.write('data/b.csv', 'id,email\n2,b@example.com\n')
      }),
      follow: p => {
        p.env['SVC_MASK_KEY'] = '0123456789abcdef0123456789abcdef'
      },
      rows: { orders: two },
    },
  ],
  'mask-without-column': [
    {
      hint: 'did you mean "email"?…',
      files: { [orders]: fromService('mask: {emial: hash}', ids) },
      env: { SVC_MASK_KEY: '0123456789abcdef0123456789abcdef' },
      answers: { '/orders': [{ id: 1, email: 'a@example.com' }] },
      follow: edit('emial', 'email'),
      rows: { orders: one },
    },
  ],
  'duplicate-key': [
    {
      hint: 'Name all columns that identify a record in ingest.primary_key; if the source changed while it was fetched, run again.',
      files: csv('id,line\n1,1\n1,2\n', 'primary_key: id'),
      follow: edit('primary_key: id', 'primary_key: [id, line]'),
      rows: { orders: [...one, ...one] },
    },
  ],
}

export const errors: ErrorTable = { 'contract-violated': contracts, 'source-shape': shapes, ...lost }

export const warnings: WarningTable = {
  'rejected-records': [
    {
      hint: 'svc rejects shows them, with their reasons.',
      files: csv('id,v\n1,5\n2,many\n', '', ids, contract('columns: {v: bigint}')),
      follow: nothing,
      works: 'rejects',
      shows: 'many',
    },
  ],
  'kept-rows': [
    {
      hint: 'Loads had not stored this. svc run orders --full-refresh loads all that the source has now, and what it has no longer is lost then.',
      files: csv('id,v\n1,a\n', `${added}, exclude: [v]`, ordered),
      before: after(p => {
        p.edit(orders, ', exclude: [v]', '')
        p.write('data/b.csv', 'id,v\n2,b\n')
      }),
      follow: nothing,
      works: 'run orders --full-refresh',
      rows: {
        orders: [
          { id: 1, v: 'a' },
          { id: 2, v: 'b' },
        ],
      },
    },
    {
      hint: 'svc run orders --full-refresh loads all that the source has now, masked as the file says, and what it has no longer is lost then.',
      files: csv('id,v\n1,a\n', added, 'SELECT id FROM {{ source }} ORDER BY id'),
      env: { SVC_MASK_KEY: '0123456789abcdef0123456789abcdef' },
      before: after(p => {
        p.edit(orders, added, `${added}, on_change: forward, mask: {v: hash}`)
        p.write('data/b.csv', 'id,v\n2,b\n')
      }),
      follow: nothing,
      works: 'run orders --full-refresh',
      rows: { orders: two },
    },
    {
      hint: 'The contract is about the records that come from now on; a test not_null is about all rows.',
      files: csv('id,v\n1,\n2,b\n', added, ordered),
      before: after(p => {
        p.edit(orders, 'transform:', `${contract('required_columns: [v]')}transform:`)
        p.write('data/b.csv', 'id,v\n3,c\n')
      }),
      follow: async p => {
        p.edit(orders, 'transform:', 'tests: [{not_null: v}]\ntransform:')
        const said = await p.svc('run')
        if (said.code !== 1) throw new Error('the test is about all rows')
        p.edit(orders, '{{ source }}', '{{ source }} WHERE v IS NOT NULL')
      },
      works: 'run',
      isToldAgain: true,
      rows: {
        orders: [
          { id: 2, v: 'b' },
          { id: 3, v: 'c' },
        ],
      },
    },
  ],
  'future-cursor': [
    {
      hint: 'Correct it at the source if it is wrong.',
      files: csv(
        'id,changed\n1,2026-01-01\n2,9999-12-31\n',
        'write: merge, primary_key: id, incremental: {cursor: changed}',
        `${ids} ORDER BY id`,
      ),
      follow: rewrite('id,changed\n1,2026-01-01\n2,2026-01-02\n'),
      rows: { orders: two },
    },
  ],
  'clock-behind': [
    {
      hint: 'Set the clocks of all machines that load this asset by one source of time.',
      files: csv('id,v\n1,a\n', 'write: scd2, primary_key: id', 'SELECT id FROM {{ source }}'),
      before: after(p => {
        p.clock(-2)
        p.write('data/a.csv', 'id,v\n1,b\n')
      }),
      follow: p => {
        p.clock(0)
        p.write('data/a.csv', 'id,v\n1,c\n')
      },
    },
  ],
  'kept-pages-lost': [
    {
      hint: 'Nothing is lost: the source is fetched from its beginning.',
      files: {
        [orders]: fromService(
          'paginate: {type: page, param: page}, limits: {retries: 0, concurrency: 1}',
          ids,
        ),
      },
      before: async p => {
        p.answer('/orders', pageAnswer(3))
        await p.svc('run')
        p.answer('/orders', pageAnswer(undefined, 10))
      },
      follow: nothing,
      rows: { orders: [{ id: 11 }, { id: 12 }, { id: 13 }] },
    },
  ],
}

/** Three pages of one record; the one that is named fails. */
function pageAnswer(broken: number | undefined, more = 0): RestHandler {
  return (request, response) => {
    const page = Number(request.query.get('page') ?? 1)
    if (page === broken) sendJson(response, {}, 500)
    else sendJson(response, page > 3 ? [] : [{ id: page + more }])
  }
}

function nothing(): void {}
