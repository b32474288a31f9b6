/**
 * What the language server does about 1,200 columns costs at most six times the CPU of what it does about 300 (four is
 * linear): problems after a keystroke, and every request of an editor, in an asset that reads them by `SELECT *`, in one
 * that names each, and in one that describes and tests each.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Position } from 'vscode-languageserver-protocol/node'
import { type EditorHere, editorHere, positionOf } from '../support/editor-here.ts'
import { figure } from '../support/figure.ts'
import { wideNames, wideProject } from '../support/wide-project.ts'

const [few, many, most] = [300, 1200, 2000]
const mostTimes = 6
/** Less work than this is not felt, and is measured too coarsely to say how it grows. */
const leastMs = 40
const ratios: { readonly work: string; readonly times: number }[] = []
let slowest = { work: 'none', ms: 0 }

afterAll(() => {
  const wrong = ratios.filter(({ times }) => times > mostTimes)
  const worst = ratios.reduce((a, b) => (b.times > a.times ? b : a), { work: 'none', times: 0 })
  figure(
    'editor-width',
    `${ratios.length} answers at ${few} and ${many} columns, ${wrong.length} above ${mostTimes} times, most ${worst.times.toFixed(1)} (${worst.work}); at ${most} columns at most ${Math.round(slowest.ms)} ms of CPU (${slowest.work})`,
  )
})

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

test('cost of answers grows with the columns', { timeout: 900_000 }, async () => {
  await costs(40)
  const [small, large, largest] = [await costs(few), await costs(many), await costs(most)]
  for (const [work, ms] of large) {
    const times = ms < leastMs ? 1 : ms / (small.get(work) ?? 1)
    ratios.push({ work, times })
    const atMost = largest.get(work) ?? 0
    if (atMost > slowest.ms) slowest = { work, ms: atMost }
    const shown = [small.get(work) ?? 0, ms, atMost].map(Math.round).join(', ')
    process.stdout.write(`  ${work}: ${shown} ms (${times.toFixed(1)} times)\n`)
  }
  expect(ratios.filter(({ times }) => times > mostTimes)).toEqual([])
})

/** The CPU of each work, the least of three. */
async function costs(columns: number): Promise<ReadonlyMap<string, number>> {
  const ground = await wideProject({ kind: 'parquet', columns })
  const names = wideNames(columns)
  ground.write(files.checked, checked(names))
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
    for (const { name, before, work, after } of works) {
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
