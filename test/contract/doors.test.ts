/** The table of doors and guards has no empty cell, and each test that it names is there. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { privacyCases } from '../support/privacy/cases.ts'
import { type Cell, cells, doors, guards } from './doors.ts'
import { titlesOf } from './held/titles.ts'

const root = join(import.meta.dirname, '..', '..')
const all = doors.flatMap(door =>
  guards.map(guard => ({ name: `${door} × ${guard}`, cell: cells[door][guard] })),
)

function isHeld(cell: Cell | undefined): boolean {
  if (cell === undefined) return false
  if ('doesNotApplyBecause' in cell) return cell.doesNotApplyBecause.trim().includes(' ')
  if ('happening' in cell)
    return privacyCases.some(
      ({ happening, way }) => happening.name === cell.happening && way.name === cell.way,
    )
  const path = join(root, cell.file)
  return existsSync(path) && titlesOf(cell.file, readFileSync(path, 'utf8')).includes(cell.title)
}

it('no cell is empty, and none names a test that is not there', () => {
  expect(all.filter(({ cell }) => !isHeld(cell)).map(({ name, cell }) => [name, cell])).toEqual([])
})

it('a cell whose test is gone would be found', () => {
  expect(isHeld({ file: 'test/cli/doors.test.ts', title: 'nothing of the kind' })).toBe(false)
  expect(isHeld({ file: 'test/cli/gone.test.ts', title: 'x' })).toBe(false)
  expect(isHeld({ happening: 'a run is deployed', way: 'nothing' })).toBe(false)
  expect(isHeld({ doesNotApplyBecause: '' })).toBe(false)
})

it('every door has all guards, and no other', () => {
  expect(Object.keys(cells)).toEqual(doors)
  for (const door of doors) expect(Object.keys(cells[door]).toSorted()).toEqual(guards.toSorted())
})
