/**
 * Asks what columns queries have, in messages of PostgreSQL's protocol: many in one round, each only parsed and
 * bound. Nothing is written into the catalogue for it, as a view would be.
 */
import type { PostgresHere } from './open-image.ts'

/** A column as the server describes it. */
export interface Described {
  readonly name: string
  readonly type: number
  /** The modifier of the type, such as the digits of `numeric(12,2)`; -1 for none. */
  readonly modifier: number
}

export type Answered = { readonly columns: readonly Described[] } | { readonly failure: unknown }

/** Returns the answers in order, up to the first failure: the server skips what follows one. */
export async function describeQueries(
  { database, protocol: { serialize, messages: kinds } }: PostgresHere,
  queries: readonly string[],
): Promise<Answered[]> {
  const messages = queries.flatMap(text => [serialize.parse({ text }), serialize.describe({ type: 'S' })])
  const request = Buffer.concat([...messages, serialize.sync()])
  const answer = await database.execProtocol(request, { throwOnError: false, syncToFs: false })
  return answer.messages.flatMap((message): Answered | [] => {
    if (message instanceof kinds.DatabaseError) return { failure: message }
    if (message instanceof kinds.RowDescriptionMessage) return { columns: message.fields.map(described) }
    // A query may have no column at all.
    return message.name === 'noData' ? { columns: [] } : []
  })
}

function described(field: {
  readonly name: string
  readonly dataTypeID: number
  readonly dataTypeModifier: number
}): Described {
  return { name: field.name, type: field.dataTypeID, modifier: field.dataTypeModifier }
}
