/** Habits of dbt. */
import { advice, both, type Row } from './habit.ts'

export const ofDbt: readonly Row[] = [
  [
    '{{ config(…) }}',
    'dbt',
    { kind: 'tag', name: 'config' },
    both(advice('What it says stands in the keys of the file: deploy.materialize, tags.')),
    'SELECT {{ ‹config›(a) }} AS n',
  ],
  [
    "{{ source('schema', 'table') }}",
    'dbt',
    { kind: 'tag', name: 'source' },
    both(advice("A source is an asset of its own: {{ source }} there, and {{ ref('asset') }} in others.")),
    "SELECT * FROM ‹{{ source('shop', 'orders') }}›",
  ],
  [
    "{{ var('name', default) }}",
    'dbt',
    { kind: 'tag', name: 'var' },
    both(advice("Write {{ var('name') }}, and the value under vars in svc.yaml.")),
    "SELECT ‹{{ var('days', 7) }}› AS n",
  ],
  [
    "{{ ref('package', 'model') }}",
    'dbt',
    { kind: 'tag', name: 'ref' },
    both(advice("Write {{ ref('model') }}: the names of assets are those of one project.")),
    "SELECT * FROM ‹{{ ref('shop', 'orders') }}›",
  ],
  [
    '{{ env_var(…) }}',
    'dbt',
    { kind: 'tag', name: 'env_var' },
    both(advice("Write {{ var('name') }}, which each environment in svc.yaml may give a value.")),
    "SELECT {{ ‹env_var›('DAYS') }} AS n",
  ],
  [
    '{{ is_incremental() }}',
    'dbt',
    { kind: 'tag', name: 'is_incremental' },
    both(advice('Leave it out: each table is built as a whole.')),
    'SELECT {{ ‹is_incremental›() }} AS n',
  ],
  [
    '{{ target.name }}',
    'dbt',
    { kind: 'tag', name: 'target.name' },
    both(advice("Write {{ var('name') }}, which each environment in svc.yaml may give a value.")),
    'SELECT ‹{{ target.name }}› AS n',
  ],
  [
    '{{ this.schema }}',
    'dbt',
    { kind: 'tag', name: 'this.schema' },
    both(advice('svc chooses the schema of each build: SQL cannot name it.')),
    'SELECT ‹{{ this.schema }}› AS n',
  ],
  [
    '{{ dbt_utils.macro(…) }}',
    'dbt',
    { kind: 'tag', name: 'dbt_utils' },
    both(advice('Write the SQL out, or a macro of your own in macros/*.sql.')),
    'SELECT ‹{{ dbt_utils.star(from) }}›',
  ],
]
