/** Documents of JSON inside of other values: sent as they are written, to the last digit. */
import { withLocalReader } from '@svc/server/catalog'
import { expect, it } from 'vitest'
import { documentText, exactInJson, jsonObject } from '../../../cli/engine/publish/json-sql.ts'

const long = '0.1000000000000000055511151231257827'
const twice = '{"a":1,"a":2}'

const cases: readonly (readonly [type: string, value: string, text: string])[] = [
  ['JSON', `'${long}'`, long],
  ['JSON', 'NULL', ''],
  ['JSON[]', `['${long}', NULL, 'null']`, `[${long},null,null]`],
  ['JSON[1][]', `[['${twice}']]`, `[[${twice}]]`],
  ['STRUCT(a JSON, b DOUBLE)', `{a: '${long}', b: 'NaN'}`, `{"a":${long},"b":"nan"}`],
  ['STRUCT("a ""b""" JSON)', `{'a "b"': '${long}'}`, `{"a \\"b\\"":${long}}`],
  ['STRUCT(a STRUCT(b JSON[]))', `{a: {b: ['${long}']}}`, `{"a":{"b":[${long}]}}`],
  ['STRUCT(a STRUCT(b JSON))', '{a: NULL}', '{"a":null}'],
  ['MAP(VARCHAR, JSON)', `MAP {'"': '${long}', 'n': NULL}`, `{"\\"":${long},"n":null}`],
  ['MAP(INTEGER, STRUCT(a JSON)[])', `MAP {1: [{a: '${twice}'}]}`, `{"1":[{"a":${twice}}]}`],
  ['STRUCT("JSON" INTEGER)', '{JSON: 1}', '{"JSON":1}'],
  ['DOUBLE[]', `['Infinity'::DOUBLE, 0.5]`, '["inf",0.5]'],
]

it.each(cases)('the text of %s %s', async (type, value, text) => {
  const found = await withLocalReader({}, local =>
    local.rows(`SELECT ${documentText('v', type)} AS text FROM (SELECT CAST(${value} AS ${type}) AS v)`),
  )
  expect(found[0]?.['text'] ?? '').toBe(text)
})

/** A number in JSON would be rounded by the reader of the embedded engine. */
it.each(cases.filter(([type]) => type !== 'JSON' && type.includes('JSON')))(
  'texts for a reader that rounds, of %s %s',
  async (type, value, text) => {
    const payload = jsonObject([{ name: 'v', inFile: 'v', type }], true)
    const read = `from_json(CAST(payload AS JSON), '${JSON.stringify([{ v: exactInJson(type) }])
      .slice(1, -1)
      .replaceAll("'", "''")}').v`
    const found = await withLocalReader({}, local =>
      local.rows(
        `SELECT ${documentText('w', type)} AS text FROM (SELECT CAST(${read} AS ${type}) AS w FROM (SELECT ${payload} AS payload FROM (SELECT CAST(${value} AS ${type}) AS v)))`,
      ),
    )
    expect(found[0]?.['text'] ?? '').toBe(text)
  },
)
