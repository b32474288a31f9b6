/**
 * Reads a type as DuckDB does (`decimal(12, 2)`, `struct(a int, b text[])`, `timestamp with time zone`) and says what
 * is wrong with it. Never asks a warehouse: a test holds it against DuckDB.
 */
import { type SqlToken, sqlTokens } from '../syntax/sql-tokens.ts'
import type { Range } from '../text/range.ts'

export interface TypeProblem {
  /** `unknown`: there is no type of this name. `malformed`: the text is none. */
  readonly kind: 'unknown' | 'malformed'
  /** The name, or why the text is no type, as the end of "is no type". */
  readonly text: string
  /** In the text. */
  readonly range: Range
}

/** Undefined: it is a type. */
export function typeProblem(text: string): TypeProblem | undefined {
  const reader = new TypeReader(text)
  try {
    reader.type()
    if (!reader.isAtEnd()) reader.fail('nothing more may follow')
    return undefined
  } catch (error) {
    if (error instanceof Unreadable) return error.problem
    throw error
  }
}

class Unreadable extends Error {
  readonly problem: TypeProblem

  constructor(problem: TypeProblem) {
    super(problem.text)
    this.problem = problem
  }
}

class TypeReader {
  private readonly text: string
  private readonly tokens: readonly SqlToken[]
  private next = 0

  constructor(text: string) {
    this.text = text
    this.tokens = sqlTokens(text)
  }

  isAtEnd(): boolean {
    return this.next >= this.tokens.length
  }

  type(): void {
    this.named()
    for (;;) {
      const hasWord = this.takeWord('array')
      if (this.take('[')) {
        if (this.kind() === 'number') this.number()
        this.expect(']')
      } else if (!hasWord) return
    }
  }

  private named(): void {
    const token = this.tokens[this.next]
    const name = this.name().toLowerCase()
    if (name === 'struct' || name === 'row' || name === 'union') this.list(() => this.field())
    else if (name === 'map') this.pair()
    else if (name === 'enum') this.list(() => this.string())
    else if (name === 'double' && token?.kind === 'word') this.takeWord('precision')
    else if (name === 'character' || name === 'national') this.characters(name)
    else if (!typeNames.has(name)) this.unknown(token, name)
    else this.parameters(name)
    if (name === 'timestamp' || name === 'time') this.zone()
  }

  private unknown(token: SqlToken | undefined, name: string): never {
    const { start, end } = token ?? { start: 0, end: this.text.length }
    if (notAlone.has(name)) this.fail(`"${name}" stands for no type by itself`)
    throw new Unreadable({ kind: 'unknown', text: this.text.slice(start, end), range: { start, end } })
  }

  private characters(name: string): void {
    if (name === 'national' && !this.takeWord('character') && !this.takeWord('char'))
      this.fail('"national" needs "character"')
    this.takeWord('varying')
    this.parameters('varchar')
  }

  private zone(): void {
    if (!this.takeWord('with') && !this.takeWord('without')) return
    for (const word of ['time', 'zone']) if (!this.takeWord(word)) this.fail(`"${word}" is missing`)
  }

  /** `(12, 2)` behind the types that take it. */
  private parameters(name: string): void {
    if (name === 'interval' && this.kind() === 'word' && intervalUnits.has(this.word())) this.next++
    if (!this.take('(')) return
    const takes = parametersOf(name)
    if (takes === undefined) this.fail(`${name} takes no parameters`)
    const values = [this.number()]
    while (this.take(',')) values.push(this.number())
    this.expect(')')
    const problem = takes(values)
    if (problem !== undefined) this.fail(problem)
  }

  private field(): void {
    this.name()
    this.type()
  }

  private pair(): void {
    this.expect('(')
    this.type()
    this.expect(',')
    this.type()
    this.expect(')')
  }

  private list(item: () => void): void {
    this.expect('(')
    do item()
    while (this.take(','))
    this.expect(')')
  }

  private string(): void {
    if (this.kind() !== 'string') this.fail("the values of an enum are texts in '…'")
    this.next++
  }

  private number(): number {
    const value = this.kind() === 'number' ? Number(this.word()) : Number.NaN
    if (!Number.isInteger(value)) this.fail('a whole number is missing')
    this.next++
    return value
  }

  private name(): string {
    if (this.kind() !== 'word' && this.kind() !== 'quoted') this.fail('a name is missing')
    const word = this.text.slice(this.tokens[this.next]?.start, this.tokens[this.next]?.end)
    this.next++
    return word.startsWith('"') ? word.slice(1, -1).replaceAll('""', '"') : word
  }

  private kind(): SqlToken['kind'] | undefined {
    return this.tokens[this.next]?.kind
  }

  private word(): string {
    const token = this.tokens[this.next]
    return token === undefined ? '' : this.text.slice(token.start, token.end).toLowerCase()
  }

  private takeWord(word: string): boolean {
    const isHere = this.kind() === 'word' && this.word() === word
    if (isHere) this.next++
    return isHere
  }

  private take(mark: string): boolean {
    const isHere = this.kind() === 'punctuation' && this.word() === mark
    if (isHere) this.next++
    return isHere
  }

  private expect(mark: string): void {
    if (!this.take(mark)) this.fail(`"${mark}" is missing`)
  }

  fail(text: string): never {
    throw new Unreadable({ kind: 'malformed', text, range: { start: 0, end: this.text.length } })
  }
}

type Takes = (values: readonly number[]) => string | undefined

function parametersOf(name: string): Takes | undefined {
  if (decimals.has(name)) return decimalProblem
  if (texts.has(name)) return ([, more]) => (more === undefined ? undefined : `${name} takes one length`)
  if (name === 'bit') return ([, more]) => (more === undefined ? undefined : 'bit takes one length')
  if (name === 'float')
    return ([bits = 0]) => (bits > 0 && bits < 54 ? undefined : 'float takes 1 to 53 bits')
  if (name === 'timestamp')
    return ([digits = 0, more]) =>
      more === undefined && digits <= 9 ? undefined : 'timestamp takes 0 to 9 digits of a second'
  return undefined
}

function decimalProblem([width = 0, scale = 0, more]: readonly number[]): string | undefined {
  if (more !== undefined) return 'a decimal takes a width and a scale'
  if (width < 1 || width > 38) return 'a decimal has 1 to 38 digits'
  return scale > width ? 'a decimal has no more digits behind the point than in all' : undefined
}

const decimals: ReadonlySet<string> = new Set(['decimal', 'numeric', 'dec'])
const texts: ReadonlySet<string> = new Set(['varchar', 'char', 'bpchar', 'text', 'string', 'nvarchar'])
const notAlone: ReadonlySet<string> = new Set(['array', 'list', 'null', 'any', 'type'])
const intervalUnits: ReadonlySet<string> = new Set(
  ['year', 'month', 'day', 'hour', 'minute', 'second'].flatMap(unit => [unit, `${unit}s`]),
)

/** Every name that stands for a type by itself. */
export const typeNames: ReadonlySet<string> = new Set(
  'bigint bignum binary bit bitstring blob bool boolean bpchar bytea char date datetime dec decimal double float float4 float8 geometry guid hugeint int int1 int128 int16 int2 int32 int4 int64 int8 integer integral interval json logical long numeric nvarchar oid real short signed smallint string text time time_ns timestamp timestamp_ms timestamp_ns timestamp_s timestamp_us timestamptz timetz tinyint ubigint uhugeint uint128 uint16 uint32 uint64 uint8 uinteger usmallint utinyint uuid varbinary varchar variant varint'.split(
    ' ',
  ),
)

/** What people mean when they misspell one. */
export const commonTypeNames: readonly string[] =
  'bigint blob boolean date decimal double float hugeint integer interval json numeric real smallint struct text time timestamp timestamptz tinyint uuid varchar'.split(
    ' ',
  )
