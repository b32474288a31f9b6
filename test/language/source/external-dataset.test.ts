/** The names of sources for OpenLineage, after its naming conventions, without users, passwords and queries. */
import { externalDatasetOf, type Ingest } from '@svc/server/language'
import { expect, it } from 'vitest'

function named(ingest: object) {
  const { namespace, name } = externalDatasetOf(ingest as Ingest, text => variables[text] ?? text) ?? {}
  return name === undefined ? undefined : `${namespace ?? 'the warehouse'} ${name}`
}

const variables: Readonly<Record<string, string>> = {
  'env:SHOP': 'postgresql://ada:opensesame@DB.example.com/shop?sslmode=require',
}

const sql = (endpoint: string, resource?: string) => ({ type: 'sql', endpoint, resource })
const file = (endpoint: string, resource: string) => ({ type: 'file', endpoint, resource })

it.each([
  [sql('env:SHOP', 'sales.orders'), 'postgres://db.example.com:5432 shop.sales.orders'],
  [sql('postgres://svc@[::1]:6543/shop', '"orders"'), 'postgres://[::1]:6543 shop.public.orders'],
  [sql('mariadb://svc@db/shop', 'orders'), 'mysql://db:3306 shop.orders'],
  [sql('mysql://svc@db:3307/shop', 'other.`orders`'), 'mysql://db:3307 other.orders'],
  [sql('sqlite:///home/ada/shop.db', 'orders'), 'sqlite://shop.db shop.main.orders'],
  [sql('duckdb:../lake/shop.duckdb', 'raw.orders'), 'duckdb://shop.duckdb shop.raw.orders'],
  [sql('postgres://svc@db/shop'), undefined],
  [file('./data', 'orders/*.csv'), 'file data/orders/*.csv'],
  [file('s3://Bucket/in/', 'a/*.parquet'), 's3://bucket in/a/*.parquet'],
  [file('s3://bucket', 'a.csv'), 's3://bucket a.csv'],
  [file('sftp://ada@files.example.com:2222/out', 'a.csv'), 'sftp://files.example.com:2222 /out/a.csv'],
  [
    file('https://u:opensesame@example.com/x?key=opensesame', 'a.csv?t=opensesame'),
    'https://example.com /x/a.csv',
  ],
  [
    { type: 'rest_api', endpoint: 'https://api.example.com/v1', resource: '/orders?token=x' },
    'https://api.example.com /v1/orders',
  ],
  [{ type: 'warehouse', resource: 'raw."Orders"' }, 'the warehouse raw.Orders'],
  [{ type: 'rows', rows: [] }, undefined],
  [{ type: 'none' }, undefined],
])('%o', (ingest, name) => {
  expect(named(ingest)).toBe(name)
})
