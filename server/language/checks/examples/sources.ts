import { type DiagnosticExample, type DiagnosticExamples, inOrders } from './example.ts'

const csv = 'id,amount\n1,12.5\n'

function fromFile(ingest: string, fixed: string | undefined, fix: string, data = csv): DiagnosticExample {
  const text = (keys: string) =>
    `name: orders\ningest: {type: file, endpoint: ./data, ${keys}}\ntransform: SELECT * FROM {{ source }}\n`
  return {
    files: { 'models/orders.svc': text(ingest), 'data/orders.csv': data },
    ...(fixed !== undefined && { fixed: text(fixed) }),
    fix,
  }
}

const nested = '{"id": 1, "lines": {"sku": "tea"}}\n'

const ofCustomers = (id: string) =>
  `name: orders\ningest:\n  type: rest_api\n  endpoint: https://api.example.com\n  resource: "customers/${id}/orders"\n  for_each: customers\ncontract: {columns: {id: bigint}}\ntransform: SELECT id FROM {{ source }}\n`

const sinceCursor = (tag: string) =>
  `name: orders\ningest:\n  type: rest_api\n  endpoint: https://api.example.com\n  resource: orders\n  params: {since: "${tag}"}\n  write: append\n  incremental: {cursor: updated_at}\ncontract: {columns: {id: bigint, updated_at: timestamptz}}\ntransform: SELECT id, updated_at FROM {{ source }}\n`

const lock = (column: string) =>
  `{\n  "version": 1,\n  "sources": {\n    "orders": {\n      "": {\n${column}\n      }\n    }\n  }\n}\n`

export const sourceExamples: DiagnosticExamples = {
  'invalid-lock': {
    files: {
      'schemas.lock.json': lock(
        '<<<<<<< HEAD\n        "id": "BIGINT"\n=======\n        "id": "VARCHAR"\n>>>>>>> other-branch',
      ),
      'models/orders.svc':
        'name: orders\ningest: {type: rest_api, endpoint: https://api.example.com, resource: /orders}\ntransform: SELECT id FROM {{ source }}\n',
    },
    fixed: lock('        "id": "BIGINT"'),
    fix: 'Keep one of the two sides, or delete the file: the next run that is promoted writes what the sources have.',
  },
  'incomplete-write': fromFile(
    'resource: orders.csv, incremental: {cursor: id}',
    'resource: orders.csv, incremental: {cursor: id}, write: append',
    'Write `write: merge` with the `primary_key` of the records, or `write: append`.',
  ),
  'cursor-conflict': {
    files: {
      'models/orders.svc':
        'name: orders\ningest:\n  type: rest_api\n  endpoint: https://api.example.com\n  resource: orders\n  params: {since: "{cursor}"}\n  write: merge\n  primary_key: id\n  incremental: {cursor: updated_at, start: 2024-01-01, window: 7d}\ncontract: {columns: {id: bigint, updated_at: timestamptz}}\ntransform: SELECT id, updated_at FROM {{ source }}\n',
    },
    fixed:
      'name: orders\ningest:\n  type: rest_api\n  endpoint: https://api.example.com\n  resource: orders\n  params: {since: "{cursor}", until: "{cursor.end}"}\n  write: merge\n  primary_key: id\n  incremental: {cursor: updated_at, start: 2024-01-01, window: 7d}\ncontract: {columns: {id: bigint, updated_at: timestamptz}}\ntransform: SELECT id, updated_at FROM {{ source }}\n',
    fix: 'A window of a web service needs `start`, a `primary_key`, and `{cursor}` and `{cursor.end}` in the request; `order: desc` is for web services that are asked page by page; `split` reads a table without an order.',
  },
  'mask-conflict': fromFile(
    'resource: orders.csv, primary_key: id, mask: {id: redact}',
    'resource: orders.csv, primary_key: id, mask: {id: hash}',
    'Mask a key with `hash`, which keeps different values different; promise masked columns as text; choose another cursor.',
  ),
  'unknown-placeholder': {
    files: {
      'models/orders.svc': sinceCursor('{curser}'),
    },
    fixed: sinceCursor('{{ cursor }}'),
    fix: 'Write `{{ cursor }}`, `{{ cursor.end }}` or `{{ parent.column }}`, in a key that takes it.',
  },
  'for-each-column': {
    files: {
      'models/orders.svc': ofCustomers('{parent.ids}'),
      'models/customers.svc': 'name: customers\ningest: none\ntransform: SELECT 1 AS id\n',
    },
    fixed: ofCustomers('{parent.id}'),
    fix: 'Name a column that the asset delivers.',
  },
  'for-each-placeholder': {
    files: {
      'models/orders.svc': ofCustomers('all'),
      'models/customers.svc': 'name: customers\ningest: none\ntransform: SELECT 1 AS id\n',
    },
    fixed: ofCustomers('{parent.id}'),
    fix: 'Say where the value of the row belongs: `{parent.id}` in `resource`, `params` or `body`.',
  },
  'exclude-inside-json': {
    files: {
      'models/orders.svc':
        'name: orders\ningest: {type: file, endpoint: ./data, resource: orders.ndjson, nested: json, exclude: [lines.sku]}\ntransform: SELECT * FROM {{ source }}\n',
      'data/orders.ndjson': nested,
    },
    fixed:
      'name: orders\ningest: {type: file, endpoint: ./data, resource: orders.ndjson, exclude: [lines.sku]}\ntransform: SELECT * FROM {{ source }}\n',
    fix: 'Exclude the whole value, or load it with its parts as columns: leave out `nested: json`.',
  },
  'history-of-lists': {
    files: {
      'models/orders.svc':
        'name: orders\ningest: {type: file, endpoint: ./data, resource: orders.ndjson, write: scd2, primary_key: id}\ntransform: SELECT * FROM {{ source }}\n',
      'data/orders.ndjson': '{"id": 1, "lines": [{"sku": "tea"}]}\n',
    },
    fixed:
      'name: orders\ningest: {type: file, endpoint: ./data, resource: orders.ndjson, write: scd2, primary_key: id, nested: json}\ntransform: SELECT * FROM {{ source }}\n',
    fix: 'Keep lists as values of their record with `nested: json`, or leave them out with `exclude`.',
  },
  'names-meet': fromFile(
    'resource: orders.csv',
    'resource: orders.csv, naming: source',
    'Rename a column at the source, exclude one of them, or keep the names as they are with `naming: source`.',
    'order id,order_id!\n1,2\n',
  ),
  'source-format-unknown': {
    files: {
      'models/orders.svc':
        'name: orders\ningest: {type: file, endpoint: ./data, resource: orders.dat}\ntransform: SELECT * FROM {{ source }}\n',
      'data/orders.dat': csv,
    },
    fixed:
      'name: orders\ningest: {type: file, endpoint: ./data, resource: orders.dat, format: csv}\ntransform: SELECT * FROM {{ source }}\n',
    fix: 'Say what the files are with `format`: `csv`, `json`, `ndjson` or `parquet`.',
  },
  'wrong-option': fromFile(
    'resource: orders.csv, options: {delimeter: ";"}',
    'resource: orders.csv, options: {delimiter: ","}',
    'Use an option of the reader; the message lists them.',
  ),
  'changed-by-column': {
    files: {
      'models/orders.svc':
        'name: orders\ningest: {type: warehouse, resource: raw.orders, changed_by: update_at}\ntransform: SELECT id FROM {{ source }}\n',
      'schemas.lock.json': lock('        "id": "BIGINT",\n        "updated_at": "TIMESTAMP"'),
    },
    fixed:
      'name: orders\ningest: {type: warehouse, resource: raw.orders, changed_by: updated_at}\ntransform: SELECT id FROM {{ source }}\n',
    fix: 'Name a column whose greatest value is another one after every change, or write `scan`: every run then reads all rows.',
  },
  'unknown-primary-key': fromFile(
    'resource: orders.csv, primary_key: order_id',
    'resource: orders.csv, primary_key: id',
    'Name a column that the source has, in the form that it has in SQL.',
  ),
  'child-not-a-list': inOrders(
    'name: orders\ningest: {type: rows, rows: [{id: 1, note: gift}]}\ncontract: {tables: {note: {columns: {text: varchar}}}}\ntransform: SELECT * FROM {{ source }}\n',
    'name: orders\ningest: {type: rows, rows: [{id: 1, note: gift}]}\ncontract: {columns: {note: varchar}}\ntransform: SELECT * FROM {{ source }}\n',
    'Promise it as a column in `contract.columns`, or check what the source sends: a child table is a list of objects.',
  ),
  'unmatched-column': fromFile(
    'resource: orders.csv, exclude: [day_of_week]',
    'resource: orders.csv, exclude: [amount]',
    'Correct the name, or remove it. Names are those of the source, before they become `snake_case`.',
  ),
  'mask-without-column': inOrders(
    'name: orders\ningest: {type: rows, rows: [{id: 1, email: ada@example.com}], mask: {emial: redact}}\ntransform: SELECT * FROM {{ source }}\n',
    'name: orders\ningest: {type: rows, rows: [{id: 1, email: ada@example.com}], mask: {email: redact}}\ntransform: SELECT * FROM {{ source }}\n',
    'Correct the name. If the source will have it later, name it in `contract.columns`; a pattern with `*` may match nothing.',
  ),
  'source-file-missing': fromFile(
    'resource: order.csv',
    'resource: orders.csv',
    '`endpoint` is a folder, relative to the root of the project (where `svc.yaml` is); `resource` is a file name or a pattern.',
  ),
  'source-file-unreadable': {
    files: {
      'models/orders.svc':
        'name: orders\ningest: {type: file, endpoint: ./data, resource: orders.parquet}\ntransform: SELECT * FROM {{ source }}\n',
      'data/orders.parquet': csv,
    },
    fix: 'Check that the file is what its ending says, or set `format`. A file that is still being written can be read later.',
  },
  'source-columns-unknown': inOrders(
    'name: orders\ningest: {type: rest_api, endpoint: "https://api.example.com", resource: orders}\ntransform: SELECT * FROM {{ source }}\n',
    'name: orders\ningest: {type: rest_api, endpoint: "https://api.example.com", resource: orders}\ncontract: {columns: {id: bigint, amount: double}}\ntransform: SELECT * FROM {{ source }}\n',
    'Run once: `svc run` writes the columns to `schemas.lock.json`, which you commit. Or name them in `contract.columns`.',
  ),
}
