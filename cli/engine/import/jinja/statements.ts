/** A template as a tree of statements. */
import { type Expression, type Given, Reader, readExpression, readGiven, readTuple } from './expressions.ts'
import { isBlockSet, type Piece, piecesOf } from './pieces.ts'
import { JinjaProblem, type Template } from './problem.ts'

export interface Parameter {
  readonly name: string
  readonly usual: Expression | undefined
}

type Body = readonly Statement[]

/** What a macro is besides its place. */
export interface MacroParts {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly body: Body
}

export type Statement = { readonly at: number } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'comment'; readonly text: string; readonly isAlone: boolean }
  | { readonly kind: 'output' | 'do'; readonly value: Expression }
  | {
      readonly kind: 'if'
      readonly branches: readonly { readonly condition: Expression | undefined; readonly body: Body }[]
    }
  | {
      readonly kind: 'for'
      readonly targets: readonly Expression[]
      readonly over: Expression
      readonly condition: Expression | undefined
      readonly body: Body
      readonly otherwise: Body
    }
  | { readonly kind: 'set'; readonly targets: readonly Expression[]; readonly value: Expression }
  | {
      readonly kind: 'capture'
      readonly target: Expression
      readonly filters: readonly { readonly name: string; readonly given: Given }[]
      readonly body: Body
    }
  | ({ readonly kind: 'macro' } & MacroParts)
  | {
      readonly kind: 'call'
      readonly parameters: readonly Parameter[]
      readonly call: Expression
      readonly body: Body
    }
  | { readonly kind: 'filter'; readonly name: string; readonly given: Given; readonly body: Body }
  | {
      readonly kind: 'with'
      readonly names: readonly { readonly name: string; readonly value: Expression }[]
      readonly body: Body
    }
  | { readonly kind: 'break' | 'continue' }
  /** Blocks of dbt: `{% docs %}`, `{% snapshot %}`, `{% test %}`, `{% materialization %}`. */
  | ({ readonly kind: 'block'; readonly word: string } & MacroParts)
)

export interface ParseOptions {
  /** See `piecesOf`. */
  readonly tidy: boolean
  /** The words of dbt's own blocks that are known in this file. */
  readonly blocks?: readonly string[]
}

export function parseTemplate(template: Template, options: ParseOptions): readonly Statement[] {
  const parser = new Parser(template, piecesOf(template, options.tidy), options.blocks ?? [])
  return parser.body([], undefined)
}

/** Statements nested more deeply are nobody's own writing. */
const deepest = 100

class Parser {
  readonly #template: Template
  readonly #pieces: readonly Piece[]
  readonly #blocks: readonly string[]
  #index = 0
  #depth = 0
  /** The reader of the tag that ended the last body. */
  #end: Reader

  constructor(template: Template, pieces: readonly Piece[], blocks: readonly string[]) {
    this.#template = template
    this.#pieces = pieces
    this.#blocks = blocks
    this.#end = new Reader(template, [])
  }

  /** Reads up to one of the ending words, or up to the end of the text. */
  body(
    ends: readonly string[],
    opened: { readonly word: string; readonly at: number } | undefined,
  ): Statement[] {
    if (++this.#depth > deepest) throw this.#problem('the blocks are nested too deeply', opened?.at ?? 0)
    const statements: Statement[] = []
    for (let piece = this.#take(); piece !== undefined; piece = this.#take()) {
      if (piece.kind === 'statement') {
        const reader = new Reader(this.#template, piece.tokens)
        if (reader.next.kind === 'name' && ends.includes(reader.next.value)) {
          this.#end = reader
          this.#depth--
          return statements
        }
        statements.push(this.#statement(reader, piece))
      } else statements.push(this.#simple(piece))
    }
    this.#depth--
    if (opened === undefined) return statements
    throw this.#problem(`the block is not closed with {% ${ends.at(-1)} %}`, opened.at)
  }

  #take(): Piece | undefined {
    return this.#pieces[this.#index++]
  }

  #problem(message: string, at: number): JinjaProblem {
    return new JinjaProblem(message, { template: this.#template, at })
  }

  #simple(piece: Piece): Statement {
    if (piece.kind === 'text') return { kind: 'text', at: piece.at, text: piece.text }
    if (piece.kind === 'comment') return piece
    return { kind: 'output', at: piece.at, value: this.#whole(new Reader(this.#template, piece.tokens)) }
  }

  #statement(reader: Reader, piece: Extract<Piece, { kind: 'output' | 'statement' }>): Statement {
    const { at } = piece
    const word = reader.wantName()
    if (this.#blocks.includes(word)) return this.#block(word, reader, at)
    switch (word) {
      case 'if':
        return this.#if(reader, at)
      case 'for':
        return this.#for(reader, at)
      case 'set':
        return isBlockSet(piece.tokens) ? this.#capture(reader, at) : this.#set(reader, at)
      case 'macro':
        return { kind: 'macro', at, ...this.#macro(reader, 'macro', at) }
      case 'call':
        return this.#call(reader, at)
      case 'filter':
        return this.#filter(reader, at)
      case 'with':
        return this.#with(reader, at)
      case 'do':
        return { kind: 'do', at, value: this.#whole(reader) }
      case 'break':
      case 'continue':
        reader.wantEnd()
        return { kind: word, at }
      default:
        throw this.#problem(`{% ${word} %} is not understood here`, at)
    }
  }

  #whole(reader: Reader): Expression {
    const value = readTuple(reader)
    reader.wantEnd()
    return value
  }

  #if(reader: Reader, at: number): Statement {
    const branches: { condition: Expression | undefined; body: readonly Statement[] }[] = []
    let condition: Expression | undefined = this.#whole(reader)
    for (;;) {
      const body = this.body(['elif', 'else', 'endif'], { word: 'if', at })
      branches.push({ condition, body })
      const end = this.#end
      const word = end.wantName()
      if (word === 'endif') return { kind: 'if', at, branches }
      condition = word === 'elif' ? this.#whole(end) : undefined
    }
  }

  #for(reader: Reader, at: number): Statement {
    const targets = this.#targets(reader)
    reader.want('in')
    const over = reader.inLoopHead(() => readTuple(reader))
    const condition = reader.takes('if') ? readExpression(reader) : undefined
    if (reader.sees('recursive')) reader.fail('recursive loops are not known')
    reader.wantEnd()
    const body = this.body(['else', 'endfor'], { word: 'for', at })
    const isElse = this.#end.wantName() === 'else'
    const otherwise = isElse ? this.body(['endfor'], { word: 'for', at }) : []
    return { kind: 'for', at, targets, over, condition, body, otherwise }
  }

  #targets(reader: Reader): readonly Expression[] {
    const isBracket = reader.takes('(')
    const targets = [readName(reader)]
    while (reader.takes(',')) targets.push(readName(reader))
    if (isBracket) reader.want(')')
    return targets
  }

  #set(reader: Reader, at: number): Statement {
    const targets = [readTarget(reader)]
    while (reader.takes(',')) targets.push(readTarget(reader))
    reader.want('=')
    return { kind: 'set', at, targets, value: this.#whole(reader) }
  }

  #capture(reader: Reader, at: number): Statement {
    const target = readTarget(reader)
    const filters: { name: string; given: Given }[] = []
    while (reader.takes('|')) filters.push({ name: reader.wantName(), given: this.#given(reader) })
    reader.wantEnd()
    return { kind: 'capture', at, target, filters, body: this.body(['endset'], { word: 'set', at }) }
  }

  #given(reader: Reader): Given {
    return reader.takes('(') ? readGiven(reader) : { positional: [], named: [] }
  }

  #macro(reader: Reader, word: string, at: number): MacroParts {
    const name = reader.wantName()
    reader.want('(')
    const parameters = this.#parameters(reader)
    reader.wantEnd()
    return { name, parameters, body: this.body([`end${word}`], { word, at }) }
  }

  #parameters(reader: Reader): readonly Parameter[] {
    const parameters: Parameter[] = []
    while (!reader.takes(')')) {
      const name = reader.wantName()
      const usual = reader.takes('=') ? readExpression(reader) : undefined
      parameters.push({ name, usual })
      if (!reader.sees(')')) reader.want(',')
    }
    return parameters
  }

  #call(reader: Reader, at: number): Statement {
    const parameters = reader.takes('(') ? this.#parameters(reader) : []
    const call = this.#whole(reader)
    return { kind: 'call', at, parameters, call, body: this.body(['endcall'], { word: 'call', at }) }
  }

  #filter(reader: Reader, at: number): Statement {
    const name = reader.wantName()
    const given = this.#given(reader)
    reader.wantEnd()
    return { kind: 'filter', at, name, given, body: this.body(['endfilter'], { word: 'filter', at }) }
  }

  #with(reader: Reader, at: number): Statement {
    const names: { name: string; value: Expression }[] = []
    while (!reader.isAtEnd()) {
      const name = reader.wantName()
      reader.want('=')
      names.push({ name, value: readExpression(reader) })
      if (!reader.isAtEnd()) reader.want(',')
    }
    return { kind: 'with', at, names, body: this.body(['endwith'], { word: 'with', at }) }
  }

  #block(word: string, reader: Reader, at: number): Statement {
    if (word.endsWith('test')) return { kind: 'block', at, word, ...this.#macro(reader, word, at) }
    const name = reader.wantName()
    return { kind: 'block', at, word, name, parameters: [], body: this.body([`end${word}`], { word, at }) }
  }
}

function readName(reader: Reader): Expression {
  const { at } = reader.next
  return { kind: 'name', at, name: reader.wantName() }
}

/** A name, or a member of a namespace: `{% set ns.total = 1 %}`. */
function readTarget(reader: Reader): Expression {
  const of = readName(reader)
  return reader.takes('.') ? { kind: 'member', at: of.at, of, name: reader.wantName() } : of
}
