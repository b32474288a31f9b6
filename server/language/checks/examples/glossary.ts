import { type DiagnosticExample, type DiagnosticExamples, model } from './example.ts'

function inGlossary(text: string, fixed: string, fix: string): DiagnosticExample {
  return { files: { 'glossary.yaml': text, 'models/orders.svc': model('SELECT 1 AS id') }, fixed, fix }
}

function counted(assets: string): string {
  const sql = "SELECT count(id) FROM {{ ref('orders') }}"
  return `metrics:\n  - {name: Orders, sql_definition: "${sql}", source_assets: ${assets}}\n`
}

function ordersOf(grain: string): string {
  return `metrics:\n  - {name: Orders, sql_definition: count(*), source_assets: [orders]${grain}}\n`
}

const term = 'terms:\n  - {name: Order}\n'

export const glossaryExamples: DiagnosticExamples = {
  'glossary-duplicate': inGlossary(
    `${term}  - {name: Order, description: A purchase.}\n`,
    'terms:\n  - {name: Order, description: A purchase.}\n',
    'Remove one of the two, or name it differently.',
  ),
  'glossary-unknown-asset': inGlossary(
    `${term}links:\n  - {term: Order, asset: order}\n`,
    `${term}links:\n  - {term: Order, asset: orders}\n`,
    'Correct the name of the asset, or remove the entry.',
  ),
  'glossary-unknown-column': inGlossary(
    `${term}links:\n  - {term: Order, asset: orders, column: number}\n`,
    `${term}links:\n  - {term: Order, asset: orders, column: id}\n`,
    'Correct the name of the column; `svc inspect <asset>` lists them.',
  ),
  'glossary-unknown-term': inGlossary(
    `${term}links:\n  - {term: Purchase, asset: orders}\n`,
    `${term}links:\n  - {term: Order, asset: orders}\n`,
    'Correct the term, or add it: `svc glossary add-term`.',
  ),
  'policy-without-column': inGlossary(
    'policies:\n  - {name: No people in reports, rule: Reports name nobody., applies_to: [orders], pii_columns: [idd], enforcement: off}\n',
    'policies:\n  - {name: No people in reports, rule: Reports name nobody., applies_to: [orders], pii_columns: [id], enforcement: off}\n',
    'Correct the name: a policy protects nothing by a name that no column has.',
  ),
  'metric-source-assets': {
    files: {
      'glossary.yaml': counted('[orders, customers]'),
      'models/orders.svc': model('SELECT 1 AS id'),
      'models/customers.svc': 'name: customers\ningest: none\ntransform: SELECT 1 AS id\n',
    },
    fixed: counted('[orders]'),
    fix: 'List what the SQL reads, or leave the list out.',
  },
  'metric-without-time': {
    files: {
      'glossary.yaml': ordersOf(', time_grain: month'),
      'models/orders.svc': model("SELECT 1 AS id, '2026-01-31' AS day"),
    },
    fixed: ordersOf(''),
    fix: 'Make a column of the asset a date or a timestamp (`CAST(day AS DATE)`), or take `time_grain` out.',
  },
  'policy-without-asset': inGlossary(
    'policies:\n  - {name: No people in reports, rule: Reports name nobody., applies_to: [reports.*]}\n',
    'policies:\n  - {name: No people in reports, rule: Reports name nobody., applies_to: [orders]}\n',
    'Correct the pattern: names of assets, or `<schema>.*` for a schema or a folder below `models/`.',
  ),
}
