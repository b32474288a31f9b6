/** Reads PostgreSQL's errors, whose fields say what other engines say in words. */
import { type BindError, type BindErrorSubtype, bindError } from '../bind-error.ts'
import { unknownTypeName } from './unknown-type.ts'

/** What the protocol sends beside the message. */
interface Fields {
  readonly code?: string
  /** 1-based, in characters (code points). */
  readonly position?: string
  readonly hint?: string
}

/** Returns the error with its place as a byte offset in `sql`. One without a code did not come from the server. */
export function readBindError(error: unknown, sql: string): BindError {
  const message = error instanceof Error ? error.message : String(error)
  const { code, position, hint } = (error ?? {}) as Fields
  if (code === undefined) return bindError('fatal', message)
  const at = position === undefined ? undefined : bytesBefore(sql, Number(position) - 1)
  return { ...bindError(kindOf(code, message), message, at), ...named(code, message), hint }
}

function bytesBefore(sql: string, characters: number): number {
  let left = characters
  let units = 0
  for (const character of sql) {
    if (left-- <= 0) break
    units += character.length
  }
  return Buffer.byteLength(sql.slice(0, units))
}

/** 26000: the query is missing that was sent before, as the stack of WebAssembly was too small for it. */
const kinds: Readonly<Record<string, BindError['kind']>> = {
  '26000': 'too-deep',
  '42601': 'syntax',
  '42P01': 'catalog',
  '42704': 'catalog',
  '42883': 'catalog',
  '42501': 'permission',
  '54001': 'too-deep',
  '53200': 'memory',
  XX000: 'fatal',
}

/** Classes 22 and 23 are about values, 42 about names, types and rules of SQL. */
function kindOf(code: string, message: string): BindError['kind'] {
  if (message.startsWith('memory exhausted')) return 'too-deep'
  // The parser took it: what is wrong is known only when names have a meaning.
  if (code === '42601' && !isOfParser.test(message)) return 'binder'
  return kinds[code] ?? (code.startsWith('22') ? 'conversion' : code.startsWith('42') ? 'binder' : 'other')
}

const isOfParser = /\bat (?:or near "|end of input)/

const subtypes: Readonly<Record<string, BindErrorSubtype>> = {
  '42703': 'unknown-column',
  '42725': 'ambiguous-call',
  '42803': 'ungrouped-column',
  '42804': 'type-mismatch',
  '42P20': 'misplaced-call',
}

function subtypeOf(code: string, message: string): BindErrorSubtype {
  if (message.includes(unknownTypeName)) return 'unknown-value'
  const isMisplaced = code === '42803' && !/must appear in the GROUP BY|ungrouped column/.test(message)
  return isMisplaced ? 'misplaced-call' : (subtypes[code] ?? 'other')
}

const missingKinds: Readonly<Record<string, string>> = {
  '42P01': 'Table',
  '42704': 'Type',
}

/** The server quotes the name that it does not know; a function or operator it writes with its arguments. */
function named(code: string, message: string): Pick<BindError, 'missing' | 'name' | 'call' | 'subtype'> {
  const subtype = subtypeOf(code, message)
  const call = callIn(message)
  const isFunction = code === '42883' && /^function /.test(message)
  if (call !== undefined)
    return {
      missing: isFunction ? 'Scalar Function' : undefined,
      name: call.slice(0, call.indexOf('(')),
      call,
      subtype,
    }
  const name =
    /"((?:[^"]|"")+)"/.exec(message)?.[1] ?? /^column (?:\S+\.)?(\S+) does not exist/.exec(message)?.[1]
  return { missing: missingKinds[code], name, call, subtype }
}

/** Reads `function f(integer) does not exist` and `operator is not unique: unknown + unknown`. */
function callIn(message: string): string | undefined {
  const called = /^(?:function|procedure|aggregate) (.+) (?:does not exist|is not unique)$/.exec(message)?.[1]
  if (called !== undefined) return called.includes('(') ? called : undefined
  const operation = /^operator (?:does not exist|is not unique): (.+)$/.exec(message)?.[1]
  if (operation === undefined) return undefined
  const [, left, operator, right] = /^(.*?) ?([-+*/<>=~!@#%^&|`?]+) (.+)$/.exec(operation) ?? []
  if (operator === undefined) return undefined
  return `${operator}(${left === '' ? '' : `${left}, `}${right})`
}
