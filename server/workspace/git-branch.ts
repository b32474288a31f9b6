/** Reads the branch and the commit of a work tree from its files, so that git need not be installed. */
import { readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Returns undefined outside of a git work tree, or if its head is detached (decisions 2, "Schemas"). */
export function gitBranch(folder: string): string | undefined {
  const gitFolder = findGitFolder(resolve(folder))
  if (gitFolder === undefined) return undefined
  const head = readText(join(gitFolder, 'HEAD'))?.trim()
  const prefix = 'ref: refs/heads/'
  return head?.startsWith(prefix) === true ? head.slice(prefix.length) : undefined
}

/** Returns the id of the commit that is checked out; undefined outside of a git work tree, or before its first commit. */
export function gitCommit(folder: string): string | undefined {
  const gitFolder = findGitFolder(resolve(folder))
  if (gitFolder === undefined) return undefined
  const head = readText(join(gitFolder, 'HEAD'))?.trim() ?? ''
  if (!head.startsWith('ref: ')) return commitId(head)
  const ref = head.slice('ref: '.length)
  const shared = resolve(gitFolder, readText(join(gitFolder, 'commondir'))?.trim() ?? '.')
  const [loose] = [gitFolder, shared].flatMap(each => commitId(readText(join(each, ref))?.trim() ?? '') ?? [])
  return loose ?? packedCommit(readText(join(shared, 'packed-refs')) ?? '', ref)
}

function packedCommit(packedRefs: string, ref: string): string | undefined {
  const line = packedRefs.split('\n').find(each => each.trimEnd().endsWith(` ${ref}`))
  return commitId(line?.split(' ')[0] ?? '')
}

function commitId(text: string): string | undefined {
  return /^[0-9a-f]{40,64}$/.test(text) ? text : undefined
}

/** Finds the git folder: `.git` is a folder, or in work trees and submodules a file that names one. */
function findGitFolder(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const candidate = join(folder, '.git')
    const stat = statSync(candidate, { throwIfNoEntry: false })
    if (stat?.isDirectory() === true) return candidate
    if (stat?.isFile() === true) return linkedFolder(candidate, folder)
    if (dirname(folder) === folder) return undefined
  }
}

function linkedFolder(file: string, folder: string): string | undefined {
  const target = /^gitdir:\s*(.+)$/m.exec(readText(file) ?? '')?.[1]
  return target === undefined ? undefined : resolve(folder, target.trim())
}

/** Reads a text. The repository may disappear or be unreadable; then there is no branch. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
