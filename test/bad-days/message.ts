/** What the page shows of the output of a command: the sentence that says what happened. */
import type { Said } from '../cli/bad-input/command-line.ts'
import { normalise } from '../support/cli.ts'

/** Places in the output where that sentence stands, the best first. */
const sentences: readonly ((lines: readonly string[]) => string | undefined)[] = [
  lines => block(lines, /^ {2}error {2}/),
  lines => block(lines, /^Failed \w+ .* after [\d.]+ m?s\. /),
  lines => block(lines, /^error: (?!\d+ errors? in )/),
  lines => block(lines, /^(✗|FAIL) /),
  lines => block(lines, /^ {2}(✗|FAIL) /),
  lines => block(lines, /^ {2}(warn|!|~) /),
  lines => block(lines, /^error: /),
  lines => lines.findLast(line => line.trim() !== ''),
]

export function messageOf(said: Said, root: string): string {
  // The lines as they came: only so is it known which of them the width of the terminal has broken.
  const lines = `${said.stdout}\n${said.stderr}`.split('\n')
  for (const find of said.code === 0 ? [lastOutcome] : sentences) {
    const found = find(lines)
    if (found !== undefined) return shown(found, root)
  }
  return ''
}

/** The sentence without what differs from run to run. */
function shown(sentence: string, root: string): string {
  return normalise(sentence.replace(/\s+/g, ' '), root)
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
    .replace(/\b(process|pid)(\s+)\d+/g, '$1$2<pid>')
    .replace(/ of \S+ on \S+,/g, ' of <user> on <host>,')
    .replace(/ \((?:E|ERR_|UND_|Z_)[A-Z_]+\)/g, '')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '<time>')
    .replace(/\d+ d old/g, '<age> old')
    .replace(/\d+ d in the future/g, '<age> in the future')
    .replace(/,? since <time>| for <seconds>/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^ *✗ (\S+) (?:(?:test |unit )?failed )?/, '$1: ')
    .replace(/^Failed run <run> after <seconds>\. |^error:? +/, '')
    .trim()
}

/** The line that matches, with those in which its sentence goes on: a terminal breaks it at 80 columns. */
function block(lines: readonly string[], start: RegExp): string | undefined {
  const first = lines.findIndex(line => start.test(line))
  if (first < 0) return undefined
  const goesOn = continuationOf(lines[first] ?? '')
  const end = lines.findIndex(
    (line, index) => index > first && !(goesOn.test(line) && isFull(lines[index - 1], line)),
  )
  return lines.slice(first, end < 0 ? undefined : end).join(' ')
}

function continuationOf(line: string): RegExp {
  if (line.startsWith('error: ')) return /^ {7}\S/
  if (line.startsWith('  error')) return /^ {9}\S/
  return line.startsWith(' ') ? /^ {20}/ : /^\S/
}

/** Whether the next word had no room in the line. A code ends the sentence; what follows is advice. */
function isFull(line = '', next: string): boolean {
  const [word = ''] = next.trim().split(' ')
  // A long path is broken where it has a slash, and its first part may have had room.
  if (word.startsWith('(/')) return true
  return !/ {2}\[?[a-z-]+\]?$/.test(line) && line.length + 1 + word.length > widest
}

/** Some lines have a margin of two. */
const widest = 78

/** What a command that has done its work says last. */
function lastOutcome(lines: readonly string[]): string | undefined {
  return (
    block(lines, /^ {2}(~|!) .* (drifted|warn)/) ??
    lines.find(line => / (OK|WARN|ERROR) /.test(line)) ??
    lines.find(line => /^(Deployed|Rolled back|Nothing|No )/.test(line)) ??
    lines.find(line => /^\S/.test(line)) ??
    lines.find(line => line.trim() !== '')
  )
}
