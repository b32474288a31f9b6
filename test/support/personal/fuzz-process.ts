/** A process of the fuzz run: a crash of DuckDB ends it alone, and its parent says in which queries. */
import { type FuzzTask, fuzzPersonal } from './fuzz.ts'

process.once('message', task => {
  const send = (message: unknown) => process.send?.(message)
  fuzzPersonal(
    task as FuzzTask,
    finding => send({ finding }),
    counts => send({ counts: { ...counts } }),
  ).then(
    counts => {
      send({ counts, isDone: true })
      process.disconnect()
    },
    (error: unknown) => {
      send({ finding: { kind: 'crash', what: String(error), sql: '' } })
      process.disconnect()
    },
  )
})
