/** What is shown of a row: no personal value in what a target says of it, and no number without its digits. */
import { expect, it } from 'vitest'
import { masked, withoutValues } from '../../../cli/engine/publish/samples.ts'

const personal = new Set(['who'])

it.each([
  ['a text', '{"who":"Ana"}', 'no: Ana', 'no: ***'],
  [
    'a text as JSON writes it',
    '{"who":"Ana \\"A\\" Li"}',
    'no: {"who":"Ana \\"A\\" Li"}',
    'no: {"who":"***"}',
  ],
  ['a text of an object', '{"who":{"name":"Ana"}}', 'no: Ana', 'no: ***'],
  ['a text of an object that is a text', '{"who":"{\\"name\\":\\"Ana\\"}"}', 'no: Ana', 'no: ***'],
  ['a text that looks like an object', '{"who":"{Ana"}', 'no: {Ana', 'no: ***'],
  ['a number of a list', '{"who":[123,45]}', 'no: 123', 'no: ***'],
  ['no value of others', '{"who":"Ana","city":"Bern"}', 'no: Bern', 'no: Bern'],
])('%s is hidden in what a target says', (_, raw, said, shown) => {
  expect(withoutValues(said, raw, personal)).toBe(shown)
})

it('a number that JavaScript would round is shown as it is written, wherever it stands', () => {
  const shown = (text: string) => masked(`{"v":${text}}`, new Set())['v']
  for (const text of ['9007199254740993', '[1.5,1234567890.123456789]', '{"a":1.5,"b":1234567890.123456789}'])
    expect(shown(text)).toBe(text)
  expect(shown('[1.5,2.25]')).toEqual([1.5, 2.25])
})
