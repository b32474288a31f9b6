/**
 * SQL of other warehouses that DuckDB writes differently and that needs no thinking: functions whose arguments only
 * change places or names. All else is found by `svc validate`, at its place.
 */
import type { Engine, SqlToken } from '@svc/server/language'
import type { Rewritten } from '../dialect.ts'

type Rewrite = (args: readonly string[]) => string | undefined

const units = /^'?(microsecond|millisecond|second|minute|hour|day|week|month|quarter|year)s?'?$/i
const unitOf = (text: string) => units.exec(text.trim())?.[1]?.toLowerCase()

function added([part = '', count = '', date = '', ...rest]: readonly string[]): string | undefined {
  const unit = unitOf(part)
  if (unit === undefined || date === '' || rest.length > 0) return undefined
  const [size, word] = unit === 'quarter' ? [3, 'month'] : [1, unit]
  const steps = /^-?\d+$/.test(count.trim()) ? Number(count) * size : undefined
  if (steps !== undefined)
    return `(${date.trim()} ${steps < 0 ? '-' : '+'} interval ${Math.abs(steps)} ${word})`
  return `(${date.trim()} + (${count.trim()})${size === 1 ? '' : ` * ${size}`} * interval 1 ${word})`
}

function difference([part = '', from = '', to = '', ...rest]: readonly string[]): string | undefined {
  const unit = unitOf(part)
  return unit === undefined || to === '' || rest.length > 0 || part.trim().startsWith("'")
    ? undefined
    : `date_diff('${unit}', ${from.trim()}, ${to.trim()})`
}

const renamed =
  (name: string, count?: number): Rewrite =>
  args =>
    count === undefined || args.length === count ? `${name}(${args.join(',')})` : undefined

const rewrites = new Map<string, Rewrite>([
  ['dateadd', added],
  ['timestampadd', added],
  ['datediff', difference],
  ['timestampdiff', difference],
  ['nvl', renamed('coalesce')],
  ['zeroifnull', ([value = '', ...rest]) => (rest.length > 0 ? undefined : `coalesce(${value.trim()}, 0)`)],
  ['nullifzero', ([value = '', ...rest]) => (rest.length > 0 ? undefined : `nullif(${value.trim()}, 0)`)],
  ['iff', renamed('if', 3)],
  [
    'nvl2',
    ([value = '', then = '', other = '']) =>
      `case when ${value.trim()} is not null then ${then.trim()} else ${other.trim()} end`,
  ],
  ['getdate', ([first = '', ...rest]) => (first.trim() === '' && rest.length === 0 ? 'now()' : undefined)],
  ['sysdate', ([first = '', ...rest]) => (first.trim() === '' && rest.length === 0 ? 'now()' : undefined)],
])

/** Rewrites from the inside out, so that what is in the arguments is rewritten too. */
export function rewritten(sql: string, engine: Engine): Rewritten {
  const functions = new Set<string>()
  const rewrite = (text: string): string => {
    const tokens = engine.tokens(text)
    let result = ''
    let done = 0
    for (const [index, token] of tokens.entries()) {
      if (token.start < done || token.kind !== 'word') continue
      const name = text.slice(token.start, token.end).toLowerCase()
      const change = rewrites.get(name)
      const isMember = isSign(tokens[index - 1], text, '.')
      const call = change === undefined || isMember ? undefined : callAt(tokens, index + 1, text)
      const replacement = call === undefined ? undefined : change?.(call.args.map(rewrite))
      if (call === undefined || replacement === undefined) continue
      functions.add(name)
      result += text.slice(done, token.start) + replacement
      done = call.end
    }
    return result + text.slice(done)
  }
  return { sql: rewrite(sql), functions: [...functions] }
}

function isSign(token: SqlToken | undefined, text: string, sign: string): boolean {
  return token !== undefined && text.slice(token.start, token.end) === sign
}

/** Returns the arguments of the brackets that begin at a token. */
function callAt(tokens: readonly SqlToken[], open: number, text: string) {
  const first = tokens[open]
  if (first === undefined || !isSign(first, text, '(')) return undefined
  const args: string[] = []
  let depth = 0
  let start = first.end
  for (const token of tokens.slice(open)) {
    const sign = token.kind === 'punctuation' ? text.slice(token.start, token.end) : ''
    if (sign === '(' || sign === '[') depth++
    if (sign === ')' || sign === ']') depth--
    if (depth === 1 && sign === ',') {
      args.push(text.slice(start, token.start))
      start = token.end
    }
    if (depth === 0) return { args: [...args, text.slice(start, token.start)], end: token.end }
  }
  return undefined
}
