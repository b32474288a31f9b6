/** One question in the chat, and the project that it is about. */
import {
  type CancellationToken,
  type ChatContext,
  type ChatRequest,
  type ChatResponseStream,
  window,
} from 'vscode'
import { SvcRefusal } from '../background.ts'
import type { Services } from '../commands/command.ts'

export interface Turn {
  readonly request: ChatRequest
  readonly context: ChatContext
  readonly stream: ChatResponseStream
  readonly token: CancellationToken
}

export async function chatProject({ projects }: Services): Promise<string> {
  await projects.loaded
  const open = window.activeTextEditor?.document.uri.toString()
  const project = (open === undefined ? undefined : projects.projectOf(open)) ?? projects.all[0]
  if (project === undefined)
    throw new SvcRefusal('no folder of this workspace holds a project (a file svc.yaml)')
  return project.root
}
