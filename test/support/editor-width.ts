/** What an editor asks about files of many columns, and the CPU of each of its answers. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Position } from 'vscode-languageserver-protocol/node'
import { type EditorHere, editorHere, positionOf } from './editor-here.ts'
import { wideNames, wideProject } from './wide-project.ts'

/** Above it an answer grows faster than the columns, which are four times as many. */
export const mostTimes = 6
/** Less work than this is not felt, and is measured too coarsely to say how it grows. */
const leastMs = 40

/** How many times longer an answer took. */
export function timesOf(small = 1, large = 0): number {
  return large < leastMs ? 1 : large / small
}

const files = { star: 'models/star.svc', wide: 'models/wide.svc', checked: 'models/checked.svc' } as const
type File = keyof typeof files
const fileNames = ['star', 'wide', 'checked'] as const

interface Desk {
  readonly editor: EditorHere
  readonly texts: Readonly<Record<File, string>>
  /** A column in the middle. */
  readonly middle: string
}

interface Work {
  readonly name: string
  /** Runs before the work is measured. */
  readonly before?: (desk: Desk) => Promise<unknown>
  readonly work: (desk: Desk) => Promise<unknown>
  readonly after?: (desk: Desk) => Promise<unknown>
}

/** The CPU of each work, the least of three. */
export async function costs(
  columns: number,
  names: readonly string[] = [],
): Promise<ReadonlyMap<string, number>> {
  const ground = await wideProject({ kind: 'parquet', columns })
  ground.write(files.checked, checked(wideNames(columns)))
  const read = (file: File) => readFileSync(join(ground.root, files[file]), 'utf8')
  const texts = { star: read('star'), wide: read('wide'), checked: read('checked') }
  const editor = await editorHere(ground.root)
  try {
    const desk = { editor, texts, middle: `c${Math.round(columns / 2)}` }
    for (const file of fileNames) {
      editor.open(files[file], texts[file])
      expect(await editor.problems(files[file])).toEqual([])
    }
    const taken = new Map<string, number>()
    for (const { name, before, work, after } of works.filter(
      each => names.length === 0 || names.includes(each.name),
    )) {
      const samples: number[] = []
      for (let index = 0; index < 3; index++) {
        await before?.(desk)
        const start = process.cpuUsage()
        await work(desk)
        const { user, system } = process.cpuUsage(start)
        samples.push((user + system) / 1000)
        await after?.(desk)
      }
      taken.set(name, Math.min(...samples))
    }
    return taken
  } finally {
    await editor.close()
    ground.dispose()
  }
}

function checked(names: readonly string[]): string {
  const each = (line: (name: string) => string) => names.map(line).join('')
  return `name: checked
ingest: {type: file, endpoint: ./data, resource: wide.parquet}
transform: |
  SELECT w.*
  FROM {{ source }} AS w
contract:
  columns:
${each(name => `    ${name}: {type: bigint, description: The ${name}.}\n`)}tests:
${each(name => `  - not_null: ${name}\n`)}`
}

let strokes = 0

/** A keystroke that changes nothing, and the problems that follow. */
async function stroke({ editor, texts }: Desk, file: File): Promise<void> {
  strokes += 1
  editor.change(files[file], `${texts[file]}# ${'x'.repeat(strokes % 7)}\n`)
  expect(await editor.problems(files[file])).toEqual([])
}

/** A change of a file, and the problems of another or of itself. */
function edits(
  name: string,
  file: File,
  change: (desk: Desk) => string,
  seen: File = file,
  atLeast = 1,
): Work {
  return {
    name,
    before: asWritten,
    async work(desk) {
      desk.editor.change(files[file], change(desk))
      expect((await desk.editor.problems(files[seen])).length).toBeGreaterThanOrEqual(atLeast)
    },
    after: asWritten,
  }
}

async function asWritten(desk: Desk): Promise<void> {
  for (const file of fileNames) desk.editor.change(files[file], desk.texts[file])
  for (const file of fileNames) await stroke(desk, file)
}

/** A request about a file after a keystroke in it. */
function asks(method: string, file: File, more: (desk: Desk) => object = () => ({}), name = method): Work {
  return {
    name: `${name} in ${file}`,
    before: desk => stroke(desk, file),
    async work({ editor, ...desk }) {
      expect(await editor.ask(method, files[file], more({ editor, ...desk })), name).not.toBeNull()
    },
  }
}

/** A request about a place of a file. */
function at(method: string, file: File, found: (desk: Desk) => string, more = 0, extra: object = {}): Work {
  const position = (desk: Desk): Position => positionOf(desk.texts[file], found(desk), more)
  const called = (desk: Desk) => ({ position: position(desk), ...extra })
  return asks(method, file, called)
}

const whole = ({ texts }: Desk, file: File) => ({
  range: { start: { line: 0, character: 0 }, end: { line: texts[file].split('\n').length, character: 0 } },
})
const alias = ({ middle }: Desk) => ` AS ${middle}`
const declared = ({ middle }: Desk) => `    ${middle}: {`
const tested = ({ middle }: Desk) => `not_null: ${middle}\n`

const works: readonly Work[] = [
  ...fileNames.map((file): Work => ({ name: `keystroke in ${file}`, work: desk => stroke(desk, file) })),
  edits(
    'a column misspelt',
    'wide',
    ({ texts, middle }) => texts.wide.replace(`    ${middle} +`, `    x${middle} +`),
    'wide',
    1,
  ),
  edits('each column misspelt', 'wide', ({ texts }) => texts.wide.replaceAll('    c', '    k')),
  edits(
    'each column gone under its reader',
    'star',
    ({ texts }) => texts.star.replace('*', '1 AS one'),
    'wide',
    1,
  ),
  edits(
    'a column gone under its tests',
    'checked',
    ({ texts, middle }) => texts.checked.replace('w.*', `w.* EXCLUDE (${middle})`),
    'checked',
    1,
  ),
  edits(
    'each column gone under its tests',
    'checked',
    ({ texts }) => texts.checked.replace('w.*', '1 AS one'),
    'checked',
    1,
  ),
  edits(
    'a name twice',
    'wide',
    ({ texts, middle }) => texts.wide.replace(` AS ${middle}`, ' AS c1'),
    'wide',
    0,
  ),
  at('completion', 'wide', ({ middle }) => `    ${middle} +`, 4),
  at('completion', 'checked', () => 'w.*', 2),
  { ...at('completion', 'checked', tested, 10), name: 'completion of a test in checked' },
  { ...at('completion', 'checked', declared, 4), name: 'completion of a contract in checked' },
  at('hover', 'wide', alias, 5),
  at('hover', 'star', () => '*'),
  { ...at('hover', 'star', () => "'source'", 2), name: 'hover of an asset in star' },
  at('hover', 'checked', tested, 11),
  at('definition', 'wide', ({ middle }) => `    ${middle} +`, 5),
  at('definition', 'checked', tested, 11),
  at('references', 'wide', alias, 5, { context: { includeDeclaration: true } }),
  at('references', 'checked', tested, 11, { context: { includeDeclaration: true } }),
  at('documentHighlight', 'wide', alias, 5),
  at('prepareRename', 'wide', alias, 5),
  at('rename', 'wide', alias, 5, { newName: 'another' }),
  at('rename', 'checked', tested, 11, { newName: 'another' }),
  ...fileNames.flatMap(file => [
    asks('semanticTokens/full', file),
    asks('inlayHint', file, desk => whole(desk, file)),
    asks('codeLens', file),
    asks('documentSymbol', file),
    asks('foldingRange', file),
    asks('documentLink', file),
    asks('codeAction', file, desk => ({ ...whole(desk, file), context: { diagnostics: [] } })),
    asks('formatting', file, () => ({ options: { tabSize: 2, insertSpaces: true } })),
  ]),
  asks('selectionRange', 'wide', ({ texts, middle }) => ({
    positions: [positionOf(texts.wide, ` AS ${middle}`, 5)],
  })),
]
