/** Where a patch may write: asset files and the glossary inside the project, never through a link. */
import { type BigIntStats, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { glossaryPath } from '@svc/server/language'
import { isAssetPath } from '@svc/server/workspace'
import { patchLimits } from './envelope.ts'
import { type PatchRefusal, refusal } from './problem.ts'

/** Returns why nothing may be written at this path; undefined if something may. */
export function placeProblem(root: string, models: string, path: string): PatchRefusal | undefined {
  return outsideProblem(path) ?? kindProblem(models, path) ?? linkProblem(root, path)
}

function outsideProblem(path: string): PatchRefusal | undefined {
  const isLong =
    path.length > patchLimits.pathLength || path.split('/').some(step => Buffer.byteLength(step) > 200)
  if (isLong) return told('path-outside', path.slice(0, 80), 'the path is too long')
  // A backslash and a colon separate folders, drives and streams on Windows.
  if (/[\p{Cc}\p{Cf}\p{Cs}\\:*?"<>|]/u.test(path)) {
    return told('path-outside', path, 'the path has a character that no path of a project has')
  }
  const isInside =
    path === path.normalize('NFC') &&
    path.split('/').every(step => step.trim() !== '' && !/^\.+$|[. ]$/.test(step))
  return isInside ? undefined : told('path-outside', path, 'the path is not one inside the project')
}

function kindProblem(models: string, path: string): PatchRefusal | undefined {
  if (path === glossaryPath || isAssetPath(models, path)) return undefined
  return told('path-kind', path, 'a patch changes .svc files and glossary.yaml, and nothing else')
}

function linkProblem(root: string, path: string): PatchRefusal | undefined {
  const steps = path.split('/')
  for (const [index] of steps.entries()) {
    const part = steps.slice(0, index + 1).join('/')
    const stat = statOf(join(root, part))
    if (stat === undefined) return undefined
    if (stat.isSymbolicLink()) return told('path-link', path, `"${part}" is a symbolic link`)
    const isLast = index === steps.length - 1
    if (isLast ? !stat.isFile() : !stat.isDirectory()) {
      return told('path-kind', path, `"${part}" is no ${isLast ? 'file' : 'folder'}`)
    }
  }
  return undefined
}

export function statOf(path: string): BigIntStats | undefined {
  return lstatSync(path, { throwIfNoEntry: false, bigint: true })
}

function told(code: string, path: string, message: string): PatchRefusal {
  const hint = 'Name files as svc validate does: models/<name>.svc, or glossary.yaml.'
  return refusal(code, { path, message, hint })
}
