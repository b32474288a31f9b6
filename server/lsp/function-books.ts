/** The functions that editors know, of each engine that a project has. */
import { readFunctionBook } from '../catalog/index.ts'
import type { Engine, FunctionBook } from '../language/index.ts'
import type { Log } from './log.ts'

const noFunctions: FunctionBook = new Map()

interface Books {
  own: FunctionBook
  extended: FunctionBook
  reading?: Promise<void>
}

export class FunctionBooks {
  readonly #log: Log
  readonly #books = new Map<string, Books>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Returns the functions; empty until they are read, so that callers need not wait. */
  book(engine: Engine): FunctionBook {
    const { own, extended } = this.#of(engine)
    return extended.size > 0 ? extended : own
  }

  /** Reads them once: after all files of a project were checked, or at the first request. */
  async read(engine: Engine): Promise<void> {
    const books = this.#of(engine)
    books.reading ??= readFunctionBook(engine).then(
      book => {
        books.own = book
      },
      error => this.#log.error('cannot read the functions of the warehouse', error),
    )
    await books.reading
  }

  /** Adds the functions of loaded extensions. */
  extend(engine: Engine, load: readonly string[]): void {
    const books = this.#of(engine)
    readFunctionBook(engine, load).then(
      book => {
        books.extended = new Map([...books.extended, ...book])
      },
      error => this.#log.error('cannot read the functions of extensions', error),
    )
  }

  #of({ kind }: Engine): Books {
    let books = this.#books.get(kind)
    if (books === undefined) {
      books = { own: noFunctions, extended: noFunctions }
      this.#books.set(kind, books)
    }
    return books
  }
}
