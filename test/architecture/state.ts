/**
 * Finds SQL about state outside of the engines' rooms: records go in and out of a `StateStore`, and what is written is a
 * value.
 */
import { join } from 'node:path'
import { stateTables } from '../../cli/engine/state/tables.ts'
import { codeFiles, codeOf } from './code.ts'

const rooms = /^cli\/engine\/(warehouse|state)\//
const names = Object.keys(stateTables).join('|')

/** Files that name a table of state in a text of their own; `{ table: 'svc_rejects' }` is a value of the interface. */
export function stateTableFiles(root: string): readonly string[] {
  const named = new RegExp(`\\b(${names})\\b(?!\\.json)`)
  return codeFiles(root, ['cli']).filter(
    file => !rooms.test(file) && named.test(codeOf(join(root, file)).replaceAll(/\btable: '\w+'/g, '')),
  )
}

const statement =
  /\b(SELECT\s|INSERT INTO\s|UPDATE\s.*\sSET\s|DELETE FROM\s|CREATE (TABLE|SCHEMA|VIEW)\s|ALTER TABLE\s|DROP (TABLE|SCHEMA|VIEW)\s)/

/** Files among the records that hold a statement. */
export function stateTextFiles(root: string): readonly string[] {
  return codeFiles(root, ['cli']).filter(
    file => file.startsWith('cli/engine/state/') && statement.test(codeOf(join(root, file))),
  )
}
