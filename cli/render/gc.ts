/**
 * Renders what a garbage collection deleted, or would delete: one line per schema, environment or file, with
 * its size.
 */
import type { JsonOf } from '@svc/server/contract'
import type { GcReport } from '../engine/run/gc.ts'
import { countOf, formatBytes, formatSeconds } from './numbers.ts'
import type { Style } from './style.ts'
import { padEnd } from './width.ts'

const nameWidth = 40
const whatWidth = 22

export function renderGc(report: GcReport, style: Style): string[] {
  const lines = [
    ...schemaLines(report),
    ...environmentLines(report),
    ...fileLines(report),
    ...recordLines(report),
  ]
  const { dryRun } = report
  if (lines.length === 0) return [`${style.green('Nothing to collect')}: everything is in use.`]
  const total = formatBytes(bytesOf(report))
  const end = dryRun
    ? `svc gc would free about ${total}.`
    : `Freed about ${total} in ${formatSeconds(report.seconds)}; the warehouse file uses the room again.`
  return [dryRun ? 'No longer needed:' : 'Deleted what was no longer needed:', '', ...lines, '', end]
}

function schemaLines({ relations, schemas, sizes }: GcReport): string[] {
  const all = new Set([...relations.map(({ relation }) => relation.schema), ...schemas])
  return [...all].map(schema => {
    const own = relations.filter(({ relation }) => relation.schema === schema)
    const count = (kind: string, noun: string) => {
      const count = own.filter(each => each.kind === kind).length
      return count === 0 ? [] : [countOf(count, noun)]
    }
    const what = [...count('table', 'table'), ...count('view', 'view')].join(', ') || 'empty'
    const bytes = own.reduce((sum, { relation }) => sum + (sizes.get(`${schema}.${relation.name}`) ?? 0), 0)
    return entry(schema, what, bytes)
  })
}

function environmentLines({ environments }: GcReport): string[] {
  return environments.map(({ name, views, unusedDays }) => {
    const schemas = [...new Set(views.map(({ schema }) => schema))].join(', ')
    return entry(
      schemas === '' ? name : schemas,
      `${countOf(views.length, 'view')}, unused for ${unusedDays} days`,
    )
  })
}

function fileLines({ files }: GcReport): string[] {
  return files.map(({ path, bytes }) =>
    entry(path, path.includes('/work/') ? 'fetched pages' : 'draft', bytes),
  )
}

function recordLines({ records }: GcReport): string[] {
  return records === 0 ? [] : [entry('svc', countOf(records, 'old record'))]
}

function entry(name: string, what: string, bytes?: number): string {
  const size = bytes === undefined ? '' : formatBytes(bytes)
  return `  ${padEnd(name, nameWidth)} ${padEnd(what, whatWidth)} ${size}`.trimEnd()
}

function bytesOf({ sizes, files }: GcReport): number {
  return [...sizes.values(), ...files.map(({ bytes }) => bytes)].reduce((sum, bytes) => sum + bytes, 0)
}

export function gcJson(report: GcReport, environment: string): JsonOf<'gc'> {
  const { sizes } = report
  return {
    environment,
    dry_run: report.dryRun,
    relations: report.relations.map(({ relation, kind }) => ({
      schema: relation.schema,
      name: relation.name,
      kind,
      bytes: sizes.get(`${relation.schema}.${relation.name}`) ?? 0,
    })),
    schemas: report.schemas,
    environments: report.environments.map(({ name, views, unusedDays }) => ({
      name,
      views: views.map(({ schema, name }) => `${schema}.${name}`),
      unused_days: unusedDays,
    })),
    files: report.files,
    records: report.records,
    bytes: bytesOf(report),
    seconds: report.seconds,
  }
}
