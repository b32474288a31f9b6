// Draws docs/images/terminal.svg: real commands on the shop project and what they print, colours included.
// Run it by hand after the output has changed: `node scripts/picture.mjs`.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const colours = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 36: '#79c0ff' }
const cell = { width: 8.4, height: 20 }
const padding = 20

const project = mkdtempSync(join(tmpdir(), 'svc-picture-'))
cpSync(join(root, 'test', 'fixtures', 'shop'), project, { recursive: true })
const asTerminal = join(project, 'as-terminal.cjs')
writeFileSync(
  asTerminal,
  'for (const out of [process.stdout, process.stderr]) Object.assign(out, { isTTY: true, columns: 80, rows: 40 })',
)
const lines = [...mistake(), '', ...session('run --env prod')]
rmSync(project, { recursive: true })
const picture = join(root, 'docs', 'images', 'terminal.svg')
mkdirSync(dirname(picture), { recursive: true })
writeFileSync(picture, draw(lines))

function mistake() {
  const path = join(project, 'models', 'daily_revenue.svc')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace('sum(amount) AS revenue,', 'sum(amout) AS revenue,'))
  const shown = session('validate --quiet')
  writeFileSync(path, text)
  return shown
}

/** Returns the prompt, the command, and the final content of the terminal without intermediate redrawing. */
function session(command) {
  const { CI, NO_COLOR, ...env } = process.env
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', asTerminal, join(root, 'cli', 'bin', 'svc.cjs'), ...command.split(' ')],
    { cwd: project, encoding: 'utf8', env: { ...env, TERM: 'xterm-256color', FORCE_COLOR: '1' } },
  )
  const shown = linesOnScreen(`${stderr}${stdout}`)
  while (shown.at(-1) === '') shown.pop()
  return [`\u001b[1m$ svc ${command}\u001b[22m`, ...shown]
}

/**
 * Interprets the escape sequences that svc writes: moving up, and clearing below; the column of the cursor
 * does not matter.
 */
function linesOnScreen(text) {
  const rows = ['']
  let row = 0
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with one.
  for (const part of text.split(/(\u001b\[\??\d*[AJhl]|\n)/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with one.
    const [, count, letter] = /^\u001b\[\??(\d*)([AJhl])$/.exec(part) ?? []
    if (letter === 'A') row -= Number(count)
    else if (letter === 'J') rows.splice(row)
    else if (part === '\n') row++
    else if (letter === undefined) rows[row] = (rows[row] ?? '') + part
    rows[row] ??= ''
  }
  return rows
}

function draw(lines) {
  const columns = Math.max(...lines.map(line => stripVTControlCharacters(line).length))
  const width = Math.ceil(columns * cell.width + 2 * padding)
  const height = lines.length * cell.height + 2 * padding
  const text = lines.map((line, row) => drawLine(line, padding + (row + 0.75) * cell.height)).join('\n')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>svc finds a misspelt column on its exact place, then builds, tests and promotes the repaired project</title>
<rect width="100%" height="100%" rx="10" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">
${text}
</g>
</svg>
`
}

/** Draws one text element per style; `textLength` keeps the columns aligned in any font. */
function drawLine(line, y) {
  let column = 0
  let style = {}
  let spans = ''
  for (const [index, part] of line.split('\u001b[').entries()) {
    const [, code, rest] = (index > 0 && /^(\d+)m(.*)$/s.exec(part)) || [undefined, undefined, part]
    if (code !== undefined) style = apply(style, Number(code))
    if (rest.trim() !== '') spans += span(rest, padding + column * cell.width, y, style)
    column += rest.length
  }
  return spans
}

function apply(style, code) {
  if (code === 0) return {}
  if (code === 39) return { ...style, fill: undefined }
  if (code === 22) return { ...style, bold: false, dim: false }
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  return { ...style, fill: colours[code] }
}

function span(text, x, y, { fill, bold, dim }) {
  const look = [
    fill === undefined ? '' : ` fill="${fill}"`,
    bold ? ' font-weight="bold"' : '',
    dim ? ' opacity="0.6"' : '',
  ].join('')
  const length = (text.length * cell.width).toFixed(1)
  const words = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<text x="${x.toFixed(1)}" y="${y}" xml:space="preserve" textLength="${length}"${look}>${words}</text>`
}
