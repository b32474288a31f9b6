/** Values as text files write them, ordinary and extreme ones of each kind that a column of theirs may have. */
import type { Family } from './same-value.ts'

export interface WrittenValues {
  readonly type: string
  readonly family: Family
  /** As they stand in the file: texts of CSV, JSON of JSON. */
  readonly values: readonly string[]
  /** YAML lines below the source. */
  readonly more?: string
  /** The code of the error with which the file is refused. */
  readonly refusedAs?: string
}

const many = Array.from({ length: 120 }, (_, n) => `${n}.25`)
const days = Array.from({ length: 120 }, (_, n) => `2024-01-${String((n % 28) + 1).padStart(2, '0')}`)
const text = (value: string) => JSON.stringify(value)
const nines = (count: number) => '9'.repeat(count)

/** Numbers that mean the same in CSV and JSON. */
const numbers: readonly WrittenValues[] = [
  { type: 'small integers', family: 'number', values: ['0', '-1', '127', '-2147483648'] },
  { type: 'integers', family: 'number', values: ['9223372036854775807', '-9223372036854775808'] },
  { type: 'integers above 2^53', family: 'number', values: ['9007199254740993', '1'] },
  {
    type: 'huge integers',
    family: 'number',
    values: ['9223372036854775808', `-${'1'.repeat(38)}`, '1'],
  },
  { type: 'endless integers', family: 'number', values: [nines(38), nines(39), nines(60), '1'] },
  { type: 'one endless integer of many', family: 'number', values: [...many, nines(60)] },
  { type: 'fractions', family: 'number', values: ['0.1', '-0.5', '12345678.125', '0.30000000000000004'] },
  {
    type: 'extreme fractions',
    family: 'number',
    values: ['1.7976931348623157e308', '-1.7976931348623157e308', '5e-324', '2.2250738585072014e-308'],
  },
  {
    type: 'exponents',
    family: 'number',
    values: ['1e5', '1E5', '1.5e+10', '-2.5e-10', '1.2345678901234567e-5'],
  },
  { type: 'money', family: 'number', values: ['99999999999999.99', '0.01', '-1.5'] },
  { type: 'seventeen digits', family: 'number', values: ['0.10000000000000001', '123.45600000000000307'] },
  { type: 'thirty digits', family: 'number', values: ['-0.123456789012345678901234567890', '12345678.5'] },
  { type: 'thirty-eight digits', family: 'number', values: [`0.${nines(38)}`, '0.5'] },
  { type: 'digits on both sides', family: 'number', values: [`${nines(19)}.5`, `0.${nines(18)}`] },
  { type: 'too many digits on both sides', family: 'number', values: [`${nines(20)}.5`, `0.${nines(20)}`] },
  { type: 'forty digits of a fraction', family: 'number', values: [`0.${nines(40)}`, '0.5'] },
  { type: 'forty digits', family: 'number', values: [`${nines(20)}.${nines(20)}`, '0.5'] },
  { type: 'long digits with exponents', family: 'number', values: ['1.23456789012345678901e-7', '0.5'] },
  { type: 'long integers and fractions', family: 'number', values: ['9007199254740993', '0.5'] },
  { type: 'many with one long', family: 'number', values: [...many, '0.12345678901234567890'] },
  { type: 'beyond a double', family: 'number', values: ['1e400', '-1e400', '1e-400', '0.5'] },
  { type: 'one beyond a double of many', family: 'number', values: [...many, '1e400'] },
  { type: 'zeros', family: 'number', values: ['0.0', '0.000000000000000000000', '1.50000000000000000000'] },
  {
    type: 'promised decimal',
    family: 'number',
    values: ['1.25', '-0.5', '99999999.99'],
    more: 'contract: {columns: {v: "decimal(10,2)"}}',
  },
]

/** Texts that look like times. */
const times: readonly WrittenValues[] = [
  { type: 'dates', family: 'time', values: ['2024-02-29', '0001-01-01', '9999-12-31', '1582-10-10'] },
  { type: 'days that are none', family: 'time', values: ['2024-02-30', '2024-02-28'] },
  { type: 'one day of many that is none', family: 'time', values: [...days, '2024-02-30'] },
  { type: 'days of zeros', family: 'time', values: ['0000-00-00', '2024-02-28'] },
  { type: 'years of five digits', family: 'time', values: ['10000-01-01', '2024-02-28'] },
  { type: 'moments', family: 'time', values: ['2024-02-29 12:34:56', '2024-02-29T12:34:56.789012'] },
  { type: 'nanoseconds', family: 'time', values: ['2024-02-29 12:34:56.789012345', '2024-02-29 12:34:56'] },
  {
    type: 'one nanosecond of many',
    family: 'time',
    values: [...days.map(day => `${day} 12:00:00`), '2024-02-29 12:34:56.789012345'],
  },
  {
    type: 'moments with zones',
    family: 'instant',
    values: ['2024-02-29T12:34:56Z', '2024-02-29T12:34:56.5+05:30', '2024-02-29 12:34:56-11'],
  },
  {
    type: 'moments with and without zones',
    family: 'time',
    values: ['2024-02-29T12:34:56+02:00', '2024-02-29T12:34:56'],
  },
  { type: 'dates and moments', family: 'time', values: ['2024-02-29', '2024-02-29 12:34:56'] },
  { type: 'leap seconds', family: 'time', values: ['2016-12-31 23:59:60', '2016-12-31 23:59:59'] },
  { type: 'midnights', family: 'instant', values: ['2024-01-01 24:00:00', '2024-01-02 00:00:00'] },
  { type: 'clocks', family: 'time', values: ['12:34:56', '00:00', '23:59:59.999999'] },
  { type: 'late clocks', family: 'time', values: ['24:00:00', '25:00:00', '12:00:00.123456789'] },
  { type: 'endless days', family: 'text', values: ['infinity', '2024-01-01'] },
]

const words: readonly WrittenValues[] = [
  {
    type: 'texts',
    family: 'text',
    values: [
      ' ',
      ' a ',
      'é😀',
      '\ufeffx',
      'a\ufeff',
      '\\N',
      '"',
      'a,b',
      'a\nb',
      'a\r\nb',
      "it's",
      '\u200b',
      '\u0000x',
      '\u001a',
    ],
  },
  { type: 'text with a mark first', family: 'text', values: ['\ufeff', '\ufeff\ufeffx', 'x'] },
  { type: 'long texts', family: 'text', values: ['x'.repeat(100_000), 'é'.repeat(30_000)] },
  { type: 'words of nothing', family: 'text', values: ['NULL', 'null', 'None', 'NaN', 'a'] },
  { type: 'codes', family: 'text', values: ['007', '+4912', '1_000', '0x10', '1e', '--1'] },
  { type: 'booleans and others', family: 'text', values: ['true', 'false', 'yes'] },
]

export const csvValues: readonly WrittenValues[] = [
  ...numbers,
  ...times,
  ...words,
  { type: 'booleans', family: 'boolean', values: ['true', 'false', 'TRUE', 't', 'f'] },
  { type: 'numbers that are none', family: 'number', values: ['NaN', 'inf', '-Infinity', '0.5'] },
  { type: 'points without digits', family: 'number', values: ['.5', '5.', '-.25'] },
  { type: 'long points without digits', family: 'number', values: ['.12345678901234567890', '5.', '1'] },
  {
    type: 'decimal commas',
    family: 'number',
    values: ['0,5', '99999999999999,99'],
    more: 'comma',
  },
  { type: 'a number in spaces', family: 'text', values: [' 1', '2 ', '3'] },
]

export const jsonValues: readonly WrittenValues[] = [
  ...numbers,
  ...[...times, ...words].map(each => ({ ...each, values: each.values.map(text) })),
  { type: 'booleans', family: 'boolean', values: ['true', 'false'] },
  { type: 'empty texts', family: 'text', values: ['""', '"a"'] },
  { type: 'halves of characters', family: 'text', values: ['"\\ud800"', '"x\\udc00y"', '"a"'] },
  { type: 'escapes', family: 'text', values: ['"\\u0041\\/\\b\\f"', '"\\ud83d\\ude00"'] },
  { type: 'mixed kinds', family: 'text', values: ['1', '"1"', 'true', '[1]', '{"a":1}'] },
  { type: 'mixed scalars', family: 'text', values: ['1', '"one"', 'true'] },
  { type: 'numbers and texts', family: 'number', values: [...many, '"12345678901234567890.5"'] },
  ...[
    ['objects', ['{"a":1,"b":"x"}', '{"a":null}', '{}']],
    ['objects with long numbers', ['{"a":99999999999999.99,"b":12345678901234567890123}', '{"a":0.5}']],
    ['objects with marks', ['{"a":"\\ufeffx"}', '{"a":"x"}']],
    ['lists', ['[1,2]', '[]', '[null]', '[0.1,1e400]']],
    ['lists of long numbers', ['[99999999999999.99]', '[0.5]']],
    ['lists of lists', ['[[1],[2,[3]]]', '[]']],
    [
      'doubled keys far within',
      ['{"a":{"b":{"c":{"d":{"e":1,"e":2}}}}}', '{"a":{"b":{"c":[{"d":1,"d":2}]}}}'],
    ],
    ['keys of zeros', ['{"10":1,"9":2,"":3}', '{"a b":1}']],
  ].map(([type, values]) => ({
    type: `document: ${type}`,
    family: 'json' as const,
    values: values as string[],
    more: 'contract: {columns: {v: json}}',
  })),
  ...['{"a":1,"a":2}', '{"o":{"a":1,"a":2}}', '[{"a":1,"a":2}]'].map(value => ({
    ...{ type: `doubled keys in ${value}`, family: 'json' as const, values: [value, '{}'] },
    refusedAs: 'source-unreadable',
  })),
]
