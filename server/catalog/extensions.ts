/**
 * Makes the extensions ready that `svc.yaml` names: looks at their files, lets DuckDB install those that are named alone,
 * and loads each once into a database of its own, so that whoever loads them afterwards meets no error. They are native
 * code: nothing here runs for a project that nobody trusts.
 */
import { open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import {
  type EngineBuild,
  footerLength,
  misfit,
  readExtensionFile,
} from '../language/extensions/extension-file.ts'
import type { ExtensionSetting } from '../language/index.ts'
import { nearestNames } from '../language/text/nearest-names.ts'
import { quoteLiteral } from './duckdb/quoting.ts'

export interface ExtensionProblem {
  /** In the list of the settings. */
  readonly index: number
  readonly message: string
  readonly hint: string
}

export interface ReadyExtensions {
  /** Statements that load them, in order. */
  readonly load: readonly string[]
  readonly problems: readonly ExtensionProblem[]
}

export interface ExtensionsRequest {
  /** The project's root, absolute. */
  readonly root: string
  readonly extensions: readonly ExtensionSetting[]
  /** Whether DuckDB may fetch what is not installed. */
  readonly mayInstall: boolean
}

export const noExtensions: ReadyExtensions = { load: [], problems: [] }

/** Never throws. */
export async function prepareExtensions(request: ExtensionsRequest): Promise<ReadyExtensions> {
  if (request.extensions.length === 0) return noExtensions
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  const connection = await instance.connect()
  try {
    const engine = await engineBuild(connection)
    const load: string[] = []
    const problems: ExtensionProblem[] = []
    for (const [index, extension] of request.extensions.entries()) {
      const outcome = await prepare({ connection, engine, request, extension })
      if (typeof outcome === 'string') load.push(outcome)
      else if (outcome !== undefined) problems.push({ index, ...outcome })
    }
    return { load, problems }
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

interface Task {
  readonly connection: DuckDBConnection
  readonly engine: EngineBuild
  readonly request: ExtensionsRequest
  readonly extension: ExtensionSetting
}

type Problem = Omit<ExtensionProblem, 'index'>

/** The statement that loads it; nothing where the engine has it. */
function prepare(task: Task): Promise<string | Problem | undefined> {
  const { path } = task.extension
  return path === undefined ? prepareNamed(task) : prepareFile(task, path)
}

// ---------------------------------------------------------------- from a file

async function prepareFile({ connection, engine, request, extension }: Task, path: string) {
  const { name } = extension
  const expected = `${name}.duckdb_extension`
  if (basename(path) !== expected)
    return problem(
      `the file of the extension ${name} is called ${basename(path)}`,
      `Call it ${expected}: DuckDB finds the beginning of an extension by its file's name.`,
    )
  const file = resolve(request.root, path)
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
    ? statement
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

async function prepareNamed({ connection, engine, request, extension }: Task) {
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
      `${question}Others are named with the path of their file: {name: ${name}, path: ./ext/${name}.duckdb_extension}.`,
    )
  }
  if (known.isBuiltIn) return undefined
  if (!known.isInstalled) {
    if (!request.mayInstall)
      return problem(
        `the extension ${name} is not installed`,
        'svc validate or svc run lets DuckDB install it; an editor fetches nothing.',
      )
    const failure = await failureOf(connection, `INSTALL ${known.name}`)
    if (failure !== undefined)
      return problem(
        `DuckDB cannot install the extension ${name}: ${failure}`,
        `It is fetched once, over the network. Without one name its file for DuckDB ${engine.version} on ${engine.platform}: {name: ${known.name}, path: ./ext/${known.name}.duckdb_extension}.`,
      )
  }
  const statement = `LOAD ${known.name}`
  const failure = await failureOf(connection, statement)
  return failure === undefined
    ? statement
    : problem(
        `DuckDB does not load the extension ${name}: ${failure}`,
        `Install it anew: FORCE INSTALL ${known.name} in a DuckDB ${engine.version}.`,
      )
}

interface KnownExtension {
  readonly name: string
  readonly aliases: readonly string[]
  readonly isBuiltIn: boolean
  readonly isInstalled: boolean
}

async function knownExtensions(connection: DuckDBConnection): Promise<readonly KnownExtension[]> {
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

function problem(message: string, hint: string): Problem {
  return { message, hint }
}

/** The first line of what DuckDB says; undefined: it went well. */
async function failureOf(connection: DuckDBConnection, statement: string): Promise<string | undefined> {
  try {
    await connection.run(statement)
    return undefined
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return text.split('\n', 1)[0]?.replace(/^[A-Z][A-Za-z/ ]+ Error: /, '') ?? text
  }
}
