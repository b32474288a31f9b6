/**
 * Parses types like PostgreSQL (`numeric(12, 2)`, `timestamp(3) with time zone`, `text[]`), and reports what is
 * wrong with other texts.
 */
import type { TypeProblem } from '../../engine.ts'
import type { SqlToken } from '../../sql-token.ts'
import { type ScalarType, type SqlType, scalarType } from '../../sql-type.ts'
import { TypeReader } from '../../type-reader.ts'
import { plainName, quotedName } from '../names.ts'
import { postgresTokens } from '../tokens.ts'
import {
  grammarNames,
  intervalUnits,
  isTimed,
  parameterProblem,
  printedNames,
  serials,
} from './type-names.ts'

/** Parses a type. `strict` accepts only types that every database has. */
export function readType(text: string, strict: boolean): SqlType | TypeProblem {
  return new PostgresTypeReader(text, strict, postgresTokens(text)).read()
}

class PostgresTypeReader extends TypeReader {
  protected whole(): SqlType {
    return this.type()
  }

  /** PostgreSQL keeps neither the size of an array nor how many dimensions it has. */
  private type(): SqlType {
    const element = this.named()
    let isArray = this.takeWord('array')
    if (isArray && this.take('[')) this.bound()
    while (this.take('[')) {
      isArray = true
      this.bound()
    }
    return isArray ? { kind: 'list', element } : element
  }

  private bound(): void {
    if (this.kind() === 'number') this.number()
    this.expect(']')
  }

  private named(): SqlType {
    const token = this.nameToken()
    if (this.word() === '.' && this.name(token) === 'pg_catalog') {
      this.next++
      return this.plain(this.nameToken(), true)
    }
    return this.plain(token, false)
  }

  private plain(token: SqlToken, isQualified: boolean): SqlType {
    const name = this.name(token)
    const isWord = token.kind === 'word' && !isQualified
    if (isWord) {
      const type = this.ofGrammar(name)
      if (type !== undefined) return type
    }
    if (name === 'char' && !isWord) return scalarType('"char"')
    const printed = (isWord ? grammarNames.get(name) : undefined) ?? printedNames.get(name)
    if (printed === undefined) return this.unknown(token, name)
    const parameters = this.parameters(printed)
    return this.timed(printed === 'bpchar' && parameters.length > 0 ? 'character' : printed, parameters)
  }

  /** Reads the types with a syntax of their own. */
  private ofGrammar(name: string): SqlType | undefined {
    switch (name) {
      case 'double':
        if (!this.takeWord('precision')) this.fail('"double" needs "precision"')
        return scalarType('double precision')
      case 'national':
        if (!this.takeWord('character') && !this.takeWord('char')) this.fail('"national" needs "character"')
        return this.characters()
      case 'char':
      case 'character':
      case 'nchar':
        return this.characters()
      case 'bit':
        return this.sized(this.takeWord('varying') ? 'bit varying' : 'bit', 'bit')
      case 'float':
        return this.float()
      case 'interval':
        return this.interval()
      case 'time':
      case 'timestamp': {
        const digits = this.numbers()
        return this.timed(`${name} ${this.zone() ? 'with' : 'without'} time zone`, digits)
      }
      default:
        return undefined
    }
  }

  private characters(): SqlType {
    return this.sized(this.takeWord('varying') ? 'character varying' : 'character', 'character')
  }

  /** Returns a type with a length; one that is written without is of one character or bit. */
  private sized(printed: string, short: string): SqlType {
    const parameters = this.parameters(printed)
    return scalarType(printed, parameters.length === 0 && printed === short ? [1] : parameters)
  }

  private float(): SqlType {
    const [bits = 53, more] = this.numbers()
    if (bits < 1 || bits > 53 || more !== undefined) this.fail('a float has 1 to 53 bits')
    return scalarType(bits < 25 ? 'real' : 'double precision')
  }

  private interval(): SqlType {
    let fields = ''
    if (this.kind() === 'word' && intervalUnits.has(this.word())) {
      fields = ` ${this.word()}`
      this.next++
      if (this.takeWord('to')) {
        if (!intervalUnits.has(this.word())) this.fail('a unit is missing after "to"')
        fields += ` to ${this.word()}`
        this.next++
      }
    }
    return this.timed(`interval${fields}`, this.numbers())
  }

  /** Returns a type of times with its digits of a second, of which there are at most six. */
  private timed(printed: string, parameters: readonly number[]): SqlType {
    if (!isTimed(printed))
      return printed === 'numeric' ? numeric(parameters) : scalarType(printed, parameters)
    const [digits, more] = parameters
    if (more !== undefined) this.fail('a time takes one number of digits')
    return scalarType(printed, digits === undefined ? [] : [Math.min(digits, 6)])
  }

  private parameters(printed: string): readonly number[] {
    const values = this.numbers()
    const problem = values.length === 0 ? undefined : parameterProblem(printed, values)
    if (problem !== undefined) this.fail(problem)
    return values
  }

  private numbers(): readonly number[] {
    if (!this.take('(')) return []
    const values = [this.number()]
    while (this.take(',')) values.push(this.number())
    this.expect(')')
    return values
  }

  private number(): number {
    const isNegative = this.kind() === 'operator' && this.word() === '-'
    if (isNegative) this.next++
    const value = this.kind() === 'number' ? Number(this.word()) : Number.NaN
    if (!Number.isInteger(value)) this.fail('a whole number is missing')
    this.next++
    return isNegative ? -value : value
  }

  private unknown(token: SqlToken, name: string): SqlType {
    if (serials.has(name)) this.fail(`"${name}" makes a sequence: name an integer type`)
    if (!this.strict) return { kind: 'unknown', text: this.text }
    this.noType(token)
  }

  private nameToken(): SqlToken {
    const token = this.tokens[this.next]
    if (token?.kind !== 'word' && token?.kind !== 'quoted') this.fail('a name is missing')
    this.next++
    return token as SqlToken
  }

  private name({ kind, start, end }: SqlToken): string {
    const written = this.text.slice(start, end)
    return kind === 'word' ? plainName(written) : quotedName(written)
  }
}

function numeric([digits, scale]: readonly number[]): ScalarType {
  return scalarType('numeric', digits === undefined ? [] : [digits, scale ?? 0])
}
