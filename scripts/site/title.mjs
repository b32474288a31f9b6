import { existsSync, readFileSync } from 'node:fs'

/** Returns the first heading of a page; '' where there is no such file. */
export function titleOf(path = '') {
  if (!path.endsWith('.md') || !existsSync(path)) return ''
  return /^# (.*)$/m.exec(readFileSync(path, 'utf8'))?.[1]?.replaceAll('`', '') ?? ''
}
