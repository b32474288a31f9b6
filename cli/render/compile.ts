/** Prints compiled SQL as it is, so that it can go into a file. */
import type { JsonOf } from '@svc/server/contract'
import type { Style } from './style.ts'

export interface CompileReport {
  readonly asset: string
  readonly path: string
  readonly environment: string
  readonly sql: string
  readonly hasSource: boolean
}

export function renderCompiled({ asset, sql, hasSource }: CompileReport, style: Style): string[] {
  const note = `-- ${asset}__raw stands for the raw load of ${asset}`
  return [...(hasSource ? [style.dim(note)] : []), ...sql.split('\n')]
}

export function compileJson({ asset, path, environment, sql }: CompileReport): JsonOf<'compile'> {
  return { asset, path, environment, sql }
}
