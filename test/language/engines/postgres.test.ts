/** What is said of PostgreSQL is what PostgreSQL does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aggregates } from '../../../server/language/engines/postgres/facts.generated.ts'
import { postgres } from '../../../server/language/engines/postgres/postgres.ts'
import { unquotable } from '../../../server/language/engines/postgres/words.ts'
import type { SqlType } from '../../../server/language/engines/sql-type.ts'
import { readSql } from '../../../server/language/sql/reader/read-sql.ts'
import { lazyPostgres } from '../../support/pglite.ts'
import { seededRandom } from '../../support/random.ts'
import { readsWhatPostgresReads } from '../sql/postgres-reading.ts'
import { listsFunctions } from './postgres-functions.ts'
import { tellsTypesOfSources } from './types-of-sources.ts'

const server = lazyPostgres()
// It starts slowly on a busy machine.
beforeAll(() => server.rows('SELECT 1'), 300_000)
afterAll(() => server.close())

const { parse, print, problem, same, widen, family, elementOf } = postgres.types
const value = async (sql: string) => (await server.rows(sql))[0]?.[0]
const texts = async (sql: string) => (await server.rows(sql)).map(([text]) => String(text))

describe('the lists of words and functions', () => {
  it('are those of the PostgreSQL that is installed', async () => {
    const words = (list: string) => list.split(/\s+/).filter(word => word !== '')
    expect([...postgres.words.keywords]).toEqual(await texts('SELECT word FROM pg_get_keywords() ORDER BY 1'))
    expect([...unquotable()]).toEqual(
      await texts("SELECT word FROM pg_get_keywords() WHERE catcode IN ('R', 'T') ORDER BY 1"),
    )
    expect(words(aggregates)).toEqual(
      await texts("SELECT DISTINCT proname FROM pg_proc WHERE prokind = 'a' ORDER BY 1"),
    )
  })

  it('have a name for each fact that is written by hand', async () => {
    const { functions } = postgres
    const names = new Set(await texts('SELECT DISTINCT proname FROM pg_proc'))
    const ofGrammar = new Set([...functions.valueWords, ...functions.summarizing])
    for (const name of [...functions.ofOneType, ...functions.summarizing])
      expect([name, names.has(name) || ofGrammar.has(name)]).toEqual([name, true])
    for (const word of functions.valueWords)
      expect(typeof (await server.describe(`SELECT ${word}`))).toBe('object')
  })
})

describe('names', () => {
  const long = 'É'.repeat(40)

  it.each([
    ['Foo', 'foo'],
    ['ÀB', 'Àb'],
    ['"Foo"', 'Foo'],
    ['"a""b"', 'a"b'],
    ['U&"d\\0061t\\+000061 \\\\"', 'data \\'],
    [`"${long}"`, 'É'.repeat(31)],
  ])('%s stands for %s', async (written, name) => {
    const reading = readSql(`SELECT 1 AS ${written}`, postgres.grammar)
    const [body] = reading.statements.map(statement => statement.body)
    const alias = body?.kind === 'select' ? body.items[0]?.alias?.text : undefined
    const [column] = (await server.describe(`SELECT 1 AS ${written}`)) as readonly { readonly name: string }[]
    expect([alias, column?.name]).toEqual([name, name])
  })

  it('are the same where PostgreSQL sees one', () => {
    expect(postgres.sameName('Foo', 'foo')).toBe(false)
    expect(postgres.sameName(`${long}a`, `${long}b`)).toBe(true)
    expect(postgres.fold(postgres.fold(long))).toBe(postgres.fold(long))
  })

  it.each([
    'a b',
    'select',
    'Left',
    'x"y',
    'É',
    '1a',
    'year',
    'a$b',
    'user',
    'current_date',
    'values',
    'window',
  ])('%s is the same with quotes as it is written without or with them', async name => {
    for (const written of [postgres.quote(name), postgres.quoteIfNeeded(name)])
      expect(await texts(`SELECT ${written} FROM (SELECT '${name}' AS ${written}) t`)).toEqual([name])
  })

  it.each([
    "it's",
    'back\\slash',
    'a\nb',
    '',
    null,
    true,
    false,
    1.5,
    -3n,
    Number.NaN,
    Number.NEGATIVE_INFINITY,
  ])('the value %s is written so that PostgreSQL reads it', async given => {
    const read = await value(`SELECT (${postgres.literal(given)})::text`)
    expect(read).toBe(given === null ? null : String(given))
  })
})

describe('an address', () => {
  it('has a place without a secret', () => {
    const { place } = postgres.address
    expect(place('postgres://me:pa@ss@db.example.com:5433/shop?sslmode=require')).toBe('db.example.com')
    expect(place('postgres://[::1]:5433/shop')).toBe('[::1]')
    expect(place('postgres:///shop?host=/run/postgresql')).toBe('localhost')
  })
})

describe('tokens', () => {
  const kinds = (text: string) =>
    postgres.tokens(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`)

  it.each([
    ["E'a\\'b' x", ["string E'a\\'b'", 'word x']],
    ["'a\\' x", ["string 'a\\'", 'word x']],
    ['$a$ $$ {{ x }} $a$', ['string $a$ $$ {{ x }} $a$']],
    ['/* a /* b */ c */ d -- e', ['comment /* a /* b */ c */', 'word d', 'comment -- e']],
    ['a->>b?|c#>>d', ['word a', 'operator ->>', 'word b', 'operator ?|', 'word c', 'operator #>>', 'word d']],
    ['a<-1@-2', ['word a', 'operator <', 'operator -', 'number 1', 'operator @-', 'number 2']],
    [
      '$1::int[1:2]',
      [
        'parameter $1',
        'punctuation ::',
        'word int',
        'punctuation [',
        'number 1',
        'punctuation :',
        'number 2',
        'punctuation ]',
      ],
    ],
    ['U&"a" a$b {{ ref }}', ['quoted U&"a"', 'word a$b', 'tag {{ ref }}']],
    ["'open", ["string 'open"]],
  ])('%s', (text, expected) => {
    expect(kinds(text)).toEqual(expected)
  })

  it('of any text cover all of it but white space', () => {
    const random = seededRandom(5)
    const parts = [
      "'",
      '"',
      '$$',
      '$a$',
      '--',
      '/*',
      '*/',
      "E'",
      'U&"',
      'a',
      '1',
      '.',
      '->',
      '?',
      '{{',
      '}}',
      '\n',
      '\\',
      '😀',
    ]
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: 12 }, () => random.pick(parts)).join('')
      let end = 0
      for (const token of postgres.tokens(text)) {
        expect(text.slice(end, token.start).trim()).toBe('')
        expect(token.end).toBeGreaterThan(token.start)
        end = token.end
      }
      expect(text.slice(end).trim()).toBe('')
    }
  })
})

/** Types as people write them, good and bad. */
const written =
  `bigint|int8|INT|smallint|dec|numeric|numeric(10)|numeric(12, 2)|numeric(3,-2)|numeric(0)|numeric(1001)|numeric(1,2,3)
  |real|float|float(24)|float(25)|float(54)|double precision|double|text|text(3)|varchar|varchar(10)|varchar(0)|character varying (5)
  |char|char(3)|character|bpchar|"char"|nchar(2)|national character varying(3)|national|name|bool|boolean|date|date(3)
  |time|time(2)|timetz|time with time zone|timestamp|timestamp(3)|timestamp(9)|timestamptz(0)|timestamp(3) with time zone
  |timestamp with zone|timestamp without time zone|interval|interval(2)|interval day|interval day to second|interval year to month
  |bit|bit(3)|bit varying|varbit(4)|bytea|uuid|json|jsonb|xml|inet|tstzrange|point|money|oid|regclass|int[]|int[3]|int[][]|int array
  |int array[4]|numeric(4,1)[]|timestamp(3) with time zone[]|pg_catalog.int4|"int4"|"integer"|serial|bigserial|string|int unsigned
  |integer(3)|int[|decimal(12,2||12|varchar(1,2)|interval fortnight|table|{{ x }}|int; select 1`
    .split('|')
    .map(text => text.trim())

describe('a type', () => {
  it.each(written)('"%s" is one if PostgreSQL takes it, and is printed as it prints it', async text => {
    const described = await server.describe(`SELECT CAST(NULL AS ${text}) AS a`)
    const isTaken = typeof described !== 'string' && !text.includes(';')
    expect(problem(text) === undefined).toBe(isTaken)
    if (!isTaken) return
    await server.run(`DROP TABLE IF EXISTS t; CREATE TABLE t (a ${text})`)
    const printed = String(
      await value(
        "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum = 1",
      ),
    )
    expect(print(parse(text))).toBe(printed)
    expect(print(parse(printed))).toBe(printed)
  })

  it('has every name that PostgreSQL has', async () => {
    for (const name of postgres.types.names)
      expect([name, typeof (await server.describe(`SELECT NULL::${name}`))]).toEqual([name, 'object'])
    for (const name of [...postgres.types.commonNames, ...Object.values(postgres.types.usual)])
      expect([name, problem(name)]).toEqual([name, undefined])
  })

  it('belongs to a family', () => {
    const families =
      'int numeric real varchar(3) char(2) bytea date timetz timestamptz(3) interval jsonb uuid bool text[] point mood'
    expect(families.split(' ').map(text => family(parse(text)))).toEqual(
      'integer decimal float text text binary date time timestamp interval json uuid boolean nested other other'.split(
        ' ',
      ),
    )
    expect(elementOf(parse('date[][]'))).toEqual(parse('date'))
  })

  it('widens to one that holds both, whichever comes first', () => {
    const scalars =
      'bool smallint int bigint numeric numeric(4,1) numeric(20) real float8 text varchar(3) varchar(9) date timestamp timestamptz jsonb int[] text[]'
    const types = scalars.split(' ').map(parse)
    const both = (a: SqlType, b: SqlType) => print(widen(a, b))
    for (const a of types)
      for (const b of types) {
        expect([print(a), print(b), both(a, b)]).toEqual([print(a), print(b), both(b, a)])
        expect(same(widen(widen(a, b), b), widen(a, b))).toBe(true)
      }
    expect(both(parse('int'), parse('numeric(4,1)'))).toBe('numeric(11,1)')
    expect(both(parse('varchar(3)'), parse('varchar(9)'))).toBe('character varying(9)')
    expect(both(parse('date'), parse('timestamp'))).toBe('timestamp without time zone')
  })
})

listsFunctions(server)
tellsTypesOfSources(server)
readsWhatPostgresReads(server)
