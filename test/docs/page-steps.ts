/**
 * What a reader of a page does, step by step: blocks with a path are files, blocks of `sh` and `console` are
 * commands. Comments that no reader sees prepare what the page takes for granted:
 *
 *     <!-- project: shop -->      starts in a copy of test/fixtures/shop, or in an empty folder (`empty`)
 *     <!-- do: svc run -->        a command before the next block; `do (3):` one that ends with exit code 3
 *     <!-- file: data/a.csv       a file before the next block; its text follows on the next lines
 *     <!-- edit: path /old/new/ -->
 *     <!-- exit: 1 -->            the commands of the next block end with this exit code
 *     <!-- api: name origin -->   a server on this machine stands for that origin (`refuse 500`, `accept`)
 *     <!-- not run: reason -->    the next block is not run
 */

export interface PageStep {
  readonly kind: 'project' | 'file' | 'edit' | 'api' | 'command'
  /** The command, the path, or the name of the project. */
  readonly what: string
  /** The text of a file; for an edit the two texts. */
  readonly text: string
  readonly replacement: string
  readonly exitCode: number
  /** What the page shows that the command prints, with its place in the page; undefined: nothing. */
  readonly shown: { readonly text: string; readonly start: number } | undefined
}

const step: PageStep = {
  kind: 'command',
  what: '',
  text: '',
  replacement: '',
  exitCode: 0,
  shown: undefined,
}

const parts = /<!-- ([\s\S]*?)-->|^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm

/** Throws for a block of code that nothing runs, so that no page has one by mistake. */
export function stepsOf(page: string): readonly PageStep[] {
  const steps: PageStep[] = []
  let exitCode = 0
  let isSkipped = false
  for (const match of page.matchAll(parts)) {
    const [, comment, language = '', info = '', body = ''] = match
    if (comment !== undefined) {
      const wish = wishOf(comment)
      if (wish === 'skip') isSkipped = true
      else if (typeof wish === 'number') exitCode = wish
      else if (wish !== undefined) steps.push(wish)
      continue
    }
    if (!isSkipped) {
      const bodyAt = match.index + 3 + language.length + info.length + 1
      steps.push(...blockSteps(language, info.trim(), body, bodyAt, exitCode))
    }
    isSkipped = false
    exitCode = 0
  }
  return steps
}

function wishOf(comment: string): PageStep | number | 'skip' | undefined {
  const [, word = '', code, rest = ''] = /^([a-z ]+?)(?: \((\d+)\))?: ([\s\S]*)$/.exec(comment) ?? []
  const text = rest.trimEnd()
  switch (word) {
    case 'project':
    case 'api':
      return { ...step, kind: word, what: text }
    case 'do':
      return { ...step, what: text, exitCode: Number(code ?? 0) }
    case 'file': {
      const end = rest.indexOf('\n')
      return { ...step, kind: 'file', what: rest.slice(0, end).trim(), text: rest.slice(end + 1) }
    }
    case 'edit': {
      const [, path = '', , old = '', now = ''] = /^(\S+) ([/|])(.*)\2(.*)\2$/s.exec(text) ?? []
      if (path === '') throw new Error(`not an edit: ${comment}`)
      return { ...step, kind: 'edit', what: path, text: old, replacement: now }
    }
    case 'exit':
      return Number(text)
    case 'not run':
      return 'skip'
    default:
      return undefined
  }
}

/** Languages of blocks that show something and are no step: other tests read those that can be checked. */
const shownOnly = new Set(['json', 'sql', 'http', 'yml', 'lua', 'toml', 'elisp', 'yaml', 'text'])

function blockSteps(
  language: string,
  info: string,
  body: string,
  start: number,
  exitCode: number,
): readonly PageStep[] {
  if (info !== '') return [{ ...step, kind: 'file', what: info, text: body }]
  if (language === 'sh') return shellLines(body).map(what => ({ ...step, what, exitCode }))
  if (language === 'console') return sessionsOf(body, start, exitCode)
  if (shownOnly.has(language)) return []
  throw new Error(`a block of "${language}" is neither a file nor a command`)
}

/** A line that ends with a backslash goes on; what follows a `#` is for the reader. */
function shellLines(body: string): readonly string[] {
  return body
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map(line => line.replace(/(^|\s+)# .*$/, '').trim())
    .filter(line => line !== '')
}

/** Each line that begins with a `$` is a command, which a backslash continues; what follows is its output. */
function sessionsOf(body: string, start: number, exitCode: number): readonly PageStep[] {
  if (!body.startsWith('$ ')) throw new Error(`the first line of a session is a command: ${body}`)
  return [...body.matchAll(/^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/gm)].map(
    ([whole, what = '', text = ''], index, { [index]: match }) => ({
      ...step,
      what: what.replace(/\\\n\s*/g, ''),
      exitCode,
      shown: { text, start: start + (match?.index ?? 0) + whole.length - text.length },
    }),
  )
}
