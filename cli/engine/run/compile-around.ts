/** Compiles the statements around the build of an asset, and finds the place of one that failed. */
import {
  type Asset,
  type CompiledSql,
  compileSql,
  type Hook,
  type NodePath,
  type Tag,
} from '@svc/server/language'
import type { AroundPlace } from '../errors.ts'
import type { Dialect } from '../warehouse/dialect.ts'
import type { TableKey } from '../warehouse/table-keys.ts'
import type { Around, Relation } from '../warehouse/warehouse.ts'
import { type CompileInputs, readHookTag } from './compile-asset.ts'

export type CompiledAround = Readonly<Record<Hook['when'], readonly CompiledHook[]>>

interface CompiledHook {
  readonly path: NodePath
  readonly compiled: CompiledSql
}

/** Returns undefined for an asset without hooks. `target` is what `{{ this }}` stands for. */
export function compileAround(
  { hooks }: Asset,
  inputs: CompileInputs,
  target: Relation,
  dialect: Dialect,
): CompiledAround | undefined {
  if (hooks.length === 0) return undefined
  const hooksOf = (when: Hook['when']): CompiledHook[] =>
    hooks
      .filter(hook => hook.when === when)
      .map(({ index, template }) => ({
        path: ['deploy', when, index],
        compiled: compileSql(template, (tag: Tag) => readHookTag(tag, template, { inputs, target, dialect })),
      }))
  return { before: hooksOf('before'), after: hooksOf('after') }
}

/** Returns what the warehouse does around a build; undefined if that is nothing. */
export function aroundTask(
  { definition }: Asset,
  compiled: CompiledAround | undefined,
  keys: readonly TableKey[],
): Around | undefined {
  const { indexes, unlogged, tablespace, settings } = definition.deploy
  const named = Object.entries(settings).map(([name, value]) => [name, String(value)] as const)
  const hasOptions = unlogged || tablespace !== undefined || named.length > 0
  if (indexes.length + keys.length === 0 && compiled === undefined && !hasOptions) return undefined
  const sqlOf = (hooks: readonly CompiledHook[] = []) => hooks.map(hook => hook.compiled.sql)
  return {
    before: sqlOf(compiled?.before),
    keys,
    ...(hasOptions && {
      options: { unlogged, ...(tablespace !== undefined && { tablespace }), settings: named },
    }),
    indexes,
    after: sqlOf(compiled?.after),
  }
}

/** Returns where in the file a failed statement is written, and what was sent of it. */
export function placeAround(
  { list, index }: AroundPlace,
  compiled: CompiledAround | undefined,
): { readonly path: NodePath; readonly compiled?: CompiledSql } {
  switch (list) {
    case 'before':
    case 'after':
      return compiled?.[list][index] ?? { path: ['deploy', list] }
    case 'primary_key':
      return { path: ['contract', 'constraints', list] }
    case 'unique':
    case 'foreign_keys':
      return { path: ['contract', 'constraints', list, index] }
    case 'indexes':
      return { path: ['deploy', list, index] }
    default:
      return { path: ['deploy', list] }
  }
}
