// Loaded into a measured `svc run`: reads production through a connection of its own to the very database that `svc` has
// open, as fast as it can, and counts what it saw. SVC_BENCH_READER names the database file, the statement and the
// two answers that are whole; the counts are written to `out`.
'use strict'
const { writeFileSync } = require('node:fs')
const { basename } = require('node:path')
const bindings = require('@duckdb/node-bindings')

const { file, sql, whole, out } = JSON.parse(process.env.SVC_BENCH_READER)
const seen = { polls: 0, old: 0, new: 0, mixed: 0, refused: 0, firstRefusal: undefined, firstMix: undefined }
const readers = new Map()

async function open(path, config) {
  await Promise.all([...readers.values()].filter(reader => reader.stopped).map(reader => reader.ended))
  const database = await bindings.open(path, config)
  if (basename(path ?? '') === file) {
    const reader = { connection: new DuckDBConnection(await bindings.connect(database)), stopped: false }
    reader.ended = poll(reader).then(() => {
      reader.connection.disconnectSync()
      bindings.close_sync(database)
      readers.delete(database)
    })
    readers.set(database, reader)
  }
  return database
}

/** A statement that runs is let finish first: the database closes a moment later. */
function closeSync(database) {
  const reader = readers.get(database)
  if (reader === undefined) bindings.close_sync(database)
  else reader.stopped = true
}

// The native module cannot be changed, so what `require` gives is one that stands before it.
require.cache[require.resolve('@duckdb/node-bindings')].exports = Object.create(bindings, {
  open: { value: open },
  close_sync: { value: closeSync },
})
const { DuckDBConnection } = require('@duckdb/node-api')

async function poll(reader) {
  while (!reader.stopped) {
    try {
      const rows = (await reader.connection.runAndReadAll(sql)).getRowsJson()
      note(JSON.stringify(rows))
    } catch (error) {
      if (reader.stopped) return
      seen.refused += 1
      seen.firstRefusal ??= String(error).slice(0, 300)
    }
    await new Promise(resolve => setImmediate(resolve))
  }
}

function note(answer) {
  seen.polls += 1
  if (answer === whole.old) seen.old += 1
  else if (answer === whole.new) seen.new += 1
  else {
    seen.mixed += 1
    seen.firstMix ??= answer.slice(0, 300)
  }
}

process.on('exit', () => writeFileSync(out, JSON.stringify(seen)))
