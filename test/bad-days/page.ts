/** `docs/bad-days.md`: a table for each group of days, written by the days themselves. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Day, Production } from './day.ts'

const path = join(import.meta.dirname, '..', '..', 'docs', 'bad-days.md')
const head =
  '| what happens | command | exit code | it says | production | what to do |\n|---|---|---|---|---|---|\n'

export function rowOf(day: Day, code: number | null, message: string): string {
  const cells = [
    day.name,
    quote(`svc ${day.command ?? 'run --env prod'}`),
    code === null ? 'none' : String(code),
    code === null ? '' : quote(message),
    productionText(day.production ?? 'day 1'),
    day.todo,
  ]
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function productionText(production: Production): string {
  if (production === 'day 1') return 'as before'
  if (production === 'day 2') return 'the new rows'
  if (production === 'unreadable') return 'cannot be read'
  return production.says
}

function quote(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

/** The rows of a group, as they are in the page. */
export function readRows(title: string): readonly string[] {
  const section = readFileSync(path, 'utf8').split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
  return section.split('\n').filter(line => line.startsWith('| ') && !head.includes(line))
}

export function writeRows(title: string, rows: readonly string[]): void {
  const page = readFileSync(path, 'utf8')
  const [before, rest] = page.split(`\n## ${title}\n`)
  if (before === undefined || rest === undefined)
    throw new Error(`docs/bad-days.md has no heading "${title}"`)
  const after = rest.split('\n## ').slice(1)
  const section = `\n${head}${rows.join('\n')}\n`
  writeFileSync(path, [`${before}\n## ${title}\n${section}`, ...after].join('\n## '))
}
