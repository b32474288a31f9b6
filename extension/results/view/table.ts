/** The table: sorting, filtering, keyboard navigation, and the complete value of the focused cell. */
import type { GridRows } from '../protocol.ts'
import {
  cellText,
  type Direction,
  filtered,
  isNumeric,
  sorted,
  toCsv,
  toJson,
  toMarkdown,
} from '../table-text.ts'
import { element, make } from './element.ts'

export interface Table {
  show(rows: GridRows): void
  filter(words: string): void
  /** Returns the rows as sorted and filtered. */
  visible(): GridRows
  text(format: 'csv' | 'json' | 'markdown'): string
}

export interface TableEvents {
  copy(text: string): void
  shown(shown: number, all: number): void
}

/** Rows are created as they scroll into view. */
const batch = 200

interface Order {
  readonly column: string
  readonly direction: Direction
}

const formats = { csv: toCsv, json: toJson, markdown: toMarkdown }

export function createTable({ copy, shown }: TableEvents): Table {
  const head = element('head')
  const body = element('body')
  const end = element('end')
  const detail = element('detail')
  let all: GridRows = { columns: [], rows: [] }
  let view = all
  let words = ''
  let order: Order | undefined

  function update(): void {
    const matching = filtered(all, words)
    view = order === undefined ? matching : sorted(matching, order.column, order.direction)
    head.replaceChildren(headOf(view, order, sortBy))
    body.replaceChildren()
    detail.hidden = true
    addRows()
    shown(view.rows.length, all.rows.length)
  }

  function addRows(): void {
    const from = body.childElementCount
    body.append(...view.rows.slice(from, from + batch).map((row, index) => rowOf(view, row, from + index)))
    body.querySelector<HTMLElement>('td')?.setAttribute('tabindex', '0')
  }

  function sortBy(column: string): void {
    const isSame = order?.column === column
    if (isSame && order?.direction === 'descending') order = undefined
    else order = { column, direction: isSame ? 'descending' : 'ascending' }
    update()
    head.querySelector<HTMLElement>(`button[data-column="${CSS.escape(column)}"]`)?.focus()
  }

  function showDetail(cell: HTMLElement): void {
    const value = view.rows[Number(cell.dataset['row'])]?.[cell.dataset['column'] ?? '']
    const text =
      typeof value === 'object' && value !== null ? JSON.stringify(value, undefined, 2) : cellText(value)
    detail.hidden = cell.scrollWidth <= cell.clientWidth && !text.includes('\n')
    detail.textContent = text
  }

  body.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLTableCellElement) showDetail(target)
  })
  body.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLTableCellElement) focusCell(target)
  })
  body.addEventListener('keydown', event => pressKey(event, copy))
  new IntersectionObserver(entries => {
    if (entries.some(entry => entry.isIntersecting) && body.childElementCount < view.rows.length) addRows()
  }).observe(end)

  return {
    show(rows) {
      const isSame = rows.columns.some(({ name }) => name === order?.column)
      if (!isSame) order = undefined
      all = rows
      update()
    },
    filter(next) {
      words = next
      update()
    },
    visible: () => view,
    text: format => formats[format](view),
  }
}

function pressKey(event: KeyboardEvent, copy: TableEvents['copy']): void {
  const { target } = event
  if (!(target instanceof HTMLTableCellElement)) return
  if ((event.ctrlKey || event.metaKey) && event.key === 'c' && String(getSelection()) === '') {
    copy(target.dataset['null'] === undefined ? (target.textContent ?? '') : '')
    return
  }
  const next = neighbour(target, event)
  if (next === undefined) return
  event.preventDefault()
  if (next !== null) focusCell(next)
}

function headOf(
  { columns }: GridRows,
  order: Order | undefined,
  sortBy: (column: string) => void,
): HTMLElement {
  const corner = make('th', { scope: 'col', className: 'number', textContent: '#' })
  const cells = columns.map(column => headCell(column, order, sortBy))
  return make('tr', {}, ...(columns.length === 0 ? [] : [corner, ...cells]))
}

function headCell(
  { name, type }: GridRows['columns'][number],
  order: Order | undefined,
  sortBy: (column: string) => void,
): HTMLElement {
  const label = make('span', { className: 'name', textContent: name })
  const kind = make('span', { className: 'type', textContent: type.toLowerCase() })
  const button = make('button', { type: 'button', title: `Sort by ${name}` }, label, kind)
  button.dataset['column'] = name
  button.addEventListener('click', () => sortBy(name))
  return make('th', { scope: 'col', ariaSort: order?.column === name ? order.direction : 'none' }, button)
}

function rowOf({ columns }: GridRows, values: Readonly<Record<string, unknown>>, index: number): HTMLElement {
  const number = make('th', { scope: 'row', className: 'number', textContent: String(index + 1) })
  const cells = columns.map(({ name, type }) => {
    const value = values[name]
    const className = isNumeric(type) ? 'numeric' : ''
    const cell = make('td', { tabIndex: -1, className, textContent: cellText(value) })
    cell.dataset['row'] = String(index)
    cell.dataset['column'] = name
    if (value === null || value === undefined) cell.dataset['null'] = ''
    return cell
  })
  return make('tr', {}, number, ...cells)
}

function focusCell(cell: HTMLElement): void {
  for (const other of document.querySelectorAll('td[tabindex="0"]')) other.setAttribute('tabindex', '-1')
  cell.tabIndex = 0
  cell.focus()
}

/** Returns undefined if the key moves nothing, and null if there is no cell in that direction. */
function neighbour(
  cell: HTMLTableCellElement,
  { key, ctrlKey, metaKey }: KeyboardEvent,
): HTMLElement | null | undefined {
  const row = cell.parentElement
  const column = cell.cellIndex
  const far = ctrlKey || metaKey
  const inRow = (other: Element | null | undefined) => cellIn(other, column)
  switch (key) {
    case 'ArrowLeft':
      return cellIn(row, column - 1)
    case 'ArrowRight':
      return cellIn(row, column + 1)
    case 'ArrowUp':
      return inRow(row?.previousElementSibling)
    case 'ArrowDown':
      return inRow(row?.nextElementSibling)
    case 'Home':
      return cellIn(far ? row?.parentElement?.firstElementChild : row, 1)
    case 'End':
      return lastCell(far ? row?.parentElement?.lastElementChild : row)
    default:
      return undefined
  }
}

function cellIn(row: Element | null | undefined, index: number): HTMLElement | null {
  const cell = row instanceof HTMLTableRowElement ? row.cells[index] : undefined
  return cell?.tagName === 'TD' ? cell : null
}

function lastCell(row: Element | null | undefined): HTMLElement | null {
  return row instanceof HTMLTableRowElement ? (row.cells[row.cells.length - 1] ?? null) : null
}
