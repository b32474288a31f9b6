/** The editor that started a command: its language model answers, and a person there looks at what would be written. */
import type { EditorProposal, FromEditor, ToEditor } from '@svc/server/editor-link'

export interface EditorLink {
  /** The name of the editor's language model; undefined if the configured one is to be asked. */
  readonly model: string | undefined
  send(message: ToEditor): void
  /** Hears what the editor says, and when it is gone. Returns what ends it: the process waits for the editor until then. */
  listen(hear: (message: FromEditor) => void, onGone: () => void): () => void
}

let last = 0

export function nextId(): number {
  last += 1
  return last
}

/** Shows a change in the editor. An editor that is gone, or an interrupt, is a no. */
export function decideInEditor(
  link: EditorLink,
  proposal: Omit<EditorProposal, 'kind' | 'id'>,
  signal: AbortSignal,
): Promise<boolean> {
  const id = nextId()
  return new Promise(resolve => {
    const end = (agreed: boolean): void => {
      stop()
      signal.removeEventListener('abort', refuse)
      resolve(agreed)
    }
    const refuse = (): void => end(false)
    const stop = link.listen(message => {
      if (message.kind === 'decision' && message.id === id) end(message.agreed)
    }, refuse)
    signal.addEventListener('abort', refuse)
    link.send({ kind: 'proposal', id, ...proposal })
  })
}
