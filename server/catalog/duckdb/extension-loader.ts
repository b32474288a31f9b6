/**
 * Tries the extensions that `svc.yaml` lists, inside the worker process: reads their files, lets DuckDB
 * install those that are given by name alone, and loads each into a database that is used for nothing else.
 */
import { open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { fileEnding } from '../../language/engines/duckdb/extensions.ts'
import { label } from '../../language/engines/duckdb/label.ts'
import { nearestNames } from '../../language/text/nearest-names.ts'
import type { ExtensionOutcome, ExtensionTask } from '../extensions.ts'
import { callByName } from '../worker/call-by-name.ts'
import type { OpenDatabase } from '../worker/databases.ts'
import { type EngineBuild, footerLength, misfit, readExtensionFile } from './extension-file.ts'
import { databaseMemory, loadDuckdb } from './memory-database.ts'
import { quoteLiteral } from './quoting.ts'

/** Opens the loader. `load` has the statements that load the extensions tried before. */
export async function openExtensionLoader(
  memoryBytes: number,
  load: readonly string[],
): Promise<OpenDatabase> {
  const { DuckDBInstance } = await loadDuckdb()
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    memory_limit: databaseMemory(memoryBytes),
  })
  const connection = await instance.connect()
  for (const statement of load) await connection.run(statement)
  const engine = await engineBuild(connection)
  return {
    engine: label,
    call: callByName({
      prepare: (task: ExtensionTask) => prepare({ connection, engine, ...task }),
    }),
    interrupt: () => connection.interrupt(),
  }
}

interface Task extends ExtensionTask {
  readonly connection: DuckDBConnection
  readonly engine: EngineBuild
}

function prepare(task: Task): Promise<ExtensionOutcome> {
  const { path } = task.extension
  return path === undefined ? prepareNamed(task) : prepareFile(task, path)
}

// ---------------------------------------------------------------- from a file

async function prepareFile(
  { connection, engine, root, extension }: Task,
  path: string,
): Promise<ExtensionOutcome> {
  const { name } = extension
  const expected = `${name}${fileEnding}`
  if (basename(path) !== expected)
    return problem(
      `the file of the extension ${name} is called ${basename(path)}`,
      `Call it ${expected}: DuckDB finds the beginning of an extension by its file's name.`,
    )
  const file = resolve(root, path)
  const wanted = `Name the file of ${name} for DuckDB ${engine.version} on ${engine.platform}; paths begin at the project's root.`
  const footer = await lastBytes(file)
  if (typeof footer === 'string') return problem(`cannot read the extension ${path}: ${footer}`, wanted)
  const found = readExtensionFile(footer)
  if (found === undefined) return problem(`${path} is no extension of DuckDB`, wanted)
  const reason = misfit(found, engine)
  if (reason !== undefined) return problem(`${path} ${reason}`, wanted)
  const statement = `LOAD ${quoteLiteral(file)}`
  const failure = await failureOf(connection, statement)
  return failure === undefined
    ? { load: statement }
    : problem(
        `DuckDB does not load ${path}: ${failure}`,
        'Is it the file as its makers published it, with their signature?',
      )
}

async function lastBytes(file: string): Promise<Uint8Array | string> {
  try {
    const handle = await open(file)
    try {
      const { size } = await handle.stat()
      const start = Math.max(0, size - footerLength)
      const bytes = new Uint8Array(size - start)
      await handle.read(bytes, 0, bytes.length, start)
      return bytes
    } finally {
      await handle.close()
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : code
  }
}

// ---------------------------------------------------------------- by its name

async function prepareNamed({ connection, engine, mayInstall, extension }: Task): Promise<ExtensionOutcome> {
  const { name } = extension
  const all = await knownExtensions(connection)
  const known = all.find(each => each.name === name || each.aliases.includes(name))
  if (known === undefined) {
    const near = nearestNames(
      name,
      all.map(each => each.name),
    )
    const question = near[0] === undefined ? '' : `Did you mean ${near[0]}? `
    return problem(
      `DuckDB has no extension called ${name}`,
      `${question}Others are named with the path of their file: {name: ${name}, path: ./ext/${name}${fileEnding}}.`,
    )
  }
  if (known.isBuiltIn) return {}
  if (!known.isInstalled) {
    if (!mayInstall)
      return problem(
        `the extension ${name} is not installed`,
        'svc validate or svc run lets DuckDB install it; an editor fetches nothing.',
      )
    const failure = await failureOf(connection, `INSTALL ${known.name}`)
    if (failure !== undefined)
      return problem(
        `DuckDB cannot install the extension ${name}: ${failure}`,
        `It is fetched once, over the network. Without one name its file for DuckDB ${engine.version} on ${engine.platform}: {name: ${known.name}, path: ./ext/${known.name}${fileEnding}}.`,
      )
  }
  const statement = `LOAD ${known.name}`
  const failure = await failureOf(connection, statement)
  return failure === undefined
    ? { load: statement }
    : problem(
        `DuckDB does not load the extension ${name}: ${failure}`,
        `Install it anew: FORCE INSTALL ${known.name} in a DuckDB ${engine.version}.`,
      )
}

async function knownExtensions(connection: DuckDBConnection) {
  const answer = await connection.runAndReadAll(
    `SELECT extension_name, array_to_string(aliases, ' '), loaded, installed FROM duckdb_extensions()`,
  )
  return answer.getRows().map(([name, aliases, loaded, installed]) => ({
    name: String(name),
    aliases: String(aliases).split(' '),
    isBuiltIn: loaded === true,
    isInstalled: installed === true,
  }))
}

// ---------------------------------------------------------------- both

async function engineBuild(connection: DuckDBConnection): Promise<EngineBuild> {
  const answer = await connection.runAndReadAll('SELECT version(), platform FROM pragma_platform()')
  const [version, platform] = answer.getRows()[0] ?? []
  return { version: String(version), platform: String(platform) }
}

function problem(message: string, hint: string): ExtensionOutcome {
  return { problem: { message, hint } }
}

/** Runs a statement and returns the first line of DuckDB's error; undefined if it succeeded. */
async function failureOf(connection: DuckDBConnection, statement: string): Promise<string | undefined> {
  try {
    await connection.run(statement)
    return undefined
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return text.split('\n', 1)[0]?.replace(/^[A-Z][A-Za-z/ ]+ Error: /, '') ?? text
  }
}
