/** The real world: the only module that reads clock, randomness, environment and machine. */
import { randomInt } from 'node:crypto'
import { statSync } from 'node:fs'
import { availableParallelism, hostname, userInfo } from 'node:os'
import { editorLinkVariable } from '@svc/server/editor-link'
import type { EditorLink } from '../engine/ai/editor-link.ts'
import { newRunId } from '../engine/config/run-id.ts'
import { SvcError } from '../engine/errors.ts'
import type { World } from '../engine/workspace/workspace.ts'

/** `program` identifies the running program; without it nothing is cached between commands. */
export function realWorld(program?: string, guard?: World['guard'], endsSoon = false): World {
  const now = () => new Date()
  return {
    now,
    newRunId: () => newRunId(now(), () => randomInt(2 ** 30) / 2 ** 30),
    env: process.env,
    get cwd() {
      return currentFolder()
    },
    user: userName(),
    host: hostname(),
    pid: process.pid,
    cores: availableParallelism(),
    endsSoon,
    ...(program !== undefined && { program }),
    ...(guard !== undefined && { guard }),
    ...editorOf(process),
  }
}

/** The editor is there when it says so by a variable and there is a channel to it. */
function editorOf(own: NodeJS.Process): { readonly editor?: EditorLink } {
  const model = own.env[editorLinkVariable]
  if (own.send === undefined || model === undefined) return {}
  return {
    editor: {
      model: model === '' ? undefined : model,
      send: message => void own.send?.(message, undefined, undefined, () => undefined),
      listen(hear, onGone) {
        own.on('message', hear).on('disconnect', onGone)
        return () => own.off('message', hear).off('disconnect', onGone)
      },
    },
  }
}

/** Two builds of the same version count as different programs. */
export function programId(path: string, version: string): string {
  const { size, mtimeMs } = statSync(path)
  return `svc ${version} of ${size} bytes at ${mtimeMs}, node ${process.version}`
}

/** The working directory may have been deleted; using it then throws an SvcError. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch (cause) {
    throw new SvcError('no-project', 'the folder that svc was started in is gone', {
      hint: 'Change to a folder that is there.',
      cause,
    })
  }
}

/** A process without an entry in the user database (in a container) has no user name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return process.env['USER'] ?? 'unknown'
  }
}
