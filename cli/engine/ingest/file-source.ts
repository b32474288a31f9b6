/**
 * Fetches files: CSV, JSON, NDJSON and Parquet below a folder, or from elsewhere by way of the spool. They are hashed and
 * analysed completely, and loaded from where they are; only JSON that DuckDB cannot read directly is first split
 * into records.
 */

import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import {
  csvReason,
  fileReason,
  findFiles,
  guessRecordType,
  messageWithoutValues,
  parquetFrom,
  parquetType,
  rememberedLook,
  SearchTooLarge,
  TextFileError,
  withLocalReader,
} from '@svc/server/catalog'
import { formatOf, internalName, partitionsOf, readFileOptions, remoteScheme } from '@svc/server/language'
import { SvcError } from '../errors.ts'
import { resolveText } from './credentials.ts'
import { type FileGuard, guardFiles } from './file-guard.ts'
import { finishFetch, peekedTables } from './finish-fetch.ts'
import type { FoundFile, FoundFiles, RenamedFile } from './found-files.ts'
import { filesLoadedOnce, type LoadBase } from './incremental/base.ts'
import { joinedWithNothing, keptAsItIs } from './incremental/kept-as-it-is.ts'
import { hashFiles, type LocalFiles, type Looked } from './local-files.ts'
import { lookAtCsv } from './look-at-csv.ts'
import { lookAtJson } from './look-at-json.ts'
import { newFiles, notAsLoaded, withLoaded } from './only-new.ts'
import { contentText, keysOf, withFolders } from './partitioned.ts'
import { readablePaths } from './readable-paths.ts'
import { parquetSource } from './record-source.ts'
import { downloadBeginning, downloadFiles, type RemoteFiles } from './remote/download.ts'
import { warnOfDangling } from './skipped-files.ts'
import type { FetchContext, FetchedSource, IngestOf, Source } from './source.ts'

type FileIngest = IngestOf<'file'>

const countName = internalName('count')

export function fileSource(ingest: FileIngest): Source {
  const resumes = remoteScheme(ingest.endpoint) !== undefined || ingest.endpoint.startsWith('env:')
  return {
    ...(resumes && { resumes: true }),
    fetch: context =>
      withFiles(ingest, context, {
        find: filesOf,
        use: fetchFiles,
        // All files are loaded: the load before stays as it is.
        nothing: renamed => context.base && keptFiles(context, ingest, context.base, renamed),
      }),
    sample: context => withFiles(ingest, context, { find: beginningOf, use: fetchFiles }),
    peek: context => withFiles(ingest, context, { find: beginningOf, use: peekFiles, known: remembered }),
  }
}

interface FileWork<T> {
  readonly find: (ingest: FileIngest, context: FetchContext) => Promise<FoundFiles>
  readonly use: (files: LocalFiles) => Promise<T>
  /** Returns what is known without reading the files. */
  readonly known?: (files: Omit<LocalFiles, 'local'>) => Promise<T | undefined>
  /** Returns what comes of no file. */
  readonly nothing?: (renamed: readonly RenamedFile[]) => T | undefined
}

async function withFiles<T>(
  ingest: FileIngest,
  context: FetchContext,
  { find, use, known, nothing }: FileWork<T>,
): Promise<T> {
  const { options, problems } = readFileOptions(ingest)
  const problem = problems[0]
  if (problem !== undefined) {
    throw new SvcError('invalid-project', problem.message, problem.hint === '' ? {} : { hint: problem.hint })
  }
  const { files: found, isWhole, renamed = [] } = await find(ingest, context)
  const none = found.length === 0 ? nothing?.(renamed) : undefined
  if (none !== undefined) return none
  const paths = found.map(({ path }) => path)
  const format = ingest.format ?? formatOf(paths[0] ?? '')
  if (format === undefined) {
    throw new SvcError(
      'invalid-project',
      `the name "${ingest.resource}" does not say how the file is written`,
      {
        hint: 'Write ingest.format: csv, json, ndjson or parquet.',
      },
    )
  }
  const partitions = ingest.partitions === 'none' ? [] : partitionsOf(found.map(({ name }) => name))
  const files = { context, ingest, found, renamed, paths, isWhole, format, options, partitions }
  try {
    const { spoolFolder: folder, signal } = context
    return (
      (await known?.(files)) ??
      (await withLocalReader({ temporaryFolder: dirname(folder), signal }, local => use({ ...files, local })))
    )
  } catch (error) {
    throw asSvcError(error, ingest)
  }
}

async function filesOf(ingest: FileIngest, context: FetchContext): Promise<FoundFiles> {
  const found = await findIn(ingest, context, downloadFiles)
  if (!ingest.onlyNew) return found
  const { present = found.files.map(({ name }) => name) } = found
  const candidates = notAsLoaded(found.files, filesLoadedOnce(context.base))
  const { files, renamed } = await newFiles({ candidates, present: new Set(present) }, ingest, context)
  return { ...found, files, renamed }
}

/** Where files have other names, the load is made anew with its own rows, so that it knows the files by those. */
function keptFiles(
  context: FetchContext,
  ingest: FileIngest,
  base: LoadBase,
  renamed: readonly RenamedFile[],
): FetchedSource {
  if (renamed.length === 0) return keptAsItIs(context, ingest, base, 0)
  const content = renamed.map(({ name, hash }) => `${hash} ${name}`).join('\n')
  return {
    ...joinedWithNothing(context, ingest, base, content),
    files: withLoaded(base.files, renamed),
  }
}

function beginningOf(ingest: FileIngest, context: FetchContext): Promise<FoundFiles> {
  return findIn(ingest, context, downloadBeginning)
}

async function findIn(
  ingest: FileIngest,
  context: FetchContext,
  download: (remote: RemoteFiles) => Promise<FoundFiles>,
): Promise<FoundFiles> {
  const endpoint = resolveText(ingest.endpoint, context.env, 'ingest.endpoint')
  const scheme = remoteScheme(endpoint)
  if (scheme === undefined)
    return { files: await localFiles({ ...ingest, endpoint }, context), isWhole: true }
  return await download({ ingest, endpoint, scheme, context }).catch((error: unknown) => {
    throw asSvcError(error, ingest)
  })
}

async function localFiles(ingest: FileIngest, context: FetchContext): Promise<readonly FoundFile[]> {
  const { root } = context
  const dangling: string[] = []
  const onDangling = (path: string) => void dangling.push(path)
  const paths = await findFiles(root, ingest.endpoint, ingest.resource, ingest.limits, { onDangling }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') {
        throw new SvcError('source-empty-glob', `the folder "${ingest.endpoint}" does not exist`, {
          hint: "ingest.endpoint is a folder, looked for from the project's root.",
          cause: error,
        })
      }
      throw asSvcError(error, ingest)
    },
  )
  warnOfDangling(context, dangling)
  if (paths.length > 0) return await Promise.all(paths.map(path => localFile(path, ingest, context)))
  throw new SvcError('source-empty-glob', `no file matches "${ingest.resource}" in "${ingest.endpoint}"`, {
    hint: 'Check ingest.resource; * stands for part of a name, ** for any folders.',
  })
}

async function localFile(path: string, { endpoint }: FileIngest, { root }: FetchContext): Promise<FoundFile> {
  const { size, mtimeNs } = await stat(path, { bigint: true })
  const name = relative(resolve(root, endpoint), path).replaceAll('\\', '/')
  return { path, name, size: Number(size), stamp: String(mtimeNs) }
}

/**
 * Turns errors of DuckDB and of the file system into errors about the user's files, and leaves bugs of svc as
 * they are.
 */
function asSvcError(error: unknown, ingest: FileIngest): unknown {
  if (error instanceof SearchTooLarge) {
    return new SvcError('source-unreadable', `cannot read "${ingest.resource}": ${error.message}`, {
      hint: 'Write a narrower pattern, or raise the limit in ingest.limits.',
      cause: error,
    })
  }
  if (error instanceof TextFileError) {
    const message = `cannot read "${ingest.resource}": ${error.message}`
    const { hint, path, line } = error
    const facts = { path, ...(line !== undefined && { line }) }
    return new SvcError('source-unreadable', message, { hint, cause: error, withoutValues: message, facts })
  }
  if (error instanceof SvcError || !(error instanceof Error) || error.name === 'AbortError') return error
  const isFileSystem = 'code' in error
  if (!isFileSystem && !/^[A-Z][A-Za-z ]+ Error: /.test(error.message)) return error
  return new SvcError('source-unreadable', `cannot read "${ingest.resource}": ${fileReason(error.message)}`, {
    hint: csvReason(error.message)?.hint ?? 'Check the file, and ingest.format and ingest.options.',
    cause: error,
    ...(!isFileSystem && {
      withoutValues: `cannot read "${ingest.resource}": ${bareReasonOf(error.message)}`,
    }),
  })
}

function bareReasonOf(message: string): string {
  const csv = csvReason(message)
  if (csv?.hint !== undefined) return fileReason(message)
  return `${csv === undefined ? '' : `line ${csv.line}: `}${messageWithoutValues(message)}`
}

/** Returns the columns of files that were analysed shortly before, so that they need not be opened again. */
async function remembered({ context, ingest, paths, partitions }: Omit<LocalFiles, 'local'>) {
  const look = context.looks && (await rememberedLook(context.looks, ingest, paths))
  return look && peekedTables(context, ingest, withFolders(look.type, partitions), look.complete)
}

async function peekFiles(files: LocalFiles) {
  const { context, ingest, paths, isWhole, format, options, local, partitions } = files
  const { type, complete } = await guessRecordType(local, paths, format, options, {
    mostLevels: ingest.limits.depth,
  })
  return peekedTables(context, ingest, withFolders(type, partitions), complete && isWhole)
}

async function fetchFiles(given: LocalFiles): Promise<FetchedSource> {
  const files = { ...given, paths: await readablePaths(given) }
  const { context, ingest, found, renamed, paths, local } = files
  const guard = await guardFiles(local, paths)
  const { hashes, layouts, ...looked } = await look(files, guard)
  await guard.check()
  const loadId = createHash('sha256').update(contentText(files, hashes)).digest('hex')
  const { rows, bytes } = looked
  const pages = paths.length
  context.onProgress({ rows, bytes, pages })
  const finished = await finishFetch(files, { ...looked, loadId, pages })
  const fetched = layouts === undefined ? finished : { ...finished, layouts }
  if (!ingest.onlyNew) return fetched
  const loaded = found.map((file, index) => ({ ...file, hash: hashes[index] ?? '' }))
  return { ...fetched, files: withLoaded(context.base?.files, [...renamed, ...loaded]) }
}

function look(files: LocalFiles, guard: FileGuard): Promise<Looked> {
  if (files.format === 'parquet') return lookAtParquet(files, guard)
  return files.format === 'csv' ? lookAtCsv(files, guard) : lookAtJson(files, guard)
}

async function lookAtParquet(files: LocalFiles, guard: FileGuard): Promise<Looked> {
  const { paths, local } = files
  // The hash is computed in this thread while DuckDB reads in its own.
  const [hashed, type, counted] = await Promise.all([
    hashFiles(files),
    parquetType(local, paths),
    local.rows(`SELECT count(*) AS ${countName} FROM ${parquetFrom(paths)}`),
  ])
  const whole = withFolders(type, files.partitions)
  const source = parquetSource({ files: paths, keys: keysOf(files) }, whole, guard.condition)
  return { ...hashed, source, rows: Number(counted[0]?.[countName] ?? 0) }
}
