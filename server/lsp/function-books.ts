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

  /**
   * Reads them once: when all files of a project are checked and nobody types, or at the first request for one. It
   * takes a process of its own for a quarter of a second, and 20 ms of this one: read while somebody began to type, they
   * made one keystroke of twenty take 24 ms instead of 21 in a project of 1,000 assets.
   */
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
