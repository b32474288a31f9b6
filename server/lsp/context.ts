/** The context that every request handler gets. */
import {
  type CancellationToken,
  type ClientCapabilities,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
  type TextDocumentIdentifier,
} from 'vscode-languageserver'
import type { Engine } from '../language/engines/engine.ts'
import type { FunctionBook, Knowledge } from '../language/features/knowledge.ts'
import type { Log } from './log.ts'
import type { Home, Session } from './session.ts'

export interface Context {
  readonly connection: Connection
  readonly session: Session
  readonly log: Log
  readonly capabilities: ClientCapabilities
  readonly now: () => Date
  /** Returns the version of an open document; with `text`, undefined if that is no longer its text. */
  readonly versionOf: (uri: string, text?: () => string) => number | undefined
  /** Resolves when the functions of a warehouse are known. */
  readonly functionsRead: (engine: Engine) => Promise<void>
  /** Whether the client has the commands of VS Code. */
  readonly isVsCode: boolean
  /** Whether commands of the project may run. */
  readonly isTrusted: boolean
}

/** A document that a request is about. */
export interface RequestedDocument extends Home {
  readonly uri: string
  readonly text: string
  readonly knowledge: Knowledge
}

/** Returns undefined if the document belongs to no open project. */
export function documentOf({ session }: Context, uri: string): RequestedDocument | undefined {
  const home = session.homeOf(uri)
  const text = home?.project.textOf(home.path)
  if (home === undefined || text === undefined) return undefined
  return { ...home, uri, text, knowledge: home.project.knowledge() }
}

/**
 * Computes an answer. Only if it looked up a function while the functions were still being read does it wait
 * for them and compute the answer again.
 */
export async function withFunctions<T>(
  context: Context,
  uri: string,
  answer: (document: RequestedDocument) => T,
): Promise<T | undefined> {
  const document = documentOf(context, uri)
  if (document === undefined || document.knowledge.functions.size > 0) return document && answer(document)
  let looksForOne = false
  const knowledge: Knowledge = {
    ...document.knowledge,
    get functions() {
      looksForOne = true
      return noFunctions
    },
  }
  const result = answer({ ...document, knowledge })
  if (!looksForOne) return result
  await context.functionsRead(document.knowledge.project.engine)
  const later = documentOf(context, uri)
  return later && answer(later)
}

const noFunctions: FunctionBook = new Map()

/**
 * Wraps a handler so that an error in it is logged and fails only this request. A request that was cancelled
 * before its turn is not started.
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

/**
 * Wraps a handler of requests about a document, as `guarded` does. A document of no open project has the
 * answer `none`.
 */
export function aboutDocument<P extends { readonly textDocument: TextDocumentIdentifier }, R, None>(
  context: Context,
  name: string,
  none: None,
  handler: (document: RequestedDocument, params: P, token: CancellationToken) => R | Promise<R>,
): (params: P, token: CancellationToken) => Promise<R | None> {
  return guarded<P, R | None>(context, name, (params, token) => {
    const document = documentOf(context, params.textDocument.uri)
    return document === undefined ? none : handler(document, params, token)
  })
}

/** Wraps a handler that has no answer. */
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

/** Returns whether no text has changed since an answer in turns was begun: its places are those of the texts then. */
export function isCurrent({ project, knowledge }: RequestedDocument): boolean {
  return project.project === knowledge.project
}

export function changedMeanwhile(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.ContentModified, 'files of the project were changed meanwhile')
}

export function cancelled(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled')
}
