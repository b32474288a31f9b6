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

/** Returns the statements for the warehouse; undefined if there are none. */
export function aroundTask({ definition }: Asset, compiled: CompiledAround | undefined): Around | undefined {
  const { indexes } = definition.deploy
  if (indexes.length === 0 && compiled === undefined) return undefined
  const sqlOf = (hooks: readonly CompiledHook[] = []) => hooks.map(hook => hook.compiled.sql)
  return { before: sqlOf(compiled?.before), indexes, after: sqlOf(compiled?.after) }
}

/** Returns where in the file a failed statement is written, and what was sent of it. */
export function placeAround(
  { list, index }: AroundPlace,
  compiled: CompiledAround | undefined,
): { readonly path: NodePath; readonly compiled?: CompiledSql } {
  if (list === 'indexes') return { path: ['deploy', 'indexes', index] }
  return compiled?.[list][index] ?? { path: ['deploy', list] }
}
