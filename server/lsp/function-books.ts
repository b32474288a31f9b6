/** The functions that editors know, of each engine that a project has. */
import { readFunctionBook } from '../catalog/index.ts'
import { getOrInsertComputed } from '../language/get-or-insert.ts'
import type { Engine, FunctionBook } from '../language/index.ts'
import type { Log } from './log.ts'

interface Book {
  functions: FunctionBook
  reading?: Promise<void>
}

export class FunctionBooks {
  readonly #log: Log
  readonly #books = new Map<string, Book>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Returns the functions; empty until they are read, so that callers need not wait. */
  book(engine: Engine): FunctionBook {
    return this.#of(engine).functions
  }

  /** Reads them once: after all files of a project were checked, or at the first request. */
  async read(engine: Engine): Promise<void> {
    const book = this.#of(engine)
    book.reading ??= this.#take('of the warehouse', readFunctionBook(engine), own => {
      book.functions = new Map([...own, ...book.functions])
    })
    await book.reading
  }

  /** Adds the functions of loaded extensions. */
  extend(engine: Engine, load: readonly string[]): void {
    const book = this.#of(engine)
    void this.#take('of extensions', readFunctionBook(engine, load), extended => {
      book.functions = new Map([...book.functions, ...extended])
    })
  }

  #take(
    which: string,
    reading: Promise<FunctionBook>,
    take: (functions: FunctionBook) => void,
  ): Promise<void> {
    return reading.then(take, error => this.#log.error(`cannot read the functions ${which}`, error))
  }

  #of({ kind }: Engine): Book {
    return getOrInsertComputed(this.#books, kind, () => ({ functions: new Map() }))
  }
}
