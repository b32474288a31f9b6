/** The same bundle as the service, started by it to answer its long questions. */
import { createCursorSigner } from './http/index.ts'
import { answerQuestions, questionWord } from './questions/index.ts'
import { allRoutes } from './routes.ts'
import { openReaders } from './storage/index.ts'

/** Without a channel it was typed by a person, and is no command. */
export function startsAsQuestionProcess(): boolean {
  return process.argv[2] === questionWord && process.send !== undefined
}

export function runQuestionProcess(): void {
  answerQuestions({
    open: openReaders,
    routes: ({ cursorKey, version }) =>
      allRoutes({
        signer: createCursorSigner(Buffer.from(cursorKey)),
        version,
        tokens: { forget: () => {} },
        isStopping: () => false,
        metrics: undefined,
      }),
  })
}
