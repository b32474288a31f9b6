/** Renders the page of a key of a file: what its value is, what it may be, and the keys below it. */
import type { JsonOf } from '@svc/server/contract'
import type { KeyFile, KeyLine, KeyPage } from '@svc/server/language'
import type { Style } from './style.ts'
import { displayWidth, padEnd, plain, wrap } from './width.ts'

/** So many pages are shown whole; of more, a line each. */
const wholePages = 3
/** The keys of so few lines are shown below their types; of more, their names. */
const linesOfTypes = 24

const files: Readonly<Record<KeyFile, string>> = {
  asset: '.svc file',
  settings: 'svc.yaml',
  glossary: 'glossary.yaml',
}

/** Returns the lines of each page. */
export function renderKeys(pages: readonly KeyPage[], style: Style): readonly (readonly string[])[] {
  if (pages.length <= wholePages) return pages.map(page => renderPage(page, style))
  const rows = pages.map(page => [titleOf(page), `${files[page.file]}: ${plain(page.doc)}`] as const)
  const lines = ['Several keys are called so. svc explain <key> shows one whole:', '', ...rowsOf(rows, style)]
  return [lines]
}

function renderPage(page: KeyPage, style: Style): string[] {
  const facts = [
    files[page.file],
    plain(page.value),
    ...(page.required ? ['required'] : []),
    ...(page.default === undefined ? [] : [`default ${plain(page.default)}`]),
  ]
  const isWhole = page.types.reduce((sum, { keys }) => sum + keys.length, 0) <= linesOfTypes
  return [
    ...wrap(`${style.bold(titleOf(page))}  ${style.dim(facts.join(' · '))}`, style.width),
    ...wrap(plain([page.doc, ...page.notes].join(' ')), style.width),
    ...section(
      'Values',
      page.values.map(({ value, doc }) => [value, plain(doc)]),
      style,
    ),
    ...page.types.flatMap(type => renderType(type, isWhole, style)),
    ...section(page.types.length === 0 ? 'Keys' : 'Keys of several types', page.keys.map(keyRow), style),
    ...more(page, isWhole, style),
  ]
}

/** `ingest.auth (type: oauth2)` */
function titleOf({ path, ofTypes }: KeyPage): string {
  return ofTypes.length === 0 ? path : `${path} (type: ${ofTypes.join(', ')})`
}

function renderType({ value, doc, notes, keys }: KeyPage['types'][number], isWhole: boolean, style: Style) {
  const head = `${style.bold(`type: ${value}`)}  ${plain([doc, ...notes].join(' '))}`
  if (isWhole) return ['', ...wrap(head, style.width), ...rowsOf(keys.map(keyRow), style)]
  const names = keys.map(({ name }) => name).join(', ')
  const lines = names === '' ? [] : wrap(names, style.width - 2).map(line => `  ${line}`)
  return ['', ...wrap(head, style.width), ...lines]
}

function keyRow({ name, value, required, default: written, doc }: KeyLine): readonly [string, string] {
  const facts = [
    plain(value),
    ...(required ? ['required'] : []),
    ...(written === undefined ? [] : [`default ${plain(written)}`]),
  ]
  return [name, `${plain(doc)} (${facts.join('; ')})`]
}

function section(title: string, rows: readonly (readonly [string, string])[], style: Style): string[] {
  return rows.length === 0 ? [] : ['', style.bold(`${title}:`), ...rowsOf(rows, style)]
}

function rowsOf(rows: readonly (readonly [string, string])[], style: Style): string[] {
  const width = Math.min(24, Math.max(0, ...rows.map(([left]) => displayWidth(left))))
  const indent = ' '.repeat(width + 4)
  return rows.flatMap(([left, right]) => {
    const lines = wrap(right, Math.max(24, style.width - indent.length))
    if (displayWidth(left) > width) return [`  ${left}`, ...lines.map(line => indent + line)]
    return lines.map((line, index) => (index === 0 ? `  ${padEnd(left, width)}  ${line}` : indent + line))
  })
}

function more({ path, types, keys }: KeyPage, isWhole: boolean, style: Style): string[] {
  const [type] = types
  if (type !== undefined && !isWhole) {
    return ['', ...wrap(`The keys of one type: svc explain ${path}.${type.value}`, style.width)]
  }
  const [key] = keys
  return key === undefined ? [] : ['', ...wrap(`More of a key: svc explain ${path}.${key.name}`, style.width)]
}

export function keysJson(pages: readonly KeyPage[]): JsonOf<'explain'>['keys'] {
  return pages.map(page => ({
    ...{ file: page.file, path: page.path },
    ...lineJson(page),
    of_types: [...page.ofTypes],
    notes: [...page.notes],
    values: page.values.map(({ value, doc }) => ({ value, means: doc })),
    types: page.types.map(({ value, doc, notes, keys }) => ({
      ...{ value, means: doc },
      notes: [...notes],
      keys: keys.map(lineJson),
    })),
    keys: page.keys.map(lineJson),
  }))
}

function lineJson({ name, value, required, default: written, doc }: KeyLine) {
  return { name, value, required, default: written ?? null, means: doc }
}
