/** Rows of unit tests may have been copied from real ones: values of personal columns are not handed on. */
import type { ContextPack } from '@svc/server/contract'
import { isRecord, redacted } from '@svc/server/language'

type PackAsset = ContextPack['assets'][number]
type Row = Readonly<Record<string, unknown>>

type Personal = ReadonlyMap<string, ReadonlySet<string>>
const noNames: ReadonlySet<string> = new Set()

/** Returns the pack without personal values in unit tests, where assets have them and in its list of tests. */
export function withoutUnitRows(pack: ContextPack): ContextPack {
  const personal = new Map(
    pack.assets.map(({ name, schema }) => [
      name ?? '',
      new Set((schema?.columns ?? []).flatMap(({ name, pii }) => (pii === true ? [name.toLowerCase()] : []))),
    ]),
  )
  return {
    ...pack,
    assets: pack.assets.map(asset => assetWithout(asset, personal)),
    ...(pack.tests && {
      tests: pack.tests.map(test =>
        test.kind === 'unit' && isRecord(test.definition)
          ? { ...test, definition: unitWithout(test.definition, test.asset, personal) }
          : test,
      ),
    }),
  }
}

function assetWithout(asset: PackAsset, personal: Personal): PackAsset {
  const tests = asset.blocks?.['tests']
  if (!Array.isArray(tests) || !tests.some(test => isRecord(test) && 'unit' in test)) return asset
  const hidden = tests.map(test =>
    isRecord(test) && isRecord(test['unit'])
      ? { ...test, unit: unitWithout(test['unit'], asset.name ?? '', personal) }
      : test,
  )
  return { ...asset, blocks: { ...asset.blocks, tests: hidden } }
}

/** A table that is no asset of the pack (`source`) is masked as the asset itself. */
function unitWithout(unit: Row, asset: string, personal: Personal): Row {
  const own = personal.get(asset) ?? noNames
  const { given, expect } = unit
  const inputs = isRecord(given)
    ? Object.fromEntries(
        Object.entries(given).map(([name, rows]) => [name, withoutPersonal(rows, personal.get(name) ?? own)]),
      )
    : given
  return { ...unit, given: inputs, expect: withoutPersonal(expect, own) }
}

/** Rows stand in a list, or in a map that has the list among its options. */
function withoutPersonal(rows: unknown, personal: ReadonlySet<string>): unknown {
  if (Array.isArray(rows)) return rows.map(row => (isRecord(row) ? hiddenRow(row, personal) : row))
  if (!isRecord(rows)) return rows
  return Object.fromEntries(
    Object.entries(rows).map(([key, value]) => [key, withoutPersonal(value, personal)]),
  )
}

function hiddenRow(row: Row, personal: ReadonlySet<string>): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      personal.has(name.toLowerCase()) && value !== null ? redacted : value,
    ]),
  )
}
