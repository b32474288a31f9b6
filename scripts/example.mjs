// Copies the example with its data: real data sets of the npm package `vega-datasets`. Used by the demo, the
// benchmarks and the tests; the example's own folder is not changed.
import { constants, copyFileSync, cpSync, mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const example = join(root, 'examples', 'flights')

/** The files below `data/` that the example's sources read. */
export const exampleData = [
  'flights-3m.parquet',
  'airports.csv',
  'birdstrikes.csv',
  'weather.csv',
  'us-state-capitals.json',
]

/** Returns the path of a data set in the installed package. */
export function dataFile(name) {
  return join(root, 'node_modules', 'vega-datasets', 'data', name)
}

/** Copies the example with its data into `folder` (created if missing), as a project that runs. */
export function copyExample(folder) {
  const skipped = new Set(['data', '.svc', 'warehouse.duckdb', 'warehouse.duckdb.wal', 'svc_catalog.json'])
  cpSync(example, folder, { recursive: true, filter: path => !skipped.has(basename(path)) })
  copyData(join(folder, 'data'))
}

/** Copies the data sets into `folder`. */
export function copyData(folder) {
  mkdirSync(folder, { recursive: true })
  for (const name of exampleData) copyFileSync(dataFile(name), join(folder, name), constants.COPYFILE_FICLONE)
}
