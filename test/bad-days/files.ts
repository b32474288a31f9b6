/** What happens to files: those that are loaded, those of the project, and those that svc writes for itself. */
import { rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Day, Group, Production } from './day.ts'
import { dataOf, project, rowsOf } from './shop.ts'

const files = project('<origin>')
const orders = dataOf['day 2']['data/orders-2.csv'] ?? ''
const firstOrders = dataOf['day 2']['data/orders-1.csv'] ?? ''
const lock = 'schemas.lock.json'
const rates = (resource: string) => (files['models/rates.svc'] ?? '').replace('rates.json', resource)

/** The file of today is damaged or gone. */
const file = (name: string, content: Day['files'], todo: string, code = 3): Day => ({
  name,
  files: content ?? {},
  code,
  todo,
})
/** What the customers of the first file have spent, at the rate of the second day. */
const spent = [
  { name: 'Ana', spent: 15.75 },
  { name: 'Bo', spent: 30 },
]
const newOrders = rowsOf['day 2']['orders'] ?? []
const withoutNewOrders: Production = {
  says: 'the new rows of the other files',
  like: 'day 2',
  but: {
    orders: rowsOf['day 1']['orders'] ?? [],
    daily_sales: rowsOf['day 1']['daily_sales'] ?? [],
    best_customers: spent,
  },
}
const resend = 'Get the file again from who delivers it.'

const loaded: readonly Day[] = [
  file(
    'The folder of the files is gone',
    // Of one asset alone: which of two fails first is chance.
    { 'models/orders.svc': (files['models/orders.svc'] ?? '').replace('./data', './deliveries') },
    'Restore it, or correct `ingest.endpoint`.',
  ),
  file(
    'No file fits the pattern any more',
    { 'data/orders-1.csv': null, 'data/orders-2.csv': null },
    'Restore the files, or correct `ingest.resource`.',
  ),
  {
    name: 'A file is a link to nothing',
    before: place => {
      place.write('data/orders-2.csv', null)
      symlinkSync('/no/such/file.csv', join(place.root, 'data/orders-2.csv'))
    },
    code: 0,
    production: withoutNewOrders,
    todo: 'Restore what the link leads to; a test `fresh` or `row_count` finds that nothing new came.',
  },
  {
    name: 'A CSV file has 0 bytes, and others of its pattern have records',
    files: { 'data/orders-2.csv': '' },
    code: 0,
    production: withoutNewOrders,
    todo: 'Get the file again; a test `fresh` or `row_count` finds that nothing new came.',
  },
  file(
    'All CSV files have a header alone',
    {
      'data/orders-1.csv': 'id,customer_id,amount,day\n',
      'data/orders-2.csv': 'id,customer_id,amount,day\n',
    },
    'Check the source; write `allow_empty: true` if no records are right.',
    1,
  ),
  file(
    'A CSV file is binary noise',
    { 'data/orders-2.csv': Buffer.from([0, 255, 1, 254, 10, 0, 200, 3]) },
    resend,
  ),
  file(
    'A CSV file is not UTF-8',
    { 'data/orders-2.csv': Buffer.from(`${orders}5,1,1,2026-01-03Z\xfc\n`, 'latin1') },
    'Deliver it as UTF-8.',
  ),
  file('A line of a CSV file ends early', { 'data/orders-2.csv': orders.slice(0, -15) }, resend),
  file('A quote is not closed', { 'data/orders-2.csv': `${orders}5,1,1,"2026-01-03\n` }, resend),
  file(
    'The new CSV file has semicolons',
    { 'data/orders-2.csv': orders.replaceAll(',', ';') },
    'Repair the file, or say what is right in `ingest.options`.',
    1,
  ),
  file(
    'A column is called otherwise in every file',
    {
      'data/orders-1.csv': firstOrders.replace('amount', 'total'),
      'data/orders-2.csv': orders.replace('amount', 'total'),
    },
    'Change the SQL, or write `from: total` in the contract.',
    1,
  ),
  {
    name: 'A column is missing in the new file alone',
    files: { 'data/orders-2.csv': 'id,customer_id,day\n3,3,2026-01-03\n4,1,2026-01-03\n' },
    code: 0,
    production: {
      says: 'the new rows, NULL in that column',
      like: 'day 2',
      but: {
        orders: newOrders.map(row => (Number(row['id']) > 2 ? { ...row, amount: null } : row)),
        daily_sales: rowsOf['day 1']['daily_sales'] ?? [],
        best_customers: [...spent, { name: 'Cy', spent: null }],
      },
    },
    todo: 'Name it in `required_columns` of the contract: then such records fail.',
  },
  {
    name: 'Two columns of the new file have the same name',
    files: { 'data/orders-2.csv': orders.replace('customer_id', 'id') },
    code: 0,
    production: {
      says: 'the new rows, NULL in the column that is missing',
      like: 'day 2',
      but: {
        orders: newOrders.map(row => (Number(row['id']) > 2 ? { ...row, customer_id: null } : row)),
        best_customers: spent,
      },
    },
    todo: 'Name the columns in `required_columns` of the contract: then such records fail.',
  },
  file('A JSON file ends too early', { 'data/rates.json': '[{"currency": "EUR", "ra' }, resend),
  file('A JSON file has 0 bytes', { 'data/rates.json': '' }, resend, 1),
  file('A JSON file is a web page', { 'data/rates.json': '<html>Not found</html>' }, resend),
  file(
    'A compressed file is not compressed',
    { 'models/rates.svc': rates('rates.json.gz'), 'data/rates.json.gz': '[{"currency": "EUR", "rate": 1}]' },
    resend,
  ),
  file(
    'A Parquet file is not a Parquet file',
    { 'models/rates.svc': rates('rates.parquet'), 'data/rates.parquet': 'PAR1, but no more' },
    resend,
  ),
  {
    name: 'A file has Windows line ends and a byte order mark',
    files: { 'data/orders-2.csv': `\ufeff${orders.replaceAll('\n', '\r\n')}` },
    code: 0,
    production: 'day 2',
    todo: 'Nothing.',
  },
  {
    name: 'A file is replaced by one of the same size and time',
    before: place => {
      const path = join(place.root, 'data/rates.json')
      const { atime, mtime } = statSync(path)
      rmSync(path)
      writeFileSync(path, dataOf['day 2']['data/rates.json'] ?? '')
      utimesSync(path, atime, mtime)
    },
    code: 0,
    production: 'day 2',
    todo: 'Nothing.',
  },
]

const broken = 'Fix the file; `svc validate` shows every place.'
const own: readonly Day[] = [
  file('A `.svc` file is not YAML', { 'models/rates.svc': 'name: rates\n\tingest: none\n' }, broken, 1),
  file('A `.svc` file is empty', { 'models/rates.svc': '' }, broken, 1),
  file(
    'A `.svc` file has conflict markers',
    { 'models/rates.svc': `<<<<<<< HEAD\n${rates('rates.json')}=======\n${rates('r.json')}>>>>>>> other\n` },
    'Resolve the conflict.',
    1,
  ),
  file(
    'A `.svc` file is not UTF-8',
    { 'models/rates.svc': Buffer.from(`${rates('rates.json')}description: Kurse f\xfcr heute\n`, 'latin1') },
    broken,
    1,
  ),
  file(
    'A `.svc` file that others read is deleted',
    { 'models/customers.svc': null },
    'Restore it, or delete what reads it.',
    1,
  ),
  file('Two files have the same `name`', { 'models/rates2.svc': rates('rates.json') }, 'Rename one.', 1),
  file('`svc.yaml` is not YAML', { 'svc.yaml': 'name: [shop\n' }, 'Fix it.', 2),
  file(
    '`svc.yaml` has conflict markers',
    { 'svc.yaml': '<<<<<<< HEAD\nname: shop\n=======\nname: x\n>>>>>>> y\n' },
    'Resolve the conflict.',
    2,
  ),
  file('`svc.yaml` is deleted', { 'svc.yaml': null }, 'Restore it.', 1),
  file(
    '`svc.yaml` has the name of another project',
    { 'svc.yaml': 'name: store\nvars: {smallest: 0}\n' },
    'Restore the name, or take over the state: `svc init --adopt shop`.',
    1,
  ),
  file('A variable is removed from `svc.yaml`', { 'svc.yaml': 'name: shop\n' }, broken, 1),
  file('`glossary.yaml` is not YAML', { 'glossary.yaml': 'terms: [\n' }, broken, 1),
  file(
    '`glossary.yaml` links a column that does not exist',
    { 'glossary.yaml': `${files['glossary.yaml']}  - {term: Customer, asset: customers, column: nobody}\n` },
    broken,
    1,
  ),
  {
    name: '`glossary.yaml` has a wrong link, and an asset is run that has nothing to do with it',
    files: {
      'glossary.yaml': `${files['glossary.yaml']}  - {term: Customer, asset: customers, column: nobody}\n`,
    },
    command: 'run rates --env prod',
    code: 0,
    production: {
      says: 'new rates, the rest as before',
      like: 'day 1',
      but: { rates: rowsOf['day 2']['rates'] ?? [] },
    },
    todo: 'Fix the link before the next whole run.',
  },
  {
    name: '`glossary.yaml` is not YAML, and an asset is run that has nothing to do with it',
    files: { 'glossary.yaml': 'terms: [\n' },
    command: 'run rates --env prod',
    code: 1,
    todo: 'Fix `glossary.yaml`: until it can be read, nobody knows the policies.',
  },
]

const kept: readonly Day[] = [
  {
    name: '`schemas.lock.json` has conflict markers',
    before: place => {
      const text = String(place.read(lock))
      place.write(lock, `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> other\n`)
    },
    after: place => place.write(lock, null),
    code: 1,
    todo: 'Resolve the conflict, or delete the file: a run writes it anew.',
  },
  {
    name: '`schemas.lock.json` is not JSON',
    before: place => place.write(lock, '{"tables": '),
    after: place => place.write(lock, null),
    code: 1,
    todo: 'Restore the file, or delete it: a run writes it anew.',
  },
  {
    name: '`schemas.lock.json` is deleted',
    before: place => place.write(lock, null),
    code: 0,
    production: 'day 2',
    todo: 'Nothing.',
  },
  {
    name: 'The folder `.svc` is deleted',
    before: place => place.write('.svc', null),
    code: 0,
    production: 'day 2',
    todo: 'Nothing.',
  },
  {
    name: '`.svc` is a file',
    before: place => {
      place.write('.svc', null)
      place.write('.svc', 'x')
    },
    after: place => place.write('.svc', null),
    code: 3,
    todo: 'Move the file away.',
  },
  {
    name: 'The records of files that were loaded are noise',
    before: place => place.write('.svc/prod/files.json', '\0\x01noise'),
    code: 0,
    production: 'day 2',
    todo: 'Nothing.',
  },
  {
    name: 'The manifest of the last run is cut off',
    before: place => place.write('.svc/manifest.json', '{"assets": [{'),
    code: 0,
    production: 'day 2',
    todo: 'Nothing.',
  },
]

export const filesGroup: Group = { title: 'Files', days: [...loaded, ...own, ...kept] }
