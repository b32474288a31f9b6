/**
 * Which keys a patch may change: what describes, tests and computes. What says where data come from, where
 * they go and who may see them needs somebody's consent, key by key.
 */
import { changedPlaces, isBelow } from './changed-places.ts'
import { type PatchRefusal, refusal } from './problem.ts'

const inAssets = ['/description', '/columns', '/transform', '/tests', '/contract', '/freshness', '/tags']
/** A new asset must say what it is called; that it reads no source is no danger. */
const inNewAssets = [...inAssets, '/name', '/owner']
const inGlossary = ['/terms', '/metrics', '/dimensions', '/links']

/** What a key opens, for the message. Others need consent too, because nobody has thought about them. */
const reasons: readonly (readonly [prefix: string, reason: string])[] = [
  ['/ingest/endpoint', 'says where data are fetched from'],
  ['/ingest/auth', 'says with which rights data are fetched'],
  ['/ingest/credentials', 'says with which rights data are fetched'],
  ['/ingest', 'says which data are fetched'],
  ['/publish', 'sends data to other systems'],
  ['/deploy/grants', 'says who may read the data'],
  ['/deploy/before', 'is SQL that runs with all rights'],
  ['/deploy/after', 'is SQL that runs with all rights'],
  ['/deploy', 'says how the asset is stored'],
  ['/policies', 'protects personal data'],
  ['/name', 'is what other assets and policies know the asset by'],
]

export interface ChangedFile {
  readonly path: string
  readonly isGlossary: boolean
  readonly isNew: boolean
  readonly before: unknown
  readonly after: unknown
}

export function placesToAllow(file: ChangedFile, allow: readonly string[]): PatchRefusal[] {
  const known = file.isGlossary ? inGlossary : file.isNew ? inNewAssets : inAssets
  const open = changedPlaces(file.before, file.after).filter(
    place => ![...known, ...allow].some(prefix => isBelow(place, prefix)) && !readsNothing(file, place),
  )
  const asked = [...new Set(open.map(place => prefixOf(place)))]
  return asked.map(prefix => {
    const reason = reasons.find(([other]) => isBelow(prefix, other))?.[1] ?? 'is not for patches'
    return refusal('patch-needs-consent', {
      path: file.path,
      place: prefix,
      message: `the patch changes ${prefix === '' ? 'the whole file' : prefix}, which ${reason}`,
      hint: prefix === '' ? 'Edit the file by hand.' : `If you want that, say --allow ${prefix}.`,
    })
  })
}

/** `ingest: none` of a new asset. */
function readsNothing({ isNew, after }: ChangedFile, place: string): boolean {
  const ingest = (after as { readonly ingest?: unknown } | undefined)?.ingest
  return isNew && place === '/ingest' && ingest === 'none'
}

/** The first two keys: as narrow as a person can judge. */
function prefixOf(place: string): string {
  return place.split('/').slice(0, 3).join('/')
}

/** Returns why a prefix of `--allow` is none; undefined if it is one. */
export function prefixProblem(prefix: string): string | undefined {
  if (/^(?:\/[^/]+)+$/.test(prefix)) return undefined
  return `"${prefix}" is no prefix of keys; write it as /ingest/endpoint`
}
