/**
 * What a language model or an agent is shown of a project stays inside of its folder: a file that is a link out of it could be
 * any file of the person. Such a file is not read, and is an error at its place.
 */
import { join } from 'node:path'
import { type MayOpen, mayOpenAll, staysInside } from '@svc/server/catalog'
import { type Diagnostic, glossaryPath } from '@svc/server/language'
import { schemaLockFile } from '@svc/server/workspace'
import { settingsFile } from '../config/find-project.ts'
import { SvcError } from '../errors.ts'

/** The files without which nothing can be told of a project. */
const rootFiles = [settingsFile, glossaryPath, schemaLockFile]

const hint = 'Put the file itself there: agents and models are shown files of the project alone.'

/** Throws SvcError `file-failed` where one of the files at the root leads out of the project. */
export function refuseOutside(root: string): void {
  const outside = rootFiles.find(path => !staysInside(root, join(root, path)))
  if (outside === undefined) return
  throw new SvcError('file-failed', `${outside} is a link that leads out of the project`, {
    place: outside,
    hint,
  })
}

export interface Openings {
  readonly mayOpen: MayOpen
  /** The problems of what was not opened so far. */
  problems(): readonly Diagnostic[]
}

/** `isOnlyInside`: whether links out of the project are passed over. */
export function openingsOf(root: string, isOnlyInside: boolean): Openings {
  if (!isOnlyInside) return { mayOpen: mayOpenAll, problems: () => [] }
  const outside = new Set<string>()
  return {
    mayOpen(path) {
      const stays = staysInside(root, path)
      if (!stays) outside.add(path.slice(root.length + 1).replaceAll('\\', '/'))
      return stays
    },
    problems: () =>
      [...outside].filter(isOfProject).map(path => ({
        code: 'link-outside',
        severity: 'error',
        path,
        range: { start: 0, end: 0 },
        message: 'the file is a link that leads out of the project, so it is not read',
        hint,
      })),
  }
}

/** Data beside the assets may lie wherever they are; a name without an ending may be a folder of assets. */
function isOfProject(path: string): boolean {
  return /(?:\.svc|\.sql|(?:^|\/)[^./]+)$/.test(path)
}
