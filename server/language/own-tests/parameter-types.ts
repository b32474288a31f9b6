/** The types of parameters: what an asset may write for one, and what stands for it in the SQL. */
import type { Engine } from '../engines/engine.ts'
import type { JsonScalar } from '../schema/definition.ts'
import type { Value } from '../schema/inherited-values.ts'
import { atLeastOneOf, boolean, type Shape, scalar, text } from '../schema/shape.ts'

export interface ParameterType {
  readonly name: string
  readonly shape: Shape
  /** Its values are names, which cannot be empty. */
  readonly isName?: true
  /** Its values are columns of the asset that is tested. */
  readonly isColumn?: true
  /** Its values are other assets. */
  readonly isAsset?: true
  sql(value: Value, engine: Engine): string
}

const literal = (value: Value, engine: Engine): string => engine.literal(value as JsonScalar)

const types: readonly ParameterType[] = [
  {
    name: 'column',
    shape: text,
    isName: true,
    isColumn: true,
    sql: (value, engine) => engine.quoteIfNeeded(String(value)),
  },
  { name: 'number', shape: { kind: 'number', whole: false }, sql: literal },
  { name: 'text', shape: text, sql: (value, engine) => engine.literal(String(value)) },
  { name: 'boolean', shape: boolean, sql: literal },
  {
    name: 'list',
    shape: atLeastOneOf(scalar),
    sql: (value, engine) => (value as readonly Value[]).map(each => literal(each, engine)).join(', '),
  },
  {
    name: 'asset',
    shape: text,
    isName: true,
    isAsset: true,
    sql: value => `{{ ref('${String(value).replaceAll("'", '')}') }}`,
  },
]

export const parameterTypes: readonly string[] = types.map(({ name }) => name)

const byName: ReadonlyMap<string, ParameterType> = new Map(types.map(type => [type.name, type]))

/** Returns undefined if there is no such type. */
export function parameterTypeNamed(name: string): ParameterType | undefined {
  return byName.get(name)
}
