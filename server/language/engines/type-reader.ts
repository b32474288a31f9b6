/** Reads the text of a type, token by token. Each engine has the types; what it takes to read them is the same. */
import type { EngineTypes, TypeProblem } from './engine.ts'
import type { SqlToken } from './sql-token.ts'
import type { SqlType } from './sql-type.ts'

class Unreadable extends Error {
  readonly problem: TypeProblem

  constructor(problem: TypeProblem) {
    super(problem.text)
    this.problem = problem
  }
}

export abstract class TypeReader {
  protected readonly text: string
  protected readonly strict: boolean
  protected readonly tokens: readonly SqlToken[]
  protected next = 0

  constructor(text: string, strict: boolean, tokens: readonly SqlToken[]) {
    this.text = text
    this.strict = strict
    this.tokens = tokens
  }

  /** Reads the type that begins here. */
  protected abstract whole(): SqlType

  /** Returns what is wrong with a text that is no type. */
  read(): SqlType | TypeProblem {
    try {
      const type = this.whole()
      if (this.next < this.tokens.length) this.fail('nothing more may follow')
      return type
    } catch (error) {
      if (error instanceof Unreadable) return error.problem
      throw error
    }
  }

  /** Says that there is no type of the name that stands at a place. */
  protected noType({ start, end }: Pick<SqlToken, 'start' | 'end'>): never {
    throw new Unreadable({ kind: 'unknown', text: this.text.slice(start, end), range: { start, end } })
  }

  protected kind(): SqlToken['kind'] | undefined {
    return this.tokens[this.next]?.kind
  }

  /** In lower case. */
  protected word(): string {
    const token = this.tokens[this.next]
    return token === undefined ? '' : this.text.slice(token.start, token.end).toLowerCase()
  }

  protected takeWord(word: string): boolean {
    const isHere = this.kind() === 'word' && this.word() === word
    if (isHere) this.next++
    return isHere
  }

  protected take(mark: string): boolean {
    const isHere = this.kind() === 'punctuation' && this.word() === mark
    if (isHere) this.next++
    return isHere
  }

  protected expect(mark: string): void {
    if (!this.take(mark)) this.fail(`"${mark}" is missing`)
  }

  /** Returns whether a time zone follows. */
  protected zone(): boolean {
    const isWith = this.takeWord('with')
    if (!isWith && !this.takeWord('without')) return false
    for (const word of ['time', 'zone']) if (!this.takeWord(word)) this.fail(`"${word}" is missing`)
    return isWith
  }

  protected fail(text: string): never {
    throw new Unreadable({ kind: 'malformed', text, range: { start: 0, end: this.text.length } })
  }
}

/** A project has thousands of columns of a few types, but an editor sees many unfinished texts. */
const mostKnown = 10_000

/** Returns the methods of an engine's types that read texts, with a cache. */
export function typeTexts(
  read: (text: string, strict: boolean) => SqlType | TypeProblem,
): Pick<EngineTypes, 'parse' | 'problem'> {
  const known = new Map<string, SqlType>()
  return {
    parse(text) {
      let type = known.get(text)
      if (type === undefined) {
        if (known.size >= mostKnown) known.clear()
        const result = read(text, false)
        type = isProblem(result) ? { kind: 'unknown', text } : result
        known.set(text, type)
      }
      return type
    },
    problem(text) {
      const result = read(text, true)
      return isProblem(result) ? result : undefined
    },
  }
}

function isProblem(result: SqlType | TypeProblem): result is TypeProblem {
  return 'range' in result
}
