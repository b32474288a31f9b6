/** The names of types by their numbers in the server's catalogue, each asked for once. */
import { unknownTypeName } from './unknown-type.ts'

interface TypeNumber {
  readonly type: number
  readonly modifier: number
}

export interface TypeNames {
  /** Returns the names in order; undefined for the type that stands for an unknown one. */
  of(types: readonly TypeNumber[]): Promise<readonly (string | undefined)[]>
}

export function typeNames(rows: (sql: string) => Promise<readonly (readonly unknown[])[]>): TypeNames {
  const known = new Map<string, string>()
  const ask = async (types: readonly TypeNumber[]): Promise<void> => {
    const values = types.map(({ type, modifier }) => `(${type}, ${modifier})`).join(', ')
    const found = await rows(
      `SELECT oid, modifier, format_type(oid, modifier) FROM (VALUES ${values}) t (oid, modifier)`,
    )
    for (const [type, modifier, name] of found) known.set(`${type} ${modifier}`, String(name))
  }
  return {
    async of(types) {
      const missing = types.filter(type => !known.has(keyOf(type)))
      if (missing.length > 0) await ask(missing)
      return types.map(type => writtenType(known.get(keyOf(type))))
    },
  }
}

function keyOf({ type, modifier }: TypeNumber): string {
  return `${type} ${modifier}`
}

/** The row of a table is a type, too: it is called after a table of the catalogue, which no warehouse has. */
function writtenType(name: string | undefined): string | undefined {
  return name === undefined || name.includes(unknownTypeName) || name.includes('"svc ') ? undefined : name
}
