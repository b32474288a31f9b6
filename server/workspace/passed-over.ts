/** Finds files that look as if they belonged to the project and are not read, so that none is skipped in silence. */
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type MayOpen, mayOpenAll } from '../catalog/index.ts'
import { type Diagnostic, engines, macrosFolder, ownTestsFolder } from '../language/index.ts'
import { kindOf } from './read-assets.ts'

interface Place {
  readonly folder: string
  readonly ending: string
  /** Whether files are read in the folder itself alone. */
  readonly isFlat?: boolean
}

interface Walk extends Place {
  readonly root: string
  readonly mayOpen: MayOpen
  readonly found: Diagnostic[]
}

/** Returns one problem a file, or a hidden folder of files. Folders that cannot be read are told elsewhere. */
export function passedOver(root: string, models: string, mayOpen: MayOpen = mayOpenAll): Diagnostic[] {
  const declared = engines.flatMap(({ declarations }) => declarations?.folder ?? [])
  const places: readonly Place[] = [
    { folder: models, ending: '.svc' },
    { folder: macrosFolder, ending: '.sql' },
    { folder: ownTestsFolder, ending: '.sql', isFlat: true },
    ...declared.map(folder => ({ folder, ending: '.sql' })),
  ]
  const found: Diagnostic[] = []
  for (const place of places) {
    const folder = place.folder.replace(/\/+$/, '')
    if (mayOpen(join(root, folder))) lookInto(folder, { ...place, root, mayOpen, found }, true)
  }
  return found
}

function lookInto(folder: string, walk: Walk, isRead: boolean): void {
  const { root, ending, isFlat = false, mayOpen, found } = walk
  for (const entry of entriesOf(join(root, folder))) {
    if (entry.name === 'node_modules') continue
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isSymbolicLink() && !mayOpen(join(root, path))) continue
    const kind = kindOf(root, path, entry)
    const isHidden = entry.name.startsWith('.')
    if (kind === 'folder') {
      if (isHidden) tellHidden(path, walk)
      // A link may lead to a folder above.
      else if (!entry.isSymbolicLink()) lookInto(path, walk, isRead && !isFlat)
    } else if (entry.name.toLowerCase().endsWith(ending)) {
      const why = reasonOf(entry.name, { ending, isRead, isFile: kind === 'file' })
      if (why !== undefined) found.push(problemOf(path, why, isHidden ? 'information' : 'warning'))
    }
  }
}

interface Seen {
  readonly ending: string
  readonly isRead: boolean
  readonly isFile: boolean
}

interface Reason {
  readonly message: string
  readonly hint: string
}

function reasonOf(name: string, { ending, isRead, isFile }: Seen): Reason | undefined {
  if (!isFile) {
    return {
      message: 'it is a link that leads nowhere, so it is not read',
      hint: 'Put the file back that it leads to, or remove the link.',
    }
  }
  if (name.startsWith('.')) return hidden('the file', 'Rename it if it belongs to the project.')
  if (!name.endsWith(ending)) {
    return {
      message: `the file is not read: its name ends in "${name.slice(-ending.length)}"`,
      hint: `Rename it, so that it ends in ${ending} in small letters.`,
    }
  }
  if (isRead) return undefined
  return {
    message: 'the file is not read: it stands in a folder of its own',
    hint: `Files of ${ownTestsFolder} stand directly in it: move it there.`,
  }
}

function hidden(what: string, hint: string): Reason {
  return { message: `${what} is not read: its name begins with a dot`, hint }
}

function tellHidden(path: string, { root, ending, found }: Walk): void {
  const count = entriesOf(join(root, path)).filter(({ name }) => name.toLowerCase().endsWith(ending)).length
  if (count === 0) return
  const what = `the folder with ${count === 1 ? '1 file' : `${count} files`} ${ending}`
  found.push(problemOf(path, hidden(what, 'Rename it if its files belong to the project.'), 'information'))
}

function problemOf(path: string, { message, hint }: Reason, severity: 'warning' | 'information'): Diagnostic {
  return { code: 'file-passed-over', severity, path, range: { start: 0, end: 0 }, message, hint }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
