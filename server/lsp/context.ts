/** What every request has at hand. */
import {
  type CancellationToken,
  type ClientCapabilities,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver'
import type { FunctionBook, Knowledge } from '../language/features/knowledge.ts'
import type { Log } from './log.ts'
import type { Home, Session } from './session.ts'

export interface Context {
  readonly connection: Connection
  readonly session: Session
  readonly log: Log
  readonly capabilities: ClientCapabilities
  readonly now: () => Date
  /** Of an open document. */
  readonly versionOf: (uri: string) => number | undefined
  /** Resolves when the functions of the warehouse are known. */
  readonly functionsRead: () => Promise<void>
  /** It knows the commands of VS Code. */
  readonly isVsCode: boolean
}

/** A document that is asked about. */
export interface Asked extends Home {
  readonly uri: string
  readonly text: string
  readonly knowledge: Knowledge
}

/** Undefined: the document belongs to nothing that is open. */
export function askedOf({ session }: Context, uri: string): Asked | undefined {
  const home = session.homeOf(uri)
  const text = home?.project.textOf(home.path)
  if (home === undefined || text === undefined) return undefined
  return { ...home, uri, text, knowledge: home.project.knowledge() }
}

/**
 * Answers at once; only an answer that looks for a function of the warehouse while they are not read yet waits for them,
 * and is made of what is known by then.
 */
export async function withFunctions<T>(
  context: Context,
  uri: string,
  answer: (asked: Asked) => T,
): Promise<T | undefined> {
  const asked = askedOf(context, uri)
  if (asked === undefined || asked.knowledge.functions.size > 0) return asked && answer(asked)
  let looksForOne = false
  const knowledge: Knowledge = {
    ...asked.knowledge,
    get functions() {
      looksForOne = true
      return noFunctions
    },
  }
  const found = answer({ ...asked, knowledge })
  if (!looksForOne) return found
  await context.functionsRead()
  const later = askedOf(context, uri)
  return later && answer(later)
}

const noFunctions: FunctionBook = new Map()

/**
 * A handler that fails alone: a bug in it is a line in the log and an error for this one request. What was cancelled
 * before its turn is not begun.
 */
export function guarded<P, R>(
  { log }: Pick<Context, 'log'>,
  name: string,
  handler: (params: P, token: CancellationToken) => R | Promise<R>,
): (params: P, token: CancellationToken) => Promise<R> {
  return async (params, token) => {
    if (token.isCancellationRequested) throw cancelled()
    try {
      return await handler(params, token)
    } catch (error) {
      if (error instanceof ResponseError) throw error
      if (token.isCancellationRequested) throw cancelled()
      log.error(`${name} failed`, error)
      throw new ResponseError(
        ErrorCodes.InternalError,
        `${name} failed; the log of the language server says why`,
      )
    }
  }
}

/** The same for what has no answer. */
export function guardedEvent<P>(
  { log }: Pick<Context, 'log'>,
  name: string,
  handler: (params: P) => void | Promise<void>,
): (params: P) => Promise<void> {
  return async params => {
    try {
      await handler(params)
    } catch (error) {
      log.error(`${name} failed`, error)
    }
  }
}

export function cancelled(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled')
}
