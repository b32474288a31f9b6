/** A folder with a dbt project in `my-dbt`, and `svc import dbt` on it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { createGround, type Ground, lineIn, type Said } from '../bad-input/command-line.ts'

const plain = { 'my-dbt/dbt_project.yml': 'name: my_shop\nprofile: my_shop\n' }

export interface Told {
  readonly code: number | null
  /** As `level path:line:column message | hint`. */
  readonly notes: readonly string[]
}

export interface DbtGround extends Pick<Ground, 'root' | 'line' | 'write' | 'dispose'> {
  /** Writes files beside the settings of a project called `my_shop`. */
  writeAll(files: Readonly<Record<string, string | Uint8Array>>): void
  read(path: string): string
  /** The files below a folder. */
  allFiles(folder: string): readonly string[]
  /** Imports into the folder `new`. */
  importNotes(): Promise<Told>
  /** A command in a folder. */
  at(folder: string): (words: readonly string[]) => Promise<Said>
  rowsOf(file: string, table: string): Promise<unknown>
}

export function createDbtGround(): DbtGround {
  const ground = createGround({})
  const inside = (path: string) => join(ground.root, path)
  return {
    ...ground,
    writeAll(files) {
      for (const [path, text] of Object.entries({ ...plain, ...files })) ground.write(path, text)
    },
    read: path => readFileSync(inside(path), 'utf8'),
    allFiles: folder => filesBelow(inside(folder)),
    async importNotes() {
      const { code, stdout } = await ground.line(['import', 'dbt', 'my-dbt', '-o', 'new', '--json'])
      const { notes = [] } = JSON.parse(stdout) as { notes?: readonly Record<string, string | null>[] }
      // A note is an entry for each asset that it is about.
      return { code, notes: [...new Set(notes.map(noteText))] }
    },
    at: folder => words => lineIn(inside(folder), words),
    rowsOf: (file, table) => rowsOf(inside(file), table),
  }
}

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

function noteText({ level, path, line, column, message, hint }: Record<string, string | null>): string {
  return `${level} ${path}:${line}:${column} ${message}${hint === null ? '' : ` | ${hint}`}`
}

async function rowsOf(file: string, table: string): Promise<unknown> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    const place = await connection.runAndReadAll(
      `SELECT schema_name FROM duckdb_views() WHERE view_name = '${table}' AND schema_name LIKE 'analytics%'`,
    )
    const [{ schema_name: schema } = {}] = place.getRowObjectsJson()
    const rows = await connection.runAndReadAll(`SELECT * FROM "${schema}"."${table}" ORDER BY ALL`)
    return rows.getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
