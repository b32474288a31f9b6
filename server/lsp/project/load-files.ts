/** Reads all files of a project in slices and shows the progress. */
import type { CatalogMemory, SourceShapeCache } from '../../catalog/index.ts'
import type { Asset, Diagnostic } from '../../language/index.ts'
import {
  encodingProblems,
  FileFailure,
  type FilesInSlicesOptions,
  readFilesInSlices,
} from '../../workspace/index.ts'
import { isGone } from './project-files.ts'
import type { ProjectHost } from './project-host.ts'

/** The maximum delay of a keystroke by reading files. */
const sliceMs = 12

export interface LoadedFiles {
  readonly assets: readonly Asset[]
  readonly encoding: readonly Diagnostic[]
  readonly memory: CatalogMemory
  readonly looks: SourceShapeCache | undefined
}

export interface LoadOptions extends Omit<FilesInSlicesOptions, 'now' | 'program' | 'onFailure' | 'pause'> {
  readonly host: ProjectHost
  readonly isClosed: () => boolean
}

export async function loadFiles(options: LoadOptions): Promise<LoadedFiles> {
  const { root, host } = options
  const progress = host.progress('svc: reading files')
  let sinceMs = host.now().getTime()
  const pause = (done: number, all: number): Promise<void> | undefined => {
    if (options.isClosed()) throw new FileFailure('the project was closed', '')
    if (host.now().getTime() - sinceMs < sliceMs) return undefined
    progress.report(`${done} of ${all}`, Math.round((done / all) * 100))
    return new Promise(resolve =>
      setImmediate(() => {
        sinceMs = host.now().getTime()
        resolve()
      }),
    )
  }
  try {
    const { assets, read, memory, looks } = await readFilesInSlices({
      ...options,
      now: host.now,
      program: host.program,
      onFailure: failure => {
        if (!isGone(failure.cause)) host.log.warn(failure.message)
      },
      pause,
    })
    return { assets, memory, looks, encoding: encodingProblems(root, read) }
  } catch (error) {
    if (!(error instanceof FileFailure)) throw error
    if (!options.isClosed()) host.log.warn(error.message)
    return { assets: [], memory: { vars: '', entries: new Map() }, looks: undefined, encoding: [] }
  } finally {
    progress.end()
  }
}
