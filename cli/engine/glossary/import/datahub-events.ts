/**
 * What DataHub's file sink writes: a list of changes, of whole snapshots or of single aspects. Glossary terms become
 * terms; terms of data sets and of their columns become links to the asset of that name.
 */

import { isRecord } from '@svc/server/language'
import type { DocumentPlaces } from './document.ts'
import { type Imported, ImportNotes, textOf } from './imported.ts'
import { addPathTerms, type PathTerm, pathId } from './path-names.ts'

type Aspect = Readonly<Record<string, unknown>>

interface PlacedAspect {
  readonly urn: string
  /** `glossaryTermInfo` */
  readonly name: string
  readonly value: Aspect
  readonly place: string
}

export function isDataHubEvents(root: unknown): boolean {
  return (
    Array.isArray(root) &&
    root.some(item => isRecord(item) && ('proposedSnapshot' in item || 'entityUrn' in item))
  )
}

export function readDataHubEvents(root: unknown, places: DocumentPlaces): Imported {
  const notes = new ImportNotes()
  const aspects = (root as readonly unknown[]).flatMap((item, index) =>
    aspectsOf(notes, item, places([index])),
  )
  const nodes = new Map(
    aspects.flatMap(({ urn, name, value }) => (name === 'glossaryNodeInfo' ? [[urn, value] as const] : [])),
  )
  const owners = new Map(
    aspects.flatMap(({ urn, name, value }) =>
      name === 'ownership' ? [[urn, ownersOf(value)] as const] : [],
    ),
  )
  const terms = new Map<string, PathTerm>()
  for (const { urn, name, value, place } of aspects) {
    if (name === 'glossaryNodeInfo') notes.ignore('descriptions of nodes', value['definition'])
    if (name === 'glossaryRelatedTerms') notes.ignore('relations of terms', value)
    if (name !== 'glossaryTermInfo') continue
    notes.ignore('custom_properties', value['customProperties'])
    const term = textOf(value['name']) ?? keyOf(urn).split('.').at(-1)
    if (term === undefined || term === '') notes.problem(place, 'the term has no name')
    else
      terms.set(urn, {
        folders: foldersOf(nodes, textOf(value['parentNode'])),
        name: term,
        description: textOf(value['definition']),
        synonyms: [],
        owner: owners.get(urn),
        place,
      })
  }
  addPathTerms(notes, [...terms.values()])
  addLinks(notes, aspects, terms)
  return notes.result('datahub')
}

/** The aspects of a change: those of a snapshot, or the one of a proposal. */
function aspectsOf(notes: ImportNotes, item: unknown, place: string): readonly PlacedAspect[] {
  if (!isRecord(item)) {
    notes.problem(place, 'it is no change of DataHub')
    return []
  }
  const snapshot = Object.values(isRecord(item['proposedSnapshot']) ? item['proposedSnapshot'] : {}).find(
    isRecord,
  )
  if (snapshot !== undefined) {
    const urn = textOf(snapshot['urn']) ?? ''
    const aspects = Array.isArray(snapshot['aspects']) ? snapshot['aspects'] : []
    return aspects
      .filter(isRecord)
      .flatMap(aspect =>
        Object.entries(aspect).flatMap(([type, value]) =>
          isRecord(value) ? [{ urn, name: aspectName(type), value, place }] : [],
        ),
      )
  }
  const urn = textOf(item['entityUrn'])
  const name = textOf(item['aspectName'])
  if (urn === undefined || name === undefined || item['changeType'] === 'DELETE') return []
  const value = proposedValue(item['aspect'])
  if (value !== undefined) return [{ urn, name, value, place }]
  if (name.startsWith('glossaryTerm')) notes.problem(place, `the aspect ${name} cannot be read`)
  return []
}

/** `com.linkedin.pegasus2avro.glossary.GlossaryTermInfo` -> `glossaryTermInfo` */
function aspectName(type: string): string {
  const name = type.slice(type.lastIndexOf('.') + 1)
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** Newer files have the aspect as JSON, older ones as JSON in a text. */
function proposedValue(aspect: unknown): Aspect | undefined {
  if (!isRecord(aspect)) return undefined
  if (isRecord(aspect['json'])) return aspect['json']
  if (typeof aspect['value'] !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(aspect['value'])
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function foldersOf(nodes: ReadonlyMap<string, Aspect>, parent: string | undefined): readonly string[] {
  const names: string[] = []
  const seen = new Set<string>()
  for (let urn = parent; urn !== undefined && !seen.has(urn); urn = textOf(nodes.get(urn)?.['parentNode'])) {
    seen.add(urn)
    names.unshift(textOf(nodes.get(urn)?.['name']) ?? keyOf(urn).split('.').at(-1) ?? keyOf(urn))
  }
  return names
}

/** `urn:li:glossaryTerm:Classification.Email` -> `Classification.Email` */
function keyOf(urn: string): string {
  return urn.replace(/^urn:li:\w+:/, '')
}

function ownersOf(value: Aspect): string | undefined {
  const owners = Array.isArray(value['owners']) ? value['owners'].filter(isRecord) : []
  const names = owners.flatMap(({ owner }) => (typeof owner === 'string' ? [keyOf(owner)] : []))
  return names.length === 0 ? undefined : [...new Set(names)].join(', ')
}

function addLinks(
  notes: ImportNotes,
  aspects: readonly PlacedAspect[],
  terms: ReadonlyMap<string, PathTerm>,
): void {
  for (const { urn, name, value, place } of aspects) {
    const asset = datasetName(urn)
    if (asset === undefined) continue
    const add = (holder: unknown, column: string) => {
      for (const termUrn of termUrns(holder)) {
        const term = terms.get(termUrn)
        if (term === undefined) notes.ignore('terms of data sets that the file does not define', termUrn)
        else notes.link(place, { term: pathId([...term.folders, term.name]), asset, column })
      }
    }
    if (name === 'glossaryTerms') add(value, '')
    const fields = { schemaMetadata: 'fields', editableSchemaMetadata: 'editableSchemaFieldInfo' }[name]
    const columns = fields === undefined ? [] : value[fields]
    for (const column of Array.isArray(columns) ? columns.filter(isRecord) : [])
      add(column['glossaryTerms'], fieldName(textOf(column['fieldPath']) ?? ''))
  }
}

function termUrns(holder: unknown): readonly string[] {
  const terms = isRecord(holder) && Array.isArray(holder['terms']) ? holder['terms'].filter(isRecord) : []
  return terms.flatMap(({ urn }) => (typeof urn === 'string' ? [urn] : []))
}

/** `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.public.orders,PROD)` -> `orders` */
function datasetName(urn: string): string | undefined {
  const [, name] = /^urn:li:dataset:\([^,]+,(.+),[^,]+\)$/.exec(urn) ?? []
  return name?.split('.').at(-1)
}

/** A path of version 2 tells types between its names: `[version=2.0].[type=string].email`. */
function fieldName(path: string): string {
  return path
    .split('.')
    .filter(part => !part.startsWith('['))
    .join('.')
    .replace(/^\d+\]\.?/, '')
}
