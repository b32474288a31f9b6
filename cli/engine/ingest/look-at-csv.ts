/** Analyses CSV files: the layout of each, and the types of their columns from every value. */
import { stat } from 'node:fs/promises'
import { csvLayout } from '@svc/server/catalog'
import { SvcError } from '../errors.ts'
import { csvTypes } from './csv-types.ts'
import type { FileGuard } from './file-guard.ts'
import { hashFiles, type LocalFiles, type Looked } from './local-files.ts'
import { type CsvGroup, csvSource } from './record-source.ts'

export async function lookAtCsv(files: LocalFiles, guard: FileGuard): Promise<Looked> {
  const groups = await csvGroups(files)
  const [hashed, { type, rows }] = await Promise.all([
    hashFiles(files),
    csvTypes(files.local, groups, files.options.decimalSeparator),
  ])
  return { ...hashed, source: csvSource(groups, type, guard.condition), rows }
}

type GuessedGroup = CsvGroup & { readonly files: string[]; readonly guesses: readonly string[] }

async function csvGroups({ paths, options, local }: LocalFiles): Promise<readonly GuessedGroup[]> {
  const groups = new Map<string, GuessedGroup>()
  for (const path of paths) {
    if ((await stat(path)).size === 0) continue
    const { parameters, columns } = await csvLayout(local, path, options)
    const names = columns.map(column => column.name)
    const guesses = columns.map(column => column.guess)
    const key = JSON.stringify([parameters, names])
    const group = groups.get(key) ?? { files: [], parameters, columns: names, guesses }
    group.files.push(path)
    groups.set(key, group)
  }
  if (groups.size > 0) return [...groups.values()]
  throw new SvcError('source-unreadable', `"${paths[0]}" is empty: it has not even a header`)
}
