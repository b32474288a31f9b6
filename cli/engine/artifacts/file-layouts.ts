/**
 * The large files as parts: text that is made anew each time, and pieces of assets. They say what `makeManifest` and
 * `makeCatalog` return.
 */
import type { CatalogAsset } from '@svc/server/contract'
import { type Asset, edgesOf } from '@svc/server/language'
import {
  type CatalogInput,
  catalogCounts,
  catalogEnds,
  catalogEntries,
  catalogHead,
  type RunTimes,
} from './catalog.ts'
import {
  type AssetOutline,
  assetEntry,
  fileVersion,
  type ManifestInput,
  outlines,
  projectEntry,
  settingsHash,
  testEntries,
} from './manifest.ts'
import { headOf, itemOf, itemsOf, keysThen, type Part, type PieceList, type WriteJson } from './pieces.ts'

/** What the files of the project and those of its runs share. */
export interface FilePieces {
  readonly input: ManifestInput
  readonly outlineOf: (asset: Asset) => AssetOutline
  readonly lineage: (indent: string) => PieceList
  readonly list: MakeList
}

type MakeList = (
  brackets: PieceList['brackets'],
  indent: string,
  text: (asset: Asset, json: WriteJson) => string,
) => PieceList

/** `isSame`: whether the files say the same of an asset as the last ones, but for what runs found. */
export function filePieces(input: ManifestInput, isSame: (asset: string) => boolean): FilePieces {
  const { project, analysis } = input
  const list: MakeList = (brackets, indent, text) => ({
    brackets,
    indent,
    isSame,
    text: (name, json) => {
      const asset = project.byName.get(name)
      return asset === undefined ? '' : text(asset, json)
    },
  })
  return {
    input,
    outlineOf: onceEach(outlines(input)),
    lineage: indent =>
      list('[]', indent, (asset, json) => itemsOf(edgesOf(asset, project, analysis), indent, json)),
    list,
  }
}

/** Several files have the same outlines. */
function onceEach(make: (asset: Asset) => AssetOutline): (asset: Asset) => AssetOutline {
  const made = new Map<string, AssetOutline>()
  return asset => {
    const known = made.get(asset.name) ?? make(asset)
    made.set(asset.name, known)
    return known
  }
}

/** Returns the parts of `manifest.json` and of the three files that repeat its keys, by name. */
export function manifestLayouts(
  { input, outlineOf, lineage, list }: FilePieces,
  settingsText: string | undefined,
): Readonly<Record<string, readonly Part[]>> {
  const { project, at } = input
  const assets = list('[]', '  ', (asset, json) =>
    itemsOf([assetEntry(asset, outlineOf(asset), project)], '  ', json),
  )
  const schemas = (indent: string) =>
    list('{}', indent, (asset, json) => itemOf(asset.name, outlineOf(asset).schema, indent, json))
  const tests = (indent: string) =>
    list('[]', indent, (asset, json) => itemsOf(testEntries(asset), indent, json))
  const about = {
    version: fileVersion,
    generated_at: at,
    project: projectEntry(input),
    ...settingsHash(settingsText),
  }
  const next = (key: string) => (json: WriteJson) => keysThen({}, key, json)
  return {
    'manifest.json': [
      json => headOf(about, 'assets', json),
      assets,
      next('lineage'),
      lineage('  '),
      next('schemas'),
      schemas('  '),
      next('tests'),
      tests('  '),
      json => keysThen({}, undefined, json),
    ],
    'lineage.json': [lineage(''), lineBreak],
    'schemas.json': [schemas(''), lineBreak],
    'tests.json': [tests(''), lineBreak],
  }
}

const lineBreak = () => '\n'

/** `isFound`: whether the runs found the same of an asset as when the last file was written. */
export function catalogLayout(
  { input, outlineOf, lineage, list }: FilePieces,
  about: Omit<CatalogInput, 'manifest' | 'testResults'>,
  testsOf: (asset: string) => CatalogAsset['tests'],
  isFound: (asset: string) => boolean,
): readonly Part[] {
  const { entryOf, timesOf } = catalogEntries(about)
  const assets = list('[]', '  ', (asset, json) =>
    itemsOf([entryOf(asset, outlineOf(asset), testsOf(asset.name))], '  ', json),
  )
  const textOf = timesTexts()
  const head = catalogHead(about, { generated_at: input.at, project: projectEntry(input) })
  return [
    json => headOf(head, 'assets', json),
    {
      ...assets,
      isSame: name => assets.isSame(name) && isFound(name),
      renew: (name, last, json) => {
        const asset = about.project.byName.get(name)
        return asset === undefined ? last : withTimes(last, textOf(timesOf(asset), json))
      },
    },
    json => keysThen(catalogEnds(about), 'lineage', json),
    lineage('  '),
    json => keysThen(catalogCounts(about), undefined, json),
  ]
}

/** The keys of an asset around its `RunTimes`. No string of JSON contains a line break, so that only a key can be this. */
const [firstTime, afterTimes] = ['deployed_at', 'rows'].map(key => Buffer.from(`\n      "${key}": `)) as [
  Buffer,
  Buffer,
]

/** Returns an entry with the text of other times, in the same bytes where it is as long as that of the old ones. */
function withTimes(entry: Buffer, times: Buffer): Buffer {
  const start = entry.indexOf(firstTime)
  const end = entry.indexOf(afterTimes, start)
  if (times.length !== end - start)
    return Buffer.concat([entry.subarray(0, start), times, entry.subarray(end)])
  times.copy(entry, start)
  return entry
}

/** Nearly all assets have the times of the same run. */
function timesTexts(): (times: RunTimes, json: WriteJson) => Buffer {
  let last: { readonly key: string; readonly text: Buffer } | undefined
  return (times, json) => {
    const key = Object.values(times).join()
    const isPlain = !times.failure && !times.repaired && !times.warnings && !times.attempt && !times.gone
    if (isPlain && last?.key === key) return last.text
    const lines = json(times).slice('{'.length, -'\n}'.length).replaceAll('\n', '\n    ')
    last = { key, text: Buffer.from(`${lines},`) }
    return last.text
  }
}
