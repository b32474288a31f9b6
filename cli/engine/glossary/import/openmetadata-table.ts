/** The table that OpenMetadata exports a glossary as: terms with the path of their parent. */
import type { Table } from './csv-entries.ts'
import { type Imported, type ImportNotes, textOf } from './imported.ts'
import { addPathTerms, type PathTerm } from './path-names.ts'

const required = 'name*'
/** Columns that glossary.yaml has no key for. */
const withoutPlace =
  'relatedTerms references tags reviewers glossaryStatus status color iconURL extension'.split(' ')
const own = ['parent', 'name', required, 'displayName', 'description', 'synonyms', 'owner', 'owners']

export function isOpenMetadataTable(header: readonly string[]): boolean {
  return header.includes(required) || (header.includes('displayName') && header.includes('parent'))
}

export function readOpenMetadataTable({ header, rows }: Table, notes: ImportNotes): Imported {
  const terms: PathTerm[] = []
  for (const { line, cells } of rows) {
    const place = `line ${line}`
    const cell = (name: string) => textOf(cells[header.indexOf(name)])
    const name = cell(required) ?? cell('name')
    if (name === undefined) {
      notes.problem(place, 'the term has no name')
      continue
    }
    for (const column of header.filter(each => !own.includes(each)))
      notes.ignore(withoutPlace.includes(column) ? column : `column ${column}`, cell(column))
    const shown = cell('displayName') ?? name
    terms.push({
      folders: nameParts(cell('parent') ?? '').slice(1),
      name: shown,
      description: cell('description'),
      synonyms: synonymsOf(name, shown, listOf(cell('synonyms'))),
      owner: ownerOf(cell('owner') ?? cell('owners')),
      place,
    })
  }
  addPathTerms(notes, terms)
  return notes.result('openmetadata')
}

/** The technical name finds the term too. */
export function synonymsOf(name: string, shown: string, synonyms: readonly string[]): readonly string[] {
  return [...new Set(name === shown ? synonyms : [...synonyms, name])]
}

/** Splits `Glossary.Parent."with.dot"` at its dots. */
export function nameParts(path: string): readonly string[] {
  const parts = path.match(/"(?:[^"]|"")*"|[^.]+/g) ?? []
  return parts.map(part => (part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part))
}

function listOf(cell: string | undefined): readonly string[] {
  return (cell ?? '').split(';').flatMap(item => textOf(item.replace(/^"|"$/g, '')) ?? [])
}

/** `user:ada;team:sales`, in older files `team;sales`. */
function ownerOf(cell: string | undefined): string | undefined {
  const names = listOf(cell)
    .map(each => each.replace(/^(user|team):/i, ''))
    .filter(each => !/^(user|team)$/i.test(each))
  return names.length === 0 ? undefined : names.join(', ')
}
