/** Reads a file of another tool, in whatever form it has: told by its name and what is in it. */
import type { EntryKind } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { readCsvImport } from './csv-entries.ts'
import { isDataHubEvents, readDataHubEvents } from './datahub-events.ts'
import { isDataHubGlossary, readDataHubGlossary } from './datahub-glossary.ts'
import { type DocumentPlaces, readDocument } from './document.ts'
import type { Imported } from './imported.ts'
import { isOpenMetadata, readOpenMetadata } from './openmetadata-json.ts'
import { isSvcDocument, readSvcDocument } from './svc-document.ts'

interface DocumentForm {
  readonly fits: (root: unknown) => boolean
  readonly read: (root: unknown, places: DocumentPlaces) => Imported
}

/** The first that fits reads the file. */
const documentForms: readonly DocumentForm[] = [
  { fits: isDataHubEvents, read: readDataHubEvents },
  { fits: isDataHubGlossary, read: readDataHubGlossary },
  { fits: isOpenMetadata, read: readOpenMetadata },
  { fits: isSvcDocument, read: readSvcDocument },
]

/**
 * `kind` says what the rows of a table are that has no column `kind`. Throws SvcError `import-unreadable` if
 * the file as a whole is none of the known forms; single rows that cannot be read are `problems`.
 */
export function readImport(path: string, text: string, kind: EntryKind | undefined): Imported {
  if (/\.(csv|tsv|txt)$/i.test(path)) return readCsvImport(text, kind)
  if (!/\.(json|ya?ml)$/i.test(path)) throw unknownForm(path)
  const { root, places } = readDocument(path, text)
  const form = documentForms.find(each => each.fits(root))
  if (form === undefined) throw unknownForm(path)
  return form.read(root, places)
}

function unknownForm(path: string): SvcError {
  return new SvcError('import-unreadable', `${path} is no glossary that svc can read`, {
    hint: 'It reads tables (.csv), glossaries of DataHub (.yml, or .json of its file sink) and of OpenMetadata (.csv, .json), and what svc glossary export writes.',
    place: path,
  })
}
