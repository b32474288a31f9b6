/** Guesses which literal was meant by one that does not fit; returns none where the user alone can know. */
import { nearestNames } from '../../language/text/nearest-names.ts'

/** Returns the guesses, best first. `as` is the type that the literal must have. */
export function nearestLiterals(text: string, as: string): readonly string[] {
  const found = makers.find(([type]) => type.test(as))?.[1](text.trim())
  return found === undefined || found === text ? [] : [found]
}

const makers: readonly (readonly [RegExp, (text: string) => string | undefined])[] = [
  [/^(DATE|TIMESTAMP)\b/, nearestTime],
  [/^BOOLEAN$/, nearestBoolean],
  [/^INTERVAL$/, nearestInterval],
  [/^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/, text => nearestNumber(text, false)],
  [/^(DOUBLE|FLOAT|DECIMAL)\b/, text => nearestNumber(text, true)],
]

// ---------------------------------------------------------------- points in time

/** Reads `2024-02-30`, `30.1.2024`, `12/31/2024`, `20240131`; the text after the day is kept. */
const dayForms: readonly (readonly [
  RegExp,
  (found: RegExpExecArray) => readonly [string, string, string],
])[] = [
  [
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?=$|[T ])/,
    ([, year = '', month = '', day = '']) => [year, month, day],
  ],
  [/^(\d{4})(\d{2})(\d{2})(?=$|[T ])/, ([, year = '', month = '', day = '']) => [year, month, day]],
  [/^(\d{1,2})\.(\d{1,2})\.(\d{4})(?=$|[T ])/, ([, day = '', month = '', year = '']) => [year, month, day]],
  // The order of day and month must be certain.
  [
    /^(1[3-9]|2\d|3[01])\/(\d{1,2})\/(\d{4})(?=$|[T ])/,
    ([, day = '', month = '', year = '']) => [year, month, day],
  ],
  [
    /^(\d{1,2})\/(1[3-9]|2\d|3[01])\/(\d{4})(?=$|[T ])/,
    ([, month = '', day = '', year = '']) => [year, month, day],
  ],
]

function nearestTime(text: string): string | undefined {
  for (const [form, read] of dayForms) {
    const found = form.exec(text)
    if (found === null) continue
    const [year, month, day] = read(found).map(Number) as [number, number, number]
    if (month < 1 || month > 12 || day < 1 || day > 31) return undefined
    const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
    const written = [month, Math.min(day, last)].map(part => String(part).padStart(2, '0'))
    return `${String(year).padStart(4, '0')}-${written.join('-')}${text.slice(found[0].length)}`
  }
  return undefined
}

const units = 'year month week day hour minute second millisecond microsecond'.split(' ')

/** Corrects `1 dayz` and `2 huors`. */
function nearestInterval(text: string): string | undefined {
  let isSure = true
  const repaired = text.replace(/[A-Za-z]+/g, word => {
    const names = units.flatMap(unit => [unit, `${unit}s`])
    if (names.includes(word.toLowerCase())) return word
    const [nearest] = nearestNames(word, names)
    isSure &&= nearest !== undefined
    return nearest ?? word
  })
  return isSure && /\d\s*[A-Za-z]/.test(repaired) ? repaired : undefined
}

// ---------------------------------------------------------------- others

const truths: Readonly<Record<string, string>> = { yes: 'true', on: 'true', no: 'false', off: 'false' }

function nearestBoolean(text: string): string | undefined {
  const [nearest = ''] = nearestNames(text, ['true', 'false', ...Object.keys(truths)])
  return nearest === '' ? undefined : (truths[nearest] ?? nearest)
}

/** Corrects `1,000` and `1 000 000`; with `mayBeBroken` also `1,5`. */
function nearestNumber(text: string, mayBeBroken: boolean): string | undefined {
  if (/^[-+]?\d{1,3}([,_ ']\d{3})+(\.\d+)?$/.test(text)) {
    const plain = text.replace(/[,_ ']/g, '')
    return mayBeBroken || !plain.includes('.') ? plain : undefined
  }
  return mayBeBroken && /^[-+]?\d+,\d+$/.test(text) ? text.replace(',', '.') : undefined
}
