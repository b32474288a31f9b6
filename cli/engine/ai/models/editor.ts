/**
 * The language model of the editor that started svc. The editor carries question and answer, and keeps what the model says of
 * itself; prompts and checks stay those of svc. Nobody configures it: it is asked where the editor says so.
 */
import type { FromEditor } from '@svc/server/editor-link'
import { SvcError } from '../../errors.ts'
import { type EditorLink, nextId } from '../editor-link.ts'
import type { Answer, AskOptions, LanguageModel, ModelPlace, Question } from './model.ts'

export function openModel({ editor }: ModelPlace): LanguageModel {
  if (editor === undefined) throw new Error('no editor started this command')
  return { ask: (question, options) => askEditor(editor, question, options) }
}

/** The editor says in its own words what failed and what to do; it has tried again itself where that made sense. */
function askEditor(
  editor: EditorLink,
  { system, turns }: Question,
  { signal, onText }: AskOptions,
): Promise<Answer> {
  const id = nextId()
  const pieces: string[] = []
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      stop()
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = (): void => {
      editor.send({ kind: 'stop', id })
      end(() => reject(signal.reason))
    }
    const hear = (message: FromEditor): void => {
      if (message.id !== id) return
      if (message.kind === 'piece') {
        pieces.push(message.text)
        onText(message.text)
      }
      if (message.kind === 'answer') end(() => resolve(answerOf(pieces.join(''))))
      if (message.kind === 'failure')
        end(() => reject(new SvcError('model-failed', message.message, { hint: message.hint })))
    }
    const stop = editor.listen(hear, () => end(() => reject(gone())))
    signal.addEventListener('abort', onAbort)
    editor.send({ kind: 'question', id, system, turns })
  })
}

/** An editor tells neither tokens nor whether an answer was cut: a cut one is no JSON, which is found. */
function answerOf(text: string): Answer {
  return { text, end: 'whole', inputTokens: undefined, outputTokens: undefined }
}

function gone(): SvcError {
  return new SvcError('model-failed', 'the editor that asked is gone', {
    hint: 'Ask again, or choose a language model of your own: svc config ai.',
  })
}
