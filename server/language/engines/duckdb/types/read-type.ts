/**
 * Parses types like DuckDB (`decimal(12, 2)`, `struct(a int, b text[])`, `timestamp with time zone`), and
 * reports what is wrong with other texts.
 */
import type { TypeProblem } from '../../engine.ts'
import type { SqlToken } from '../../sql-token.ts'
import { type ScalarType, type SqlType, scalarType, type TypeField } from '../../sql-type.ts'
import { TypeReader } from '../../type-reader.ts'
import { duckdbTokens } from '../tokens.ts'
import { intervalUnits, notAlone, parametersOf, printedNames, typeNames } from './type-names.ts'

/** DuckDB rejects nesting deeper than about a thousand levels too. The limit protects the stack. */
const deepest = 500

/**
 * Parses a type. `strict` accepts only what users may write. Otherwise it also accepts what DuckDB prints but
 * does not read: unnamed fields, and names of types that only a database knows.
 */
export function readType(text: string, strict: boolean): SqlType | TypeProblem {
  return new DuckdbTypeReader(text, strict, duckdbTokens(text)).read()
}

class DuckdbTypeReader extends TypeReader {
  protected whole(): SqlType {
    return this.type(0)
  }

  private type(depth: number): SqlType {
    if (depth > deepest) this.fail('it is nested too deep')
    let type = this.named(depth)
    for (let level = depth; ; level++) {
      if (level > deepest) this.fail('it is nested too deep')
      const hasWord = this.takeWord('array')
      if (this.take('[')) {
        const size = this.kind() === 'number' ? this.number() : undefined
        this.expect(']')
        type = size === undefined ? { kind: 'list', element: type } : { kind: 'array', element: type, size }
      } else if (hasWord) type = { kind: 'list', element: type }
      else return type
    }
  }

  private named(depth: number): SqlType {
    const token = this.tokens[this.next]
    const name = this.name().toLowerCase()
    if (name === 'struct' || name === 'row') {
      return { kind: 'struct', fields: this.list(() => this.field(depth + 1)) }
    }
    if (name === 'union') return { kind: 'union', members: this.list(() => this.field(depth + 1)) }
    if (name === 'map') return this.pair(depth + 1)
    if (name === 'enum') return { kind: 'enum', values: this.list(() => this.string()) }
    if (name === 'double' && token?.kind === 'word') this.takeWord('precision')
    if (name === 'character' || name === 'national') return this.characters(name)
    if (!typeNames.has(name)) return this.unknown(token, name)
    const parameters = this.parameters(name)
    const isZoned = (name === 'timestamp' || name === 'time') && this.zone()
    if (isZoned && parameters.length > 0) this.fail(`${name} with time zone takes no parameters`)
    return isZoned ? scalarType(`${name.toUpperCase()} WITH TIME ZONE`) : scalarOf(name, parameters)
  }

  private unknown(token: SqlToken | undefined, name: string): SqlType {
    const { start, end } = token ?? { start: 0, end: this.text.length }
    const written = this.text.slice(start, end)
    if (!this.strict) return name === 'null' ? scalarType('"NULL"') : { kind: 'unknown', text: written }
    if (notAlone.has(name)) this.fail(`"${name}" stands for no type by itself`)
    this.noType({ start, end })
  }

  private characters(name: string): SqlType {
    if (name === 'national' && !this.takeWord('character') && !this.takeWord('char'))
      this.fail('"national" needs "character"')
    this.takeWord('varying')
    this.parameters('varchar')
    return scalarType('VARCHAR')
  }

  /** Returns the numbers of `(12, 2)` for types that take them. */
  private parameters(name: string): readonly number[] {
    if (name === 'interval' && this.kind() === 'word' && intervalUnits.has(this.word())) this.next++
    if (!this.take('(')) return []
    const takes = parametersOf(name)
    if (takes === undefined) this.fail(`${name} takes no parameters`)
    const values = [this.number()]
    while (this.take(',')) values.push(this.number())
    this.expect(')')
    const problem = takes(values)
    if (problem !== undefined) this.fail(problem)
    return values
  }

  private field(depth: number): TypeField {
    const start = this.next
    const name = this.name()
    const isAlone = this.kind() === 'punctuation' || (this.kind() === 'word' && this.word() === 'with')
    if (this.strict || !isAlone) return { name, type: this.type(depth) }
    this.next = start
    return { name: undefined, type: this.type(depth) }
  }

  private pair(depth: number): SqlType {
    this.expect('(')
    const key = this.type(depth)
    this.expect(',')
    const value = this.type(depth)
    this.expect(')')
    return { kind: 'map', key, value }
  }

  private list<T>(item: () => T): readonly T[] {
    this.expect('(')
    const items: T[] = []
    do items.push(item())
    while (this.take(','))
    this.expect(')')
    return items
  }

  private string(): string {
    if (this.kind() !== 'string') this.fail("the values of an enum are texts in '…'")
    const token = this.tokens[this.next++]
    return this.text.slice((token?.start ?? 0) + 1, (token?.end ?? 0) - 1).replaceAll("''", "'")
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
}

/** Makes a scalar type. The length of a text or bit string has no effect; other numbers select the type. */
function scalarOf(name: string, [first, second]: readonly number[]): ScalarType {
  const printed = printedNames.get(name) ?? name.toUpperCase()
  if (printed === 'DECIMAL') return scalarType(printed, first === undefined ? [18, 3] : [first, second ?? 0])
  if (first === undefined) return scalarType(printed)
  if (printed === 'FLOAT') return scalarType(first > 24 ? 'DOUBLE' : 'FLOAT')
  return scalarType(printed === 'TIMESTAMP' ? timestampOf(first) : printed)
}

/** Returns the timestamp type by its number of fractional digits. */
function timestampOf(digits: number): string {
  if (digits === 0) return 'TIMESTAMP_S'
  if (digits <= 3) return 'TIMESTAMP_MS'
  return digits <= 6 ? 'TIMESTAMP' : 'TIMESTAMP_NS'
}
