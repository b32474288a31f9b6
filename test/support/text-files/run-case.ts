/** Loads a text file of the corpus, and says what is not as it must be. */
import type { FetchContext } from '../../../cli/engine/ingest/source.ts'
import { load, type Project } from '../../engine/ingest/fetching.ts'
import type { TextCase } from './text-case.ts'

export interface CaseResult {
  /** What is wrong; undefined if nothing is. */
  readonly wrong: string | undefined
  /** Whether rows are missing or others, and nothing was said. */
  readonly isSilent: boolean
}

export async function runCase(project: Project, each: TextCase, index: number): Promise<CaseResult> {
  const folder = `data/${index}`
  const file = each.file ?? 'data.csv'
  project.write(`${folder}/${file}`, each.bytes)
  const options = each.options === undefined ? '' : `, options: {${each.options}}`
  const contract = each.contract === undefined ? '' : `\ncontract: ${each.contract}`
  const body = `ingest: {type: file, endpoint: ${folder}, resource: "${file}"${options}}${contract}`
  const warnings: string[] = []
  const onWarning: FetchContext['onWarning'] = ({ code }) => void warnings.push(code)
  try {
    const { rows, rejects, columns } = await load(project, body, { onWarning })
    if (each.error !== undefined)
      return { wrong: `loaded, and must say ${each.error}`, isSilent: warnings.length === 0 }
    const names = (columns[''] ?? []).map(column => column.replace(/ [A-Z].*$/, ''))
    const values = (rows[''] ?? []).map(row => names.map(name => row[name]))
    const isSame = isSameTable(values, each.rows ?? []) && isEqual(names, each.columns ?? names)
    const isRejected = isEqual(
      rejects.map(row => Number(row['record_number'])),
      each.rejects ?? [],
    )
    const isWarned = isEqual(warnings, each.warnings ?? [])
    if (isSame && isRejected && isWarned) return { wrong: undefined, isSilent: false }
    const found = { names, values, rejects: rejects.map(row => row['record_number']), warnings }
    return {
      wrong: JSON.stringify(found).replaceAll('\ufeff', '<FEFF>'),
      isSilent: !isSame && warnings.length + rejects.length === 0,
    }
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    return { wrong: each.error?.test(said) === true ? undefined : said, isSilent: false }
  }
}

function isSameTable(
  found: readonly (readonly unknown[])[],
  wanted: readonly (readonly string[])[],
): boolean {
  return found.length === wanted.length && found.every((row, index) => isSameRow(row, wanted[index] ?? []))
}

function isSameRow(found: readonly unknown[], wanted: readonly string[]): boolean {
  return (
    found.length === wanted.length && found.every((value, index) => isSameValue(value, wanted[index] ?? ''))
  )
}

/** Numbers may be written in another way than in the file. */
function isSameValue(found: unknown, wanted: string): boolean {
  if (found === null) return wanted === ''
  const text = String(found)
  return (
    text === wanted || (wanted !== '' && !Number.isNaN(Number(wanted)) && Number(text) === Number(wanted))
  )
}

function isEqual(a: readonly unknown[], b: readonly unknown[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
